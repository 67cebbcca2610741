package io.ringmaster.core.assess;

import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Places;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.tokens.Tokens;
import io.ringmaster.core.view.View;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The records of nodes that have found a place: their tokens and their names in the pool. */
public final class NewNodes {
    private NewNodes() {}

    public static List<NodeRecord> of(View view, SpecRecord target, Placements placements) {
        ClusterSpec spec = target.spec();
        List<NodeRecord> existing = view.nodesOf(spec.name());
        int count = placements.nodes().size();
        boolean sharing = Seeds.created(view, spec.name()) && !Seeds.lacksData(view, spec.name());
        List<String> tokens = existing.isEmpty()
                ? Tokens.forFirstCreation(spec, view.datacenter())
                : Tokens.forJoining(
                        spec,
                        view.datacenter(),
                        existing.stream().flatMap(n -> n.tokens().stream()).toList(),
                        count);
        List<NodeRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            NodePlacement placement = placements.nodes().get(i);
            records.add(NodeRecord.placed(
                            placement.node(),
                            Places.withFreshId(view, placement.chosen().orElseThrow()),
                            Objects.requireNonNull(placement.rack(), "a node with a place has a rack"),
                            List.of(tokens.get(i)),
                            target.version())
                    .needsCleanup(sharing && i < count - 1)); // those that join after it take over ranges of its own
        }
        return records;
    }
}
