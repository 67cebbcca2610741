package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.simulator.mutation.Mutation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gossip: a node notices a crash late and a new node soon, and schema versions take time to agree. */
public final class Ring {
    /** Longer than every controller needs to learn of it. */
    private static final int LONG_MILLIS = 90_000;

    private static final long MANY_BYTES = 64L << 20;
    private static final Span NEVER = new Span(0, 0);
    private static final int NOTICE_CRASH_MILLIS = 6000;
    private static final int NOTICE_START_MILLIS = 700;
    private static final String AGREED = "schema-1";
    private static final RingView.KeyspaceSeen ROLES = new RingView.KeyspaceSeen(
            "system_auth",
            World.DATACENTERS.stream().collect(Collectors.toMap(DatacenterName::value, d -> Keyspaces.REPLICAS)),
            null);

    private final World world;
    private final Map<ClusterName, Span> schemaDisagreements = new TreeMap<>();
    private final Map<SimNode, Straggler> unseen = new HashMap<>();
    private final Map<SimNode, Straggler> hinted = new HashMap<>();

    /** What makes the ring unfit for a change of one of its nodes. */
    public enum Unsettled {
        SCHEMA_DIFFERS,
        /** A node does not see another one alive. */
        PEER_UNSEEN,
        /** A node keeps hints for another one. */
        HINTS_PENDING
    }

    /**
     * A condition that has lasted for a while.
     *
     * @param by the node that does not see another one or keeps hints; null for the schema
     * @param about the other node; null for the schema
     */
    public record Condition(Unsettled kind, @Nullable SimNode by, @Nullable SimNode about) {}

    Ring(World world) {
        this.world = world;
    }

    private record Span(long fromMillis, long untilMillis) {
        boolean holds(long nowMillis) {
            return nowMillis < untilMillis;
        }

        boolean holdsFor(long millis, long nowMillis) {
            return holds(nowMillis) && nowMillis - fromMillis > millis;
        }
    }

    /** A node that does not see another one, or keeps hints for it. */
    private record Straggler(SimNode node, Span span) {}

    /**
     * A node became NORMAL: for a while its schema version may differ, another node may not see it alive, or may keep
     * hints for it.
     */
    void joined(SimNode node) {
        if (world.random().chance(0.2)) {
            int maxMillis = world.random().chance(0.2) ? LONG_MILLIS : 3000;
            schemaDisagreements.put(node.cluster(), span(300, maxMillis));
        }
        if (world.random().chance(0.1)) {
            Map<SimNode, Straggler> late = world.random().chance(0.5) ? unseen : hinted;
            world.random()
                    .any(neighbours(node))
                    .ifPresent(n -> late.put(node, new Straggler(n, span(2000, LONG_MILLIS))));
        }
    }

    private Span span(int minMillis, int maxMillis) {
        long now = world.nowMillis();
        return new Span(now, now + world.random().between(minMillis, maxMillis));
    }

    /** The other nodes of its datacenter that serve. */
    private List<SimNode> neighbours(SimNode node) {
        return world.nodesOf(node.cluster()).stream()
                .filter(n -> n != node
                        && n.mode() == OperatingMode.NORMAL
                        && !n.daemon().isSuspended())
                .filter(n -> n.datacenter().equals(node.datacenter()))
                .toList();
    }

    /** The first condition that forbids to touch the node and has lasted for longer than this. */
    public Optional<Condition> unsettled(SimNode touched, long forMillis) {
        long now = world.nowMillis();
        if (schemaDisagreements.getOrDefault(touched.cluster(), NEVER).holdsFor(forMillis, now)
                && world.nodesOf(touched.cluster()).stream().anyMatch(n -> hasReportedFor(forMillis, n))) {
            return Optional.of(new Condition(Unsettled.SCHEMA_DIFFERS, null, null));
        }
        return neighbours(touched).stream()
                .flatMap(n -> Stream.concat(
                        late(unseen, n, touched, forMillis).map(s -> new Condition(Unsettled.PEER_UNSEEN, s, n)),
                        late(hinted, n, touched, forMillis).map(s -> new Condition(Unsettled.HINTS_PENDING, s, n))))
                .findFirst();
    }

