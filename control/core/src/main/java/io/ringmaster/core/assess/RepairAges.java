package io.ringmaster.core.assess;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.Repaired;
import io.ringmaster.model.record.NodeRecord;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** How long ago ranges were repaired, as the nodes that lead them tell. */
public final class RepairAges {
    /** Stands for a range that was never repaired. */
    public static final Instant NEVER = Instant.EPOCH;

    /** Shares are sums of fractions of the ring. */
    private static final double WHOLE = 0.9999;

    private RepairAges() {}

    /** The repair that is longest ago, among the ranges of the nodes here; empty when none tells of ranges of its own. */
    public static Optional<Instant> here(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(ring -> ring.keyspaces().stream())
                .map(RingView.KeyspaceSeen::repaired)
                .filter(Objects::nonNull)
                .map(RepairAges::oldest)
                .min(Instant::compareTo);
    }

    /** The first node here that runs and has not told of its ranges. */
    public static Optional<NodeRecord> unheard(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .filter(NodeRecord::launched)
                .filter(n -> view.status(n.id()).map(NodeStatus::ring).isEmpty())
                .findFirst();
    }

    private static Instant oldest(Repaired repaired) {
        Instant oldest = repaired.oldest();
        return oldest == null || repaired.share() < WHOLE ? NEVER : oldest;
    }
}
