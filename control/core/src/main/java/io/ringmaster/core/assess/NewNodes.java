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

/** The records of nodes that placement has found a machine for: their tokens and allocation ids. */
public final class NewNodes {
    private NewNodes() {}

    public static List<NodeRecord> of(View view, SpecRecord target, Placements placements) {
        ClusterSpec spec = target.spec();
        List<NodeRecord> existing = view.nodesOf(spec.name());
        int count = placements.nodes().size();
        boolean holdsData = Seeds.created(view, spec.name()) && !Seeds.lacksData(view, spec.name());
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
                            placement.rack(),
                            List.of(tokens.get(i)),
                            target.version())
                    .needsCleanup(holdsData && i < count - 1)); // nodes that join after it take over some of its ranges
        }
        return records;
    }
}
