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

/**
 * Waits until a request holds the operation lock in this datacenter. The plan of every request starts with this
 * step; to force the step is to overrule the other requests.
 */
public record AcquireLock(RequestId request) implements Step {
    /** The name of the step and of the phase that holds it alone. */
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
                    List.of(), Problem.of(ErrorCode.INTERNAL, request + " is no longer in the store"));
        }
        Optional<String> reason = OperationLock.reason(view, record.request());
        // asked last: the lock waits until every datacenter that answers has reported what it knows of the request
        if (reason.isEmpty() && OperationLock.wasOverHere(view, record.request())) {
            return new Verdict.GivenUp(Problem.of(
                    ErrorCode.PLAN_STATE,
                    request + " was over in " + view.datacenter() + " before the store there lost it",
                    "request it again if it must run once more"));
        }
        return reason.<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> new Verdict.Done(List.of(), request + " holds the operation lock"));
    }
}
