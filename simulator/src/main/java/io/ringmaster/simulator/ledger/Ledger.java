package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The rows of one cluster: what its client wrote, which replicas have it, and how it moves between them. */
public final class Ledger {
    private static final int RESTORED_ROWS = 20;
    /** One row in this number is on one replica less than it should: backups of nodes are not of one instant. */
    private static final int INCOMPLETE_ROWS = 4;

    private final VirtualClock clock;
    private final Supplier<Map<String, Map<DatacenterName, Integer>>> keyspaces;
    private final List<Row> rows = new ArrayList<>();
    private final Client client;
    private final Streams streams;
    private final Audit audit;

    /**
     * @param losesHints how many of the hints for nodes of its own datacenter a coordinator loses at once
     * @param keyspaces the number of replicas in each datacenter, by keyspace
     */
    public Ledger(
            SeededRandom random,
            double losesHints,
            VirtualClock clock,
            Supplier<Map<String, Map<DatacenterName, Integer>>> keyspaces) {
        this.clock = clock;
        this.keyspaces = keyspaces;
        this.client = new Client(random, losesHints, rows);
        this.streams = new Streams(random, clock, rows, this::replication);
        this.audit = new Audit(this::replication);
    }

    private Map<DatacenterName, Integer> replication(Row row) {
        return keyspaces.get().getOrDefault(row.keyspace, Map.of());
    }

    /**
     * The rows of a backup: each is on the replicas that it had there.
     *
     * @param heirs the replica that imported the rows, by the one of the backup; in the order of the backup
     */
    public void restored(Map<Replica, Replica> heirs) {
        if (heirs.isEmpty()) {
            return;
        }
        TokenRing former = new TokenRing(heirs.keySet());
        for (String keyspace : keyspaces.get().keySet()) {
            for (int number = 1; number <= RESTORED_ROWS; number++) {
                Cell cell = new Cell(false, clock.nowMillis());
                Row row = new Row(-number, keyspace, number * Client.STRIDE, cell);
                List<Replica> owners = former.replicas(row.token, replication(row));
                row.writes(cell, null);
                row.acknowledged(replication(row));
                row.note(clock.nowMillis(), "restored from " + owners);
                rows.add(row);
                owners.stream()
                        .skip(number % INCOMPLETE_ROWS == 0 ? 1 : 0)
                        .forEach(owner -> heirs.getOrDefault(owner, owner).apply(row, cell));
            }
        }
    }

    /** The client writes a row, or deletes one. */
    public void write(RingState ring) {
        client.act(ring, keyspaces.get(), clock.nowMillis());
    }

    /**
     * Coordinators deliver the hints for members that are up, and drop those for nodes that have left the ring.
     *
     * @param late whether the first one does not deliver to the second one yet
     */
    public void deliverHints(RingState ring, BiPredicate<Replica, Replica> late) {
        for (Replica keeper : ring.coordinators()) {
            keeper.hints()
                    .removeAll(List.copyOf(keeper.hints()).stream()
                            .filter(h -> isOver(h, keeper, ring, late))
                            .toList());
        }
    }

    /** Whether the hint is delivered or dropped. */
    private boolean isOver(Hint hint, Replica keeper, RingState ring, BiPredicate<Replica, Replica> late) {
        boolean arrives = ring.takesWrites(hint.target())
                && ring.isConnected(keeper, hint.target())
                && !late.test(keeper, hint.target());
        boolean drops = !arrives && !ring.isKnown(hint.target());
        if (arrives) {
            arrived(hint, keeper, ring);
        } else if (drops) {
            // it is for a host id, which nobody takes over
            hint.row().note(clock.nowMillis(), keeper + " drops its hint for " + hint.target());
        }
        return arrives || drops;
    }

    /** A node that is no replica of the row any more re-addresses the hint to all replicas, as in CASSANDRA-5902. */
    private void arrived(Hint hint, Replica keeper, RingState ring) {
        Replica target = hint.target();
        Row row = hint.row();
        Map<DatacenterName, Integer> replication = keyspaces.get().getOrDefault(row.keyspace, Map.of());
        List<Replica> owners = ring.current().replicas(row.token, replication);
        row.note(clock.nowMillis(), keeper + " delivers its hint to " + target);
        if (owners.contains(target)
                || ring.future().replicas(row.token, replication).contains(target)) {
            target.apply(row, hint.cell());
        } else {
            owners.stream().filter(o -> o != keeper).forEach(o -> target.hints().add(new Hint(o, row, hint.cell())));
        }
    }

    /** The newcomer is not a member of the ring yet. */
    public void bootstraps(Replica newcomer, Share share, RingState ring) {
        streams.bootstrap(newcomer, share, ring);
    }

    /** As {@link #bootstraps}, but only if each source is up; otherwise returns false and streams nothing. */
    public boolean receives(Replica newcomer, Share share, RingState ring) {
        return streams.receive(newcomer, share, ring);
    }

    /** The leaving node streams to the new owners of its ranges, and is still a member of the ring. */
    public void handedOver(Replica leaving, Share share, RingState ring) {
        streams.handOver(leaving, share, ring);
    }

    /** The node has handed over its ranges, and is still a member of the ring. */
    public void decommissioned(Replica leaving, RingState ring) {
        Streams.handOverHints(leaving, ring);
    }

    /** The dead node is still a member of the ring. */
    public void removed(Replica dead, RingState ring) {
        streams.remove(dead, ring);
        hintsLost(dead, "was removed from the ring");
    }

    /** Another node has the ranges of the former one, dead or evacuated, whose volume no node uses any more. */
    public void replaced(Replica former) {
        hintsLost(former, "was replaced");
    }

