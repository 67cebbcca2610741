package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints at which members of a ring were, and until when the other members ignore a new node there: for two
 * ring delays after a member has left, and for four after another node has replaced it, as Cassandra's gossip does.
 */
public final class FormerEndpoints {
    private static final int RING_DELAY_MILLIS = 30_000;

    private final World world;
    private final Map<ClusterName, Map<String, Long>> untilMillis = new TreeMap<>();

    FormerEndpoints(World world) {
        this.world = world;
    }

    /** The member has left the ring, or is removed from it. */
    void left(SimNode node) {
        ignore(node.cluster(), node.endpoint(), 2);
    }

    /** The other node has the ranges of the former one. Its own endpoint is not ignored. */
    void replaced(SimNode former, SimNode by) {
        if (!Objects.equals(former.endpoint(), by.endpoint())) {
            ignore(former.cluster(), former.endpoint(), 4);
        }
    }

    private void ignore(ClusterName cluster, @Nullable String endpoint, int ringDelays) {
        if (endpoint != null) {
            untilMillis
                    .computeIfAbsent(cluster, c -> new TreeMap<>())
                    .merge(endpoint, world.nowMillis() + (long) ringDelays * RING_DELAY_MILLIS, Math::max);
        }
    }

    /** Whether the members of its cluster ignore the node now. */
    public boolean isIgnored(SimNode node) {
        String endpoint = node.endpoint();
        return endpoint != null
                && untilMillis.getOrDefault(node.cluster(), Map.of()).getOrDefault(endpoint, 0L) > world.nowMillis();
    }

    /** A new cluster takes the name of a deleted one. */
    void forget(ClusterName cluster) {
        untilMillis.remove(cluster);
    }
}
