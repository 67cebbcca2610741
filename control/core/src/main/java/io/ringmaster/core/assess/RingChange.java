package io.ringmaster.core.assess;

import io.ringmaster.core.tokens.EffectiveOwnership;
import io.ringmaster.core.view.View;
import io.ringmaster.model.record.NodeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The effect of joining and leaving nodes on a live datacenter's ring, in words for the plan.
 *
 * @param staying nodes that are members before and after
 */
public record RingChange(View view, List<NodeRecord> staying, List<NodeRecord> joining, List<NodeRecord> leaving) {

    List<String> notes() {
        if (joining.isEmpty() && leaving.isEmpty()) {
            return List.of();
        }
        List<NodeRecord> before = Stream.concat(staying.stream(), leaving.stream())
                .filter(NodeRecord::joined)
                .toList();
        List<NodeRecord> after =
                Stream.concat(staying.stream(), joining.stream()).toList();
        NodeRecord any = (joining.isEmpty() ? leaving : joining).get(0);
        Ownership ownership = Ownership.of(view, any.id().cluster()).orAssumed();
        List<String> notes = new ArrayList<>();
        ownership.keyspaces().forEach((replicas, names) -> {
            String keyspaces = "effective ownership, RF " + replicas + " (" + String.join(", ", names) + "), ";
            notes.add(keyspaces + "before: " + shares(before, replicas));
            notes.add(keyspaces + "after: " + shares(after, replicas));
        });
        for (int i = 0; i < joining.size(); i++) {
            notes.add(joining.get(i).id().shortName() + " joins and streams about "
                    + DataSize.share(view, before, joined(ownership, i))
                    + ", then serves; the others clean up the ranges that they handed over");
        }
        leaving.forEach(n -> notes.add(n.id().shortName() + " streams " + DataSize.text(view, n)
                + " to the others and leaves; this cannot be undone, and its volume is kept"));
        notes.add("every node keeps serving: the only effect on any consistency level is load");
        return notes;
    }

    /**
     * The fraction of all replicas that a joining node holds once it has joined, before the next one does. Keyspaces
     * with different numbers of replicas count alike: their sizes are not known.
     */
    private double joined(Ownership ownership, int index) {
        List<NodeRecord> ring = Stream.concat(staying.stream(), joining.subList(0, index + 1).stream())
                .toList();
        return ownership.keyspaces().keySet().stream()
                .mapToDouble(replicas -> {
                    List<Double> shares = EffectiveOwnership.shares(Ownership.tokens(ring), replicas);
                    return shares.get(ring.size() - 1)
                            / shares.stream().mapToDouble(Double::doubleValue).sum();
                })
                .average()
                .orElseThrow();
    }

    private static String shares(List<NodeRecord> nodes, int replicas) {
        List<Double> shares = EffectiveOwnership.shares(Ownership.tokens(nodes), replicas);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            parts.add(String.format(Locale.ROOT, "%s %.1f %%", nodes.get(i).id().shortName(), 100 * shares.get(i)));
        }
        return String.join(", ", parts);
    }
}