    /** @param args of the task */
    public void rebuilt(Replica node, DatacenterName from, Map<String, String> args, Share share, RingState ring) {
        streams.rebuild(node, from, named(args).and(share::has), ring);
    }

    /** As below, by a node that keeps no records of repairs. */
    public boolean repaired(Replica node, Map<String, String> args, Share share, RingState ring) {
        return repaired(node, args, share, ring, null);
    }

    /**
     * @param args of the task
     * @param times null if the node keeps no records of repairs, and repairs everything again
     * @return whether every range is repaired; one with a replica that is down or cut off is not
     */
    public boolean repaired(
            Replica node, Map<String, String> args, Share share, RingState ring, @Nullable RepairTimes times) {
        boolean within = Boolean.parseBoolean(args.get("within_dc"));
        boolean replicaRanges = Boolean.parseBoolean(args.get("replica_ranges"));
        return streams.repair(
                node,
                replicaRanges,
                within ? node.datacenter() : null,
                named(args).and(share::has),
                ring,
                times);
    }

    /**
     * Whether every replica in the other datacenters has each partition that the node has of its ranges. What is older
     * there, or deleted here, is not noticed.
     */
    public boolean isElsewhereToo(Replica leaving, RingState ring) {
        return rows.stream()
                .filter(row -> leaving.cell(row).filter(c -> !c.deleted()).isPresent())
                .map(row -> Map.entry(row, ring.current().replicas(row.token, replication(row))))
                .filter(entry -> entry.getValue().contains(leaving))
                .allMatch(entry -> isElsewhereToo(entry.getKey(), leaving.datacenter(), entry.getValue()));
    }

    private static boolean isElsewhereToo(Row row, DatacenterName here, List<Replica> owners) {
        List<Replica> elsewhere =
                owners.stream().filter(o -> !o.datacenter().equals(here)).toList();
        return !elsewhere.isEmpty()
                && elsewhere.stream().allMatch(o -> o.cell(row).isPresent());
    }

    /** @param args of the task */
    public void cleanedUp(Replica node, Map<String, String> args, Share share, RingState ring) {
        streams.cleanUp(node, named(args).and(share::has), ring.current());
        if (share.isAll()) {
            node.compact(clock.nowMillis());
        }
    }

    public void compacted(Replica node) {
        node.compact(clock.nowMillis());
    }

    public void dropped(String keyspace, RingState ring) {
        ring.members().forEach(m -> m.drop(r -> r.keyspace.equals(keyspace)));
        rows.removeIf(r -> r.keyspace.equals(keyspace));
    }

    /**
     * Whether each acknowledged write is on a volume without these, of a replica that its consistency level counts: one
     * copy is enough, because a ring change that was not clean ends with a repair.
     */
    public boolean survives(List<Replica> lost, RingState ring) {
        return rows.stream()
                .filter(Row::isAcknowledged)
                .allMatch(row -> ring.current().replicas(row.token, replication(row)).stream()
                        .anyMatch(r -> counts(row, r) && !lost.contains(r) && r.has(row, row.last())));
    }

    /** The datacenter whose LOCAL_QUORUM acknowledged the last write, if it still has replicas; null for QUORUM. */
    private @Nullable DatacenterName local(Row row) {
        return row.local() != null && replication(row).containsKey(row.local()) ? row.local() : null;
    }

    /** Whether the replica is one of the consistency level that acknowledged the last write. */
    private boolean counts(Row row, Replica replica) {
        DatacenterName local = local(row);
        return local == null || replica.datacenter().equals(local);
    }

    /** A fault destroys the volume of a member. */
    public void volumeLost(Replica replica, RingState ring) {
        hintsLost(replica, "lost its volume");
        List<Row> held = rows.stream().filter(r -> replica.has(r, r.last())).toList();
        replica.destroy();
        for (Row row : held) {
            row.note(clock.nowMillis(), "volume of " + replica + " lost");
            row.copyLost(replica);
            if (!Audit.isAnywhere(row, ring) && missing(row, ring) >= Client.quorum(replication(row), local(row))) {
                row.lost();
            }
        }
    }

    private void hintsLost(Replica keeper, String why) {
        for (Hint hint : keeper.hints()) {
            hint.row().hintLost(hint);
            hint.row().note(clock.nowMillis(), keeper + " " + why + " with its hint for " + hint.target());
        }
        keeper.hints().clear();
    }

    /**
     * The destroyed copies, of those that the consistency level counts, whose places in the ring nobody has taken over.
     * A replacement counts as complete.
     */
    private long missing(Row row, RingState ring) {
        return ring.members().stream()
                .filter(m -> counts(row, m) && row.copiesLost().contains(m))
                .count();
    }

    /** Checks all rows when every member serves, after the last hints. */
    public Audit.Result check(RingState ring) {
        deliverHints(ring, (keeper, target) -> false);
        return audit.check(rows, ring);
    }

    /** A row that is on no volume any more, although no fault destroyed its last copy. */
    public Optional<String> vanished(RingState ring) {
        return audit.vanished(rows, ring);
    }

    /** An acknowledged write that a client may miss now at the level that acknowledged it. */
    public Optional<String> misread(RingState ring) {
        return audit.misread(rows, ring);
    }

    List<Row> rows() {
        return rows;
    }

    private static Predicate<Row> named(Map<String, String> args) {
        String keyspaces = args.getOrDefault("keyspaces", "");
        return row -> keyspaces.isEmpty() || Arrays.asList(keyspaces.split(",")).contains(row.keyspace);
    }
}