    private Stream<SimNode> late(Map<SimNode, Straggler> stragglers, SimNode node, SimNode touched, long forMillis) {
        return Optional.ofNullable(stragglers.get(node)).stream()
                .filter(s -> s.span().holdsFor(forMillis, world.nowMillis()))
                .map(Straggler::node)
                .filter(n -> n != touched && neighbours(touched).contains(n));
    }

    private boolean isLate(Map<SimNode, Straggler> stragglers, SimNode self, SimNode other) {
        Straggler late = stragglers.get(other);
        return late != null && late.node() == self && late.span().holds(world.nowMillis());
    }

    /** Whether the first node has not delivered its hints to the second one yet. */
    boolean keepsHints(SimNode keeper, SimNode target) {
        return isLate(hinted, keeper, target);
    }

    RingView seenBy(SimNode self) {
        ClusterName cluster = self.cluster();
        List<RingView.PeerSeen> peers = new ArrayList<>();
        for (SimNode node : inGossip(cluster)) {
            addSeen(peers, self, node);
        }
        boolean empty =
                !world.declarations().hasServed(cluster) && !world.restores().hasSchema(cluster);
        List<RingView.KeyspaceSeen> keyspaces = empty || world.planted() == Mutation.REPLICATION_UNKNOWN
                ? List.of()
                : world.keyspaces().seenBy(self);
        List<RingView.ClientSeen> clients = world.planted() == Mutation.CLIENTS_IGNORED
                ? List.of()
                : world.clients().seenBy(self);
        String host = hostId(self) == null ? "" : self.hostId();
        return new RingView(
                host,
                "5.0.9",
                schema(self),
                0,
                0,
                0,
                peers,
                hints(self),
                keyspaces,
                self.executor().clientAccess(),
                clients,
                List.of(self.executor().requiresLogin() ? world.roles().seenIn(cluster) : ROLES));
    }

    private List<SimNode> inGossip(ClusterName cluster) {
        // Gossip does not know what a deleted cluster of the same name left behind.
        List<SimNode> all = new ArrayList<>(world.nodesOf(cluster));
        all.removeIf(n -> n.isReleased() || n.replaced());
        all.addAll(world.removedNodes().deadMembers(cluster));
        all.addAll(world.removedNodes().removedFrom(cluster));
        all.removeIf(n -> !n.joined() && !n.daemon().joins());
        return all;
    }

    private @Nullable String hostId(SimNode node) {
        boolean unknown = world.planted() == Mutation.HOSTS_KNOWN_BY_ENDPOINT
                && !world.pool(node.datacenter()).kind().hasFixedAddresses();
        return unknown ? null : node.hostId();
    }

    private Map<String, Long> hints(SimNode self) {
        return world.planted() == Mutation.HINTS_IGNORED
                ? Map.of()
                : hinted.keySet().stream()
                        .filter(n -> isLate(hinted, self, n))
                        .collect(Collectors.toMap(SimNode::hostId, n -> MANY_BYTES));
    }

    /** The other node at its endpoint; for a while also at its former one, which is dead. */
    private void addSeen(List<RingView.PeerSeen> peers, SimNode self, SimNode other) {
        if (self == other) {
            peers.add(seenAt(Objects.requireNonNull(self.endpoint(), "it runs"), true, self));
            return;
        }
        Acquaintances.Sight sight = self.acquaintances().of(other).orElse(null);
        if (sight != null) {
            sight.formerAt(world.nowMillis()).ifPresent(endpoint -> peers.add(seenAt(endpoint, false, other)));
            boolean alive = sight.endpoint().equals(other.endpoint()) && seesAlive(self, other);
            peers.add(seenAt(sight.endpoint(), alive, other));
        }
    }

