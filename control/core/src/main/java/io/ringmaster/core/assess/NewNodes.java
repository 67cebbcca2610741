package io.ringmaster.core.assess;

import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.Places;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.tokens.Tokens;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RestoreOrigin;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The records of nodes that placement has found a machine for: their tokens and allocation ids. */
public final class NewNodes {
    private NewNodes() {}

    public static List<NodeRecord> of(View view, SpecRecord target, Placements placements) {
        ClusterSpec spec = target.spec();
        List<NodeRecord> existing = view.nodesOf(spec.name());
        int count = placements.nodes().size();
        boolean holdsData = Seeds.created(view, spec.name()) && !Seeds.lacksData(view, spec.name());
        List<List<String>> tokens = Restoration.of(view, target)
                .map(origin -> assigned(view, origin, existing, placements))
                .orElseGet(() -> computed(view, spec, existing, placements));
        List<NodeRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            NodePlacement placement = placements.nodes().get(i);
            records.add(NodeRecord.placed(
                            placement.node(),
                            Places.withFreshId(view, placement.chosen().orElseThrow()),
                            rack(placement),
                            tokens.get(i),
                            target.version())
                    .needsCleanup(holdsData && i < count - 1)); // nodes that join after it take over some of its ranges
        }
        return records;
    }

    private static List<List<String>> computed(
            View view, ClusterSpec spec, List<NodeRecord> existing, Placements placements) {
        return Tokens.forJoining(
                        spec,
                        view.datacenter(),
                        Ownership.tokens(existing),
                        placements.nodes().stream().map(NewNodes::rack).toList(),
                        Set.copyOf(Replication.of(view, spec.name()).rackAware().values()))
                .stream()
                .map(List::of)
                .toList();
    }

    /** The tokens that the nodes of the backup had. */
    private static List<List<String>> assigned(
            View view, RestoreOrigin origin, List<NodeRecord> existing, Placements placements) {
        Map<NodeId, RestoreOrigin.Node> sources =
                RestoreFit.sources(view, origin, existing, placements).orElseThrow();
        return placements.nodes().stream()
                .map(p -> Objects.requireNonNull(sources.get(p.node())).tokens())
                .toList();
    }

    private static RackName rack(NodePlacement placement) {
        return Objects.requireNonNull(placement.rack(), "a node with a place has a rack");
    }
}
