package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.SeededRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client of the cluster, with the coordinators that it uses: writes rows and deletes some. */
final class Client {
    private static final int MAX_ROWS = 60;
    private static final double DELETES = 0.2;
    /** Spreads the tokens of any number of rows evenly over the ring: 2^64 divided by the golden ratio. */
    static final long STRIDE = 0x9E3779B97F4A7C15L;

    private final SeededRandom random;
    private final double losesHints;
    private final List<Row> rows;
    private final long firstToken;
    private int written;

    /** @param losesHints how many of the hints for nodes of its own datacenter a coordinator loses at once */
    Client(SeededRandom random, double losesHints, List<Row> rows) {
        this.random = random;
        this.losesHints = losesHints;
        this.rows = rows;
        this.firstToken = random.nextSeed();
    }

    /** Writes a row, or deletes one. */
    void act(RingState ring, Map<String, Map<DatacenterName, Integer>> keyspaces, long nowMillis) {
        List<Row> deletable = rows.stream()
                .filter(r -> r.isAcknowledged() && !r.last().deleted())
                .toList();
        if (!deletable.isEmpty() && random.chance(DELETES)) {
            Row row = random.pick(deletable);
            write(row, new Cell(true, nowMillis), ring, keyspaces.getOrDefault(row.keyspace, Map.of()));
        } else if (written < MAX_ROWS && !keyspaces.isEmpty()) {
            String keyspace = random.pick(List.copyOf(keyspaces.keySet()));
            Cell cell = new Cell(false, nowMillis);
            Row row = new Row(++written, keyspace, firstToken + written * STRIDE, cell);
            rows.add(row);
            write(row, cell, ring, keyspaces.getOrDefault(keyspace, Map.of()));
        }
    }

    /** The coordinator sends the write to all replicas, and waits for those of the consistency level. */
    private void write(Row row, Cell cell, RingState ring, Map<DatacenterName, Integer> replication) {
        boolean localQuorum = random.chance(0.5);
        List<Replica> coordinators = ring.coordinators().stream()
                .filter(c -> replication.containsKey(c.datacenter()))
                .toList();
        if (coordinators.isEmpty()) {
            return;
        }
        Replica coordinator = random.pick(coordinators);
        DatacenterName local = localQuorum ? coordinator.datacenter() : null;
        row.writes(cell, local);
        List<Replica> owners = ring.current().replicas(row.token, replication);
        List<Replica> pending = new ArrayList<>(ring.future().replicas(row.token, replication));
        pending.removeAll(owners);
        List<Replica> missed = new ArrayList<>();
        int answers = 0;
        for (Replica replica : concat(owners, pending)) {
            if (ring.takesWrites(replica) && ring.isConnected(coordinator, replica)) {
                replica.apply(row, cell);
                answers += counts(replica, local);
            } else {
                missed.add(replica);
                keepHint(coordinator, new Hint(replica, row, cell), ring);
            }
        }
        // Cassandra waits for the pending replicas of the consistency level in addition.
        int needed = quorum(replication, local)
                + pending.stream().mapToInt(r -> counts(r, local)).sum();
        if (answers >= needed) {
            row.acknowledged(replication);
        }
        row.note(
                cell.writtenMillis(),
                (cell.deleted() ? "deleted" : "written") + " by " + coordinator + " at "
                        + (local == null ? "QUORUM" : "LOCAL_QUORUM") + (row.isAcknowledged() ? ", " : " in vain, ")
                        + "replicas " + owners + (pending.isEmpty() ? "" : " pending " + pending)
                        + (missed.isEmpty() ? "" : " hints for " + missed));
    }

    private void keepHint(Replica coordinator, Hint hint, RingState ring) {
        boolean near = coordinator.datacenter().equals(hint.target().datacenter());
        if (ring.takesHints(hint.target()) && !(near && random.chance(losesHints))) {
            coordinator.hints().add(hint);
        } else {
            hint.row().hintLost(hint);
        }
    }

    private static List<Replica> concat(List<Replica> owners, List<Replica> pending) {
        List<Replica> all = new ArrayList<>(owners);
        all.addAll(pending);
        return all;
    }

    private static int counts(Replica replica, @Nullable DatacenterName local) {
        return local == null || replica.datacenter().equals(local) ? 1 : 0;
    }

    /** @param local the datacenter of a LOCAL_QUORUM; null for QUORUM */
    static int quorum(Map<DatacenterName, Integer> replication, @Nullable DatacenterName local) {
        int replicas = new TreeMap<>(replication)
                .entrySet().stream()
                        .filter(e -> local == null || e.getKey().equals(local))
                        .mapToInt(Map.Entry::getValue)
                        .sum();
        return replicas / 2 + 1;
    }
}
