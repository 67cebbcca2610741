package io.ringmaster.core.step;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.RequestRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Waits until a request has its turn here. It begins every plan that was asked for; to force it is to overrule the others. */
public record AcquireLock(RequestId request) implements Step {
    /** Its name, and that of the phase that it is alone in. */
    public static final String NAME = "lock";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        RequestRecord record = view.requests().get(request);
        if (record == null) {
            return new Verdict.Failed(
                    List.of(), Problem.of(ErrorCode.INTERNAL, request + " is not in the store any more"));
        }
        Optional<String> reason = OperationLock.reason(view, record.request());
        return reason.<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(List.of(), "it is the turn of " + request));
    }
}
