package io.ringmaster.simulator;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gossip: who sees whom. A crash is noticed late, a new node soon, and a schema takes its time to agree. */
final class Ring {
    /** Of every keyspace in every datacenter. */
    static final int REPLICAS = 3;

    private static final int NOTICE_CRASH_MILLIS = 6000;
    private static final int NOTICE_START_MILLIS = 700;
    private static final String AGREED = "schema-1";
    private static final Map<String, Integer> EVERYWHERE =
            World.DATACENTERS.stream().collect(Collectors.toMap(DatacenterName::value, d -> REPLICAS));

    private final World world;
    private final Map<ClusterName, Long> disagreesUntil = new TreeMap<>();

    Ring(World world) {
        this.world = world;
    }

    /** A node became NORMAL: its schema may differ for a moment. */
    void joined(SimNode node) {
        if (world.chance.one(0.2)) {
            disagreesUntil.put(
                    node.allocation.node().cluster(), world.timeline.nowMillis() + world.chance.between(300, 3000));
        }
    }

    RingView seenBy(SimNode self) {
        ClusterName cluster = self.allocation.node().cluster();
        // What a deleted cluster of the same name left behind is in nobody's gossip.
        Stream<SimNode> there =
                world.nodesOf(cluster).stream().filter(n -> n.claim != AllocationState.Status.RELEASED && !n.replaced);
        List<RingView.PeerSeen> peers = Stream.concat(there, world.dead.of(cluster).stream())
                .filter(n -> n.joined || n.mode == OperatingMode.JOINING)
                .map(n -> seen(self, n))
                .toList();
        return new RingView(self.hostId, "5.0.9", schema(self), 0, 0, 0, peers, Map.of(), List.of(trips(self)));
    }

    /** The users' one keyspace. */
    private static RingView.KeyspaceSeen trips(SimNode self) {
        RingView.Repaired repaired = new RingView.Repaired(self.repairedAt == null ? 0 : 1, self.repairedAt);
        return new RingView.KeyspaceSeen("trips", EVERYWHERE, repaired);
    }

    private RingView.PeerSeen seen(SimNode self, SimNode other) {
        return new RingView.PeerSeen(
                endpoint(other),
                other.hostId,
                other.allocation.node().datacenter().value(),
                "rack",
                status(other),
                seesAlive(self, other),
                schema(other));
    }

    private static String endpoint(SimNode node) {
        return Seeds.endpoint(node.allocation);
    }

    private static String status(SimNode node) {
        if (node.left) {
            return "LEFT";
        }
        boolean leaving = node.mode == OperatingMode.LEAVING;
        return leaving ? "LEAVING" : node.joined ? "NORMAL" : "BOOT";
    }

    private boolean seesAlive(SimNode self, SimNode other) {
        if (self == other) {
            return true;
        }
        long now = world.timeline.nowMillis();
        boolean up = other.gossips();
        boolean noticed = up
                ? now - other.changedMillis >= NOTICE_START_MILLIS
                : other.down == SimNode.Down.FAULT && now - other.downMillis < NOTICE_CRASH_MILLIS;
        return noticed && world.connected(self, other);
    }

    private String schema(SimNode node) {
        boolean differs =
                disagreesUntil.getOrDefault(node.allocation.node().cluster(), 0L) > world.timeline.nowMillis();
        return differs && node.allocation.node().index() == 0 ? "schema-0" : AGREED;
    }

    /** Cassandra refuses a bootstrap beside another, without anybody to stream from, and in the place of one that is not there or not dead. */
    Optional<String> whyNoBootstrap(SimNode node, @Nullable String replaces) {
        ClusterName cluster = node.allocation.node().cluster();
        List<SimNode> others = world.nodesOf(cluster).stream()
                .filter(n -> n != node && world.connected(node, n))
                .toList();
        if (replaces != null) {
            Optional<SimNode> former = Stream.concat(others.stream(), world.dead.of(cluster).stream())
                    .filter(n -> n.isMember() && endpoint(n).equals(replaces))
                    .findFirst();
            if (former.isEmpty() || former.get().gossips()) {
                return Optional.of(replaces + (former.isEmpty() ? " does not exist in gossip" : " is alive"));
            }
        } else if (world.dead.of(cluster).stream().anyMatch(n -> endpoint(n).equals(endpoint(node)))) {
            return Optional.of("a node with this address already exists");
        }
        if (others.stream().anyMatch(n -> n.mode == OperatingMode.JOINING || n.mode == OperatingMode.LEAVING)) {
            return Optional.of("other bootstrapping or leaving nodes detected");
        }
        return others.stream().anyMatch(n -> n.mode == OperatingMode.NORMAL)
                ? Optional.empty()
                : Optional.of("unable to gossip with any peers");
    }
}
