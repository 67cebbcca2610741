package io.ringmaster.core.assess;

import io.ringmaster.core.tokens.Tokens;
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
        List<String> notes = new ArrayList<>();
        notes.add("ownership before: " + ownership(before));
        notes.add("ownership after: " + ownership(after));
        List<Double> shares = shares(after);
        joining.forEach(n -> notes.add(n.id().shortName() + " joins and streams about "
                + DataSize.share(view, before, shares.get(after.indexOf(n)))
                + ", then serves; the others clean up the ranges that they handed over"));
        leaving.forEach(n -> notes.add(n.id().shortName() + " streams " + DataSize.text(view, n)
                + " to the others and leaves; this cannot be undone, and its volume is kept"));
        notes.add("every node keeps serving: the only effect on any consistency level is load");
        return notes;
    }

    private static String ownership(List<NodeRecord> nodes) {
        List<Double> shares = shares(nodes);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            parts.add(String.format(Locale.ROOT, "%s %.1f %%", nodes.get(i).id().shortName(), 100 * shares.get(i)));
        }
        return String.join(", ", parts);
    }

    /** The share of the ring of each node, in the order of {@code nodes}. */
    private static List<Double> shares(List<NodeRecord> nodes) {
        return Tokens.ownership(nodes.stream().map(n -> n.tokens().get(0)).toList());
    }
}
