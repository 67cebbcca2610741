package io.ringmaster.core.step;

import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;

/** Waits until it is known what there is: the pool's whole picture, and of each launched node a word of its executor or its silence. */
public record ReconcileNodes(ClusterName cluster) implements Step {
    @Override
    public String name() {
        return "reconcile";
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not told its picture yet");
        }
        List<NodeRecord> launched =
                view.nodesOf(cluster).stream().filter(NodeRecord::launched).toList();
        List<String> unheard = launched.stream()
                .filter(n -> !view.statuses().containsKey(n.id()))
                .map(n -> n.id().shortName())
                .toList();
        return unheard.isEmpty()
                ? new Verdict.Done(
                        List.of(), view.machines().size() + " machines, " + launched.size() + " nodes there already")
                : new Verdict.Wait("nothing heard yet of " + String.join(", ", unheard));
    }
}
