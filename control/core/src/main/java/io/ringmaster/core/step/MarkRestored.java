package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records that every node here has imported its part of the backup, and what they owe since. It comes after the
 * imports, which nobody can declare done, and the cluster is not created before every datacenter has recorded it.
 *
 * <p>All owe a repair: their snapshots were not taken at one instant, and what others kept for a node of the old
 * cluster is not in a backup, so a row may be on fewer replicas than acknowledged it. A node whose source owed a
 * cleanup got rows of ranges that it does not own.
 */
public record MarkRestored(ClusterName cluster) implements Step {
    /** The phase of this step alone. */
    public static final String PHASE = "restored";

    @Override
    public String name() {
        return "mark restored";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        ClusterRecord record = view.clusters().get(cluster);
        Optional<NodeRecord> away =
                view.nodesOf(cluster).stream().filter(n -> !n.joined()).findFirst();
        if (record == null || away.isPresent()) {
            return new Verdict.Wait(
                    away.map(n -> n.id().shortName() + " has not joined").orElse(cluster + " is not declared here"));
        }
        List<Change> changes = new ArrayList<>(List.of(new Change.Put(record.restored(true))));
        Restoration.of(view, cluster).ifPresent(origin -> view.nodesOf(cluster).stream()
                .map(n -> n.owing(view.now()))
                .forEach(n -> changes.add(new Change.Put(owedCleanup(origin, n) ? n.needsCleanup(true) : n))));
        return new Verdict.Done(changes, view.datacenter() + " has the data of the backup");
    }

    private static boolean owedCleanup(RestoreOrigin origin, NodeRecord node) {
        return origin.nodesOf(node.id().datacenter()).stream()
                .anyMatch(source -> source.needsCleanup() && source.owns(node.tokens()));
    }

    /** Data that is not there is not declared to be there. */
    @Override
    public Verdict forced(View view) {
        return new Verdict.Failed(
                List.of(),
                Problem.of(
                        ErrorCode.PLAN_STATE,
                        cluster + " cannot be restored without the imports of all nodes: their rows would be lost",
                        "retry the plan, or delete the cluster and restore it again"));
    }
}