    /** Whether the node sees a member down at the only endpoint that it knows of it. */
    boolean seesDown(SimNode self) {
        List<RingView.PeerSeen> members = seenBy(self).members();
        return members.stream()
                .filter(p -> !p.alive() && !p.isGone() && !p.status().equals("BOOT"))
                .anyMatch(p -> members.stream().noneMatch(o -> o.alive() && Objects.equals(o.hostId(), p.hostId())));
    }

    private RingView.PeerSeen seenAt(String endpoint, boolean alive, SimNode node) {
        return new RingView.PeerSeen(
                endpoint, hostId(node), node.datacenter().value(), "rack", status(node), alive, schema(node));
    }

    private static String status(SimNode node) {
        if (node.left()) {
            return "LEFT";
        }
        return node.leaving() ? "LEAVING" : node.joined() ? "NORMAL" : "BOOT";
    }

    boolean seesAlive(SimNode self, SimNode other) {
        if (world.planted() == Mutation.GOSSIP_IGNORED
                && !world.removedNodes().deadMembers(self.cluster()).contains(other)) {
            return true;
        }
        if (isLate(unseen, self, other)) {
            return false;
        }
        long now = world.nowMillis();
        SimDaemon daemon = other.daemon();
        boolean alive = daemon.gossips()
                ? now - daemon.modeChangedMillis() >= NOTICE_START_MILLIS
                : daemon.outage() == SimDaemon.Outage.FAULT && now - daemon.outageMillis() < NOTICE_CRASH_MILLIS;
        return alive && world.isConnected(self, other);
    }

    private String schema(SimNode node) {
        boolean differs = world.planted() != Mutation.SCHEMA_IGNORED
                && schemaDisagreements.getOrDefault(node.cluster(), NEVER).holds(world.nowMillis());
        return differs && isOdd(node) ? "schema-0" : AGREED;
    }

    /** Whether it is the node of its datacenter whose schema version differs, while versions differ. */
    private static boolean isOdd(SimNode node) {
        return node.id().index() == 0;
    }

    /** Whether the node has been NORMAL for this long: before that no server knows its schema version. */
    private boolean hasReportedFor(long millis, SimNode node) {
        return isOdd(node)
                && node.mode() == OperatingMode.NORMAL
                && world.nowMillis() - node.daemon().modeChangedMillis() > millis;
    }

    /**
     * Why Cassandra refuses a bootstrap: another node bootstraps or leaves, no peer serves, or the node to replace does
     * not exist or is alive.
     *
     * @param contact the member that answered the joining node; it knows the endpoints of the others
     */
    Optional<String> whyNoBootstrap(SimNode node, SimNode contact, @Nullable String replaces) {
        List<SimNode> dead = world.removedNodes().deadMembers(node.cluster());
        List<SimNode> others = world.nodesOf(node.cluster()).stream()
                .filter(n -> n != node && !n.isReleased() && world.isConnected(node, n))
                .toList();
        if (replaces != null) {
            Optional<SimNode> former = Stream.concat(others.stream(), dead.stream())
                    .filter(n -> n.isMember() && isKnownAt(contact, n, replaces))
                    .findFirst();
            if (former.isEmpty() || former.get().daemon().gossips()) {
                return Optional.of(replaces + (former.isEmpty() ? " does not exist in gossip" : " is alive"));
            }
        } else if (dead.stream().anyMatch(n -> isKnownAt(contact, n, node.endpoint()))) {
            return Optional.of("a node with this address already exists");
        }
        if (Stream.concat(others.stream(), dead.stream())
                .anyMatch(n -> n.daemon().joins() || (n.leaving() && n.isMember()))) {
            return Optional.of("other bootstrapping or leaving nodes detected");
        }
        return others.stream().anyMatch(n -> n.mode() == OperatingMode.NORMAL)
                ? Optional.empty()
                : Optional.of("unable to gossip with any peers");
    }

    private static boolean isKnownAt(SimNode contact, SimNode member, @Nullable String endpoint) {
        return contact == member
                ? Objects.equals(member.endpoint(), endpoint)
                : contact.acquaintances()
                        .of(member)
                        .filter(s -> s.endpoint().equals(endpoint))
                        .isPresent();
    }
}
