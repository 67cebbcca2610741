package io.ringmaster.core.step;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the declared roles again at a user's request. A newer spec goes first: the roles of an older one must not
 * overwrite it.
 *
 * @param taskArgs the arguments of the task, without passwords
 */
public record RewriteRoles(ClusterName cluster, Map<String, String> taskArgs) implements Step {
    public RewriteRoles {
        taskArgs = Map.copyOf(taskArgs);
    }

    @Override
    public String name() {
        return "write roles";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        boolean begun = !memory.isEmpty();
        Optional<String> blocked = begun ? Optional.empty() : OperationLock.specAtWork(view, cluster, true);
        if (blocked.isPresent()) {
            return new Verdict.Wait(blocked.get());
        }
        boolean current = view.targetSpec(cluster)
                .map(SpecRecord::spec)
                .filter(s -> RoleTaskArgs.again(s).equals(taskArgs))
                .isPresent();
        return begun || current
                ? new WriteRoles(cluster, taskArgs).next(view, budget, memory)
                : new Verdict.Done(List.of(), "a newer spec has written its roles meanwhile");
    }
}
