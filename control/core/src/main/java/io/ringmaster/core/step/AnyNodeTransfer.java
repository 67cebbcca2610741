package io.ringmaster.core.step;

import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.record.NodeRecord;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A transfer that does the same from whichever node of this datacenter: while the first does not answer, another one
 * does it.
 */
record AnyNodeTransfer(ClusterName cluster, NodeTask.Kind kind, Map<String, String> transferArgs) {
    private static final String NODE = "node";

    /** Whether a node was asked. */
    static boolean isAsked(Map<String, String> memory) {
        return memory.containsKey(NODE);
    }

    Verdict next(View view, Budget budget, Map<String, String> memory) {
        Optional<NodeId> before = Optional.ofNullable(memory.get(NODE)).map(NodeId::of);
        Optional<NodeId> chosen = before.filter(n -> answers(view, n)).or(() -> view.nodesOf(cluster).stream()
                .map(NodeRecord::id)
                .filter(n -> answers(view, n))
                .findFirst());
        if (chosen.isEmpty()) {
            return new Verdict.Wait(before.map(n -> n.shortName() + ": " + AvailabilityCheck.lastKnown(view, n))
                    .orElse("no executor of " + view.datacenter() + " answers"));
        }
        boolean again = memory.containsKey(NodeTask.AGAIN) || (before.isPresent() && !chosen.equals(before));
        Map<String, String> args = new TreeMap<>(transferArgs);
        if (again) {
            args.put(NodeTask.AGAIN, "true");
        }
        // Recovery takes the transfer from a node that the step no longer names
        Map<String, String> known = chosen.equals(before) ? memory : Map.of();
        Verdict verdict = new RunTransfer(chosen.get(), kind, args, false).next(view, budget, known);
        if (!(verdict instanceof Verdict.Do act)) {
            return verdict;
        }
        Map<String, String> remembered = new TreeMap<>(act.memory());
        remembered.put(NODE, chosen.get().value());
        if (again) {
            remembered.put(NodeTask.AGAIN, "true");
        }
        return act.remembering(remembered);
    }

    private static boolean answers(View view, NodeId node) {
        NodeRecord record = view.nodes().get(node);
        return record != null && record.launched() && view.status(node).isPresent();
    }
}
