package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;

/**
 * Waits until the pool has reported its machines and allocations, and until the executor of each launched node has
 * answered or counts as silent.
 */
public record ReconcileNodes(ClusterName cluster) implements Step {
    @Override
    public String name() {
        return "reconcile";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not reported its machines yet");
        }
        List<NodeRecord> launched =
                view.nodesOf(cluster).stream().filter(NodeRecord::launched).toList();
        List<String> unreported = launched.stream()
                .filter(n -> !view.statuses().containsKey(n.id()))
                .map(n -> n.id().shortName())
                .toList();
        return unreported.isEmpty()
                ? new Verdict.Done(
                        List.of(), view.machines().size() + " machines, " + launched.size() + " nodes already launched")
                : new Verdict.Wait("no report yet from " + String.join(", ", unreported));
    }
}
