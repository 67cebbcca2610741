package io.ringmaster.core.step;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
        return replicates() ? "replicate roles" : "write roles";
    }

    private boolean replicates() {
        return taskArgs.keySet().stream().allMatch(RoleTaskArgs.NODES::equals) && !taskArgs.isEmpty();
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
        if (replicates() && view.nodesOf(cluster).stream().noneMatch(n -> WriteRoles.isNormal(view, n.id()))) {
            return withoutNode(view, memory);
        }
        return OperationLock.specAtWork(view, cluster, true)
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> write.next(view, budget, memory));
    }

    /** Nobody may watch the plan: it does not keep the operation lock until a node is back. */
    private Verdict withoutNode(View view, Map<String, String> memory) {
        List<Change> taken = view.nodesOf(cluster).stream()
                .filter(n -> Optional.ofNullable(n.task())
                        .filter(t -> t.id().equals(memory.get(NodeTasks.TASK)))
                        .isPresent())
                .<Change>map(n -> new Change.Put(n.withTask(null)))
                .toList();
        return new Verdict.Failed(
                taken,
                Problem.of(
                        ErrorCode.PLAN_STATE,
                        "no node of " + view.datacenter() + " is NORMAL and could alter the replication of roles",
                        Advice.replicateRoles(cluster).prefix("bring a node back, then run ")));
    }

    private static Map<String, String> replicationHere(View view, ClusterSpec spec) {
        return RoleTaskArgs.replication(spec.datacenter(view.datacenter()).stream());
    }
}
