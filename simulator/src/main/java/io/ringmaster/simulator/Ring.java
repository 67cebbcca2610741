package io.ringmaster.simulator;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gossip: who sees whom. A crash is noticed late, a new node soon, and a schema takes its time to agree. */
final class Ring {
    /** Longer than it takes until every controller knows. */
    private static final int LONG_MILLIS = 90_000;

    private static final long MANY_BYTES = 64L << 20;
    private static final Span NEVER = new Span(0, 0);
    private static final int NOTICE_CRASH_MILLIS = 6000;
    private static final int NOTICE_START_MILLIS = 700;
    private static final String AGREED = "schema-1";

    private final World world;
    private final Map<ClusterName, Span> disagrees = new TreeMap<>();
    private final Map<SimNode, Straggler> unseen = new HashMap<>();
    private final Map<SimNode, Straggler> hinted = new HashMap<>();

    Ring(World world) {
        this.world = world;
    }

    /** From when to when something is so. */
    private record Span(long fromMillis, long untilMillis) {
        boolean holds(long nowMillis) {
            return nowMillis < untilMillis;
        }

        boolean holdsFor(long millis, long nowMillis) {
            return holds(nowMillis) && nowMillis - fromMillis > millis;
        }
    }

    /** One node that is late with another one. */
    private record Straggler(SimNode node, Span span) {}

    /** A node became NORMAL: its schema may differ, another may not see it for long, or keep hints for it that are not delivered yet. */
    void joined(SimNode node) {
        if (world.chance.one(0.2)) {
            int most = world.chance.one(0.2) ? LONG_MILLIS : 3000;
            disagrees.put(node.allocation.node().cluster(), span(300, most));
        }
        if (world.chance.one(0.1)) {
            Map<SimNode, Straggler> late = world.chance.one(0.5) ? unseen : hinted;
            world.chance
                    .any(neighbours(node))
                    .ifPresent(n -> late.put(node, new Straggler(n, span(2000, LONG_MILLIS))));
        }
    }

    private Span span(int least, int most) {
        long now = world.timeline.nowMillis();
        return new Span(now, now + world.chance.between(least, most));
    }

    /** Those of its datacenter that serve. */
    private List<SimNode> neighbours(SimNode node) {
        return world.nodesOf(node.allocation.node().cluster()).stream()
                .filter(n -> n != node && n.mode == OperatingMode.NORMAL)
                .filter(n -> n.allocation
                        .node()
                        .datacenter()
                        .equals(node.allocation.node().datacenter()))
                .toList();
    }

    /** Why, for so long already, no node beside this one should be touched: every controller must have heard of it. */
    Optional<Violation> unready(SimNode touched, long knownMillis) {
        long now = world.timeline.nowMillis();
        ClusterName cluster = touched.allocation.node().cluster();
        if (disagrees.getOrDefault(cluster, NEVER).holdsFor(knownMillis, now)) {
            return Optional.of(new Violation("one-schema", touched.name() + " is touched while schemas differ"));
        }
        return neighbours(touched).stream()
                .flatMap(n -> Stream.concat(
                        late(unseen, n, touched, knownMillis)
                                .map(s -> new Violation(
                                        "seen-by-all",
                                        touched.name() + " is touched while " + s.name() + " does not see "
                                                + n.name())),
                        late(hinted, n, touched, knownMillis)
                                .map(s -> new Violation(
                                        "hints-delivered",
                                        touched.name() + " is touched while " + s.name() + " keeps hints for "
                                                + n.name()))))
                .findFirst();
    }

    private Stream<SimNode> late(Map<SimNode, Straggler> which, SimNode node, SimNode touched, long knownMillis) {
        return Optional.ofNullable(which.get(node)).stream()
                .filter(s -> s.span().holdsFor(knownMillis, world.timeline.nowMillis()))
                .map(Straggler::node)
                .filter(n -> n != touched && neighbours(touched).contains(n));
    }

    private boolean isLate(Map<SimNode, Straggler> which, SimNode self, SimNode other) {
        Straggler late = which.get(other);
        return late != null && late.node() == self && late.span().holds(world.timeline.nowMillis());
    }

    RingView seenBy(SimNode self) {
        ClusterName cluster = self.allocation.node().cluster();
        // What a deleted cluster of the same name left behind is in nobody's gossip.
        Stream<SimNode> there =
                world.nodesOf(cluster).stream().filter(n -> n.claim != AllocationState.Status.RELEASED && !n.replaced);
        Stream<SimNode> away = Stream.concat(world.dead.of(cluster).stream(), world.dead.goneFrom(cluster).stream());
        List<RingView.PeerSeen> peers = Stream.concat(there, away)
                .filter(n -> n.joined || n.mode == OperatingMode.JOINING)
                .map(n -> seen(self, n))
                .toList();
        List<RingView.KeyspaceSeen> keyspaces =
                world.plant == Mutation.REPLICAS_UNKNOWN ? List.of() : world.keyspaces.seenBy(self);
        List<RingView.ClientSeen> clients =
                world.plant == Mutation.CLIENTS_IGNORED ? List.of() : world.clients.seenBy(self);
        return new RingView(self.hostId, "5.0.9", schema(self), 0, 0, 0, peers, hints(self), keyspaces, clients);
    }

    private Map<String, Long> hints(SimNode self) {
        return world.plant == Mutation.HINTS_IGNORED
                ? Map.of()
                : hinted.keySet().stream()
                        .filter(n -> isLate(hinted, self, n))
                        .collect(Collectors.toMap(n -> n.hostId, n -> MANY_BYTES));
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
        return node.leaving ? "LEAVING" : node.joined ? "NORMAL" : "BOOT";
    }

    private boolean seesAlive(SimNode self, SimNode other) {
        boolean lost = world.dead.of(self.allocation.node().cluster()).contains(other);
        if (self == other || (world.plant == Mutation.GOSSIP_IGNORED && !lost)) {
            return true;
        }
        if (isLate(unseen, self, other)) {
            return false;
        }
        long now = world.timeline.nowMillis();
        boolean up = other.gossips();
        boolean noticed = up
                ? now - other.changedMillis >= NOTICE_START_MILLIS
                : other.down == SimNode.Down.FAULT && now - other.downMillis < NOTICE_CRASH_MILLIS;
        return noticed && world.connected(self, other);
    }

    private String schema(SimNode node) {
        boolean differs = world.plant != Mutation.SCHEMA_IGNORED
                && disagrees
                        .getOrDefault(node.allocation.node().cluster(), NEVER)
                        .holds(world.timeline.nowMillis());
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
        if (Stream.concat(others.stream(), world.dead.of(cluster).stream())
                .anyMatch(n -> n.mode == OperatingMode.JOINING || (n.leaving && n.isMember()))) {
            return Optional.of("other bootstrapping or leaving nodes detected");
        }
        return others.stream().anyMatch(n -> n.mode == OperatingMode.NORMAL)
                ? Optional.empty()
                : Optional.of("unable to gossip with any peers");
    }
}
