package io.ringmaster.core.lint;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan that is drafted and not stored yet, with everything that the rules check.
 *
 * @param view the state before any of the changes
 * @param params as the user gave them
 * @param changes to be stored together with the plan
 */
public record PlanDraft(
        View view,
        ClusterName cluster,
        String operation,
        Map<String, String> params,
        long specVersion,
        List<Change> changes,
        List<Phase> phases) {

    Stream<StepState> steps() {
        return phases.stream().flatMap(p -> p.steps().stream());
    }

    /** The nodes of this datacenter, of every cluster, once the changes are stored. */
    Map<NodeId, NodeRecord> nodesAfter() {
        return after().nodes();
    }

    private View after() {
        return view.with(changes);
    }

    /** The nodes of the cluster of the plan once the changes are stored. */
    List<NodeRecord> ownNodesAfter() {
        return after().nodesOf(cluster);
    }

    /** Whether the plan gives a node a new allocation. */
    boolean placesNodes() {
        return puts(NodeRecord.class).anyMatch(n -> {
            NodeRecord before = view.nodes().get(n.id());
            return before == null || !before.allocation().equals(n.allocation());
        });
    }

    Optional<ClusterRecord> clusterAfter() {
        List<ClusterRecord> seen = new ArrayList<>();
        Optional.ofNullable(view.clusters().get(cluster)).ifPresent(seen::add);
        puts(ClusterRecord.class).filter(c -> c.name().equals(cluster)).forEach(seen::add);
        return seen.isEmpty() ? Optional.empty() : Optional.of(seen.get(seen.size() - 1));
    }

    <R> Stream<R> puts(Class<R> type) {
        return changes.stream()
                .filter(Change.Put.class::isInstance)
                .map(c -> ((Change.Put) c).record())
                .filter(type::isInstance)
                .map(type::cast);
    }

    /** The keys that a stream contains more than once, in order of appearance. */
    static List<String> twice(Stream<String> keys) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        keys.forEach(k -> counts.merge(k, 1, Integer::sum));
        return counts.entrySet().stream()
                .filter(e -> e.getValue() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }
}
