package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Moves rows between replicas. Only {@link #receive} asks whether the sources are up. */
final class Streams {
    private final SeededRandom random;
    private final VirtualClock clock;
    private final List<Row> rows;
    private final Function<Row, Map<DatacenterName, Integer>> replication;

    Streams(
            SeededRandom random,
            VirtualClock clock,
            List<Row> rows,
            Function<Row, Map<DatacenterName, Integer>> replication) {
        this.random = random;
        this.clock = clock;
        this.rows = rows;
        this.replication = replication;
    }

    /**
     * The newcomer takes ranges. With consistent range movement, each comes from the replica that loses it; the ranges
     * of a node with the same tokens, which it replaces, come from any other replica.
     */
    void bootstrap(Replica newcomer, Share share, RingState ring) {
        sources(newcomer, share, ring).forEach((row, source) -> source.ifPresent(s -> stream(row, s, newcomer)));
    }

    /** As above, if all sources are up; otherwise returns false. */
    boolean receive(Replica newcomer, Share share, RingState ring) {
        Map<Row, Optional<Source>> sources = sources(newcomer, share, ring);
        boolean live = sources.values().stream()
                .allMatch(s -> s.filter(up -> ring.isUp(up.replica) && ring.isConnected(up.replica, newcomer))
                        .isPresent());
        if (live) {
            sources.forEach((row, source) -> source.ifPresent(s -> stream(row, s, newcomer)));
        }
        return live;
    }

    /** @param loses whether the newcomer takes its place, so that no quorum has a copy less */
    private record Source(Replica replica, boolean loses) {}

    private Map<Row, Optional<Source>> sources(Replica newcomer, Share share, RingState ring) {
        TokenRing after = ring.with(newcomer);
        Map<List<Replica>, Optional<Replica>> chosen = new HashMap<>();
        Map<Row, Optional<Source>> sources = new LinkedHashMap<>();
        for (Row row : rows.stream().filter(share::has).toList()) {
            Map<DatacenterName, Integer> replicas = replication.apply(row);
            List<Replica> owners = ring.current().replicas(row.token, replicas);
            List<Replica> next = after.replicas(row.token, replicas);
            if (next.contains(newcomer) && !owners.contains(newcomer)) {
                Optional<Source> source = loser(owners, next, replicas)
                        .filter(l -> !l.tokens().equals(newcomer.tokens()) && ring.mayReturn(l))
                        .map(l -> new Source(l, true))
                        .or(() -> chosen.computeIfAbsent(owners, o -> anyOf(o, newcomer, ring))
                                .map(any -> new Source(any, false)));
                sources.put(row, source);
            }
        }
        return sources;
    }

    private void stream(Row row, Source from, Replica to) {
        stream(row, from.replica, to);
        if (!from.loses) {
            row.streamed(from.replica, to);
        }
    }

    /** The only replica that loses the range, if the range has all its replicas. */
    private static Optional<Replica> loser(
            List<Replica> owners, List<Replica> next, Map<DatacenterName, Integer> replicas) {
        int wanted = replicas.values().stream().mapToInt(Integer::intValue).sum();
        List<Replica> losers = new ArrayList<>(owners);
        losers.removeAll(next);
        return owners.size() == wanted && losers.size() == 1 ? Optional.of(losers.get(0)) : Optional.empty();
    }

    /** The leaving node streams what it holds to the new owners of its ranges. */
    void handOver(Replica leaving, Share share, RingState ring) {
        handOver(leaving, share, ring, (row, owners, gaining) -> gaining.forEach(n -> stream(row, leaving, n)));
    }

    /** The leaving node streams its hints to another member. */
    static void handOverHints(Replica leaving, RingState ring) {
        ring.coordinators().stream().filter(r -> r != leaving).findFirst().ifPresent(heir -> {
            heir.hints().addAll(leaving.hints());
            leaving.hints().clear();
        });
    }

    /** The new owners of the removed member's ranges stream from the remaining replicas. */
    void remove(Replica removed, RingState ring) {
        Map<List<Replica>, Optional<Replica>> chosen = new HashMap<>();
        handOver(
                removed,
                Share.ALL,
                ring,
                (row, owners, gaining) -> gaining.forEach(n -> chosen.computeIfAbsent(owners, o -> anyOf(o, n, ring))
                        .ifPresent(source -> stream(row, new Source(source, false), n))));
    }

    /** Visits each row of the leaving node with its owners before, and those that gain it. */
    private void handOver(Replica leaving, Share share, RingState ring, HandOver visit) {
        TokenRing after = ring.without(leaving);
        for (Row row : rows.stream().filter(share::has).toList()) {
            Map<DatacenterName, Integer> replicas = replication.apply(row);
            List<Replica> owners = ring.current().replicas(row.token, replicas);
            if (owners.contains(leaving)) {
                List<Replica> gaining = new ArrayList<>(after.replicas(row.token, replicas));
                gaining.removeAll(owners);
                visit.row(row, owners, gaining);
            }
        }
    }

    private interface HandOver {
        void row(Row row, List<Replica> owners, List<Replica> gaining);
    }

    void rebuild(Replica node, DatacenterName from, Predicate<Row> which, RingState ring) {
        Map<List<Replica>, Optional<Replica>> chosen = new HashMap<>();
        for (Row row : rows) {
            List<Replica> owners = ring.current().replicas(row.token, replication.apply(row));
            List<Replica> there =
                    owners.stream().filter(r -> r.datacenter().equals(from)).toList();
            if (which.test(row) && owners.contains(node)) {
                chosen.computeIfAbsent(there, o -> anyOf(o, node, ring))
                        .ifPresent(source -> stream(row, new Source(source, false), node));
            }
        }
    }

    /**
     * Makes the replicas of each repaired range equal. A range with a replica that is down is not repaired.
     *
     * @param replicaRanges all ranges that the node has, not only its primary ones
     * @param within the only datacenter that takes part, or null
     * @param times null if the node keeps no records of repairs
     * @return whether every range is repaired
     */
    boolean repair(
            Replica node,
            boolean replicaRanges,
            @Nullable DatacenterName within,
            Predicate<Row> which,
            RingState ring,
            @Nullable RepairTimes times) {
        boolean complete = true;
        Instant begun = times == null ? clock.now() : node.repairs().begun(times.request(), clock.now());
        for (Row row : rows) {
            Map<DatacenterName, Integer> replicas = new HashMap<>(replication.apply(row));
            replicas.keySet().removeIf(d -> within != null && !d.equals(within));
            List<Replica> owners = ring.current().replicas(row.token, replicas);
            boolean selected = replicaRanges ? owners.contains(node) : !owners.isEmpty() && owners.get(0) == node;
            if (selected && which.test(row)) {
                boolean left = times != null && node.repairs().isRepaired(row, owners, times);
                if (!left && !owners.stream().allMatch(r -> ring.isUp(r) && ring.isConnected(node, r))) {
                    complete = false;
                    continue;
                }
                if (!left) {
                    owners.forEach(one -> owners.forEach(other -> stream(row, one, other)));
                }
                if (!left && times != null) {
                    node.repairs().add(row, owners, times);
                }
                // what is left out for its age alone may lack what was written since
                if (times != null && within == null && (!left || times.leavesOutForRequestAlone())) {
                    row.repaired(owners, begun, clock);
                }
            }
        }
        return complete;
    }

    /** Drops the rows of ranges that the node does not own. */
    void cleanUp(Replica node, Predicate<Row> which, TokenRing ring) {
        for (Row row : rows) {
            if (which.test(row)
                    && node.cell(row).isPresent()
                    && !ring.replicas(row.token, replication.apply(row)).contains(node)) {
                node.remove(row);
                row.note(clock.nowMillis(), "cleaned up on " + node);
            }
        }
    }

    /** A live replica, of the same datacenter if there is one. */
    private Optional<Replica> anyOf(List<Replica> owners, Replica to, RingState ring) {
        List<Replica> live = owners.stream()
                .filter(r -> r != to && ring.isUp(r) && ring.isConnected(r, to))
                .toList();
        List<Replica> near = live.stream()
                .filter(r -> r.datacenter().equals(to.datacenter()))
                .toList();
        return random.any(near.isEmpty() ? live : near);
    }

    private void stream(Row row, Replica from, Replica to) {
        if (from == to) {
            return;
        }
        Optional<Cell> cell = from.cell(row);
        if (cell.isEmpty()) {
            if (to.cell(row).isEmpty()) {
                row.note(clock.nowMillis(), to + " streams from " + from + ", which lacks it");
            }
        } else if (!to.has(row, cell.get())) {
            to.apply(row, cell.get());
            row.note(clock.nowMillis(), to + " streams it from " + from);
        }
    }
}
