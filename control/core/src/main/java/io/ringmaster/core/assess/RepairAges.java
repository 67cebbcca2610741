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

/** The age of repairs, as the nodes report it for their primary ranges. */
public final class RepairAges {
    /** Stands for a range that was never repaired. */
    public static final Instant NEVER = Instant.EPOCH;

    /**
     * The share of a fully repaired node: shares are sums of fractions of the ring, which need not add up to 1 exactly.
     */
    private static final double WHOLE = 0.9999;

    private RepairAges() {}

    /** The oldest repair among the ranges of the nodes here; empty when no node reports ranges. */
    public static Optional<Instant> here(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(ring -> ring.keyspaces().stream())
                .map(RingView.KeyspaceSeen::repaired)
                .filter(Objects::nonNull)
                .map(RepairAges::oldest)
                .min(Instant::compareTo);
    }

    /** The first launched node here that does not report its ranges. */
    public static Optional<NodeRecord> notReporting(View view, ClusterName cluster) {
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
