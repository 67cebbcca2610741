package io.ringmaster.model.plan;

import io.ringmaster.model.name.NodeId;
import java.util.List;

/**
 * What the plans of a request do to a cluster, in all its datacenters.
 *
 * @param stops nodes whose daemon is stopped or drained while they are part of the ring
 * @param mostAtOnce the most nodes of one datacenter that are stopped at the same time
 * @param leaves nodes that hand their ranges over and leave the ring; they serve until then
 * @param destroysVolumes nodes whose data are destroyed
 * @param cannotBeUndone a sentence for each effect that no later plan reverses
 */
public record PlanImpact(
        List<NodeId> stops,
        int mostAtOnce,
        List<NodeId> leaves,
        List<NodeId> destroysVolumes,
        List<String> cannotBeUndone) {
    public PlanImpact {
        stops = List.copyOf(stops);
        leaves = List.copyOf(leaves);
        destroysVolumes = List.copyOf(destroysVolumes);
        cannotBeUndone = List.copyOf(cannotBeUndone);
    }
}
