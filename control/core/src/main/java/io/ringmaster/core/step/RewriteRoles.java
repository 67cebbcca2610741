package io.ringmaster.core.step;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;

/**
 * Writes the declared roles again at a user's request, or only their replication. A newer spec goes first: the roles of
 * an older one must not overwrite it.
 *
 * @param taskArgs the arguments of the task, without passwords
 */
public record RewriteRoles(ClusterName cluster, Map<String, String> taskArgs) implements Step {
    public RewriteRoles {
        taskArgs = Map.copyOf(taskArgs);
    }

    @Override
    public String name() {
        return taskArgs.keySet().stream().allMatch(RoleTaskArgs.NODES::equals) && !taskArgs.isEmpty()
                ? "replicate roles"
                : "write roles";
    }

    /** Asks again where the node went down: until another one gets the task, a newer spec may have come. */
    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        WriteRoles write = new WriteRoles(cluster, taskArgs);
        if (WriteRoles.atWork(view, memory).isPresent()) {
            return write.next(view, budget, memory);
        }
        boolean current = view.targetSpec(cluster)
                .map(SpecRecord::spec)
                .filter(s -> RoleTaskArgs.again(s).equals(taskArgs)
                        || replicationHere(view, s).equals(taskArgs))
                .isPresent();
        if (!current) {
            // the plan ends, so that a node that returns does not find its task
            return new Verdict.Done(List.of(), "a newer spec writes its roles");
        }
        return OperationLock.specAtWork(view, cluster, true)
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> write.next(view, budget, memory));
    }

    private static Map<String, String> replicationHere(View view, ClusterSpec spec) {
        return RoleTaskArgs.replication(spec.datacenter(view.datacenter()).stream());
    }
}
