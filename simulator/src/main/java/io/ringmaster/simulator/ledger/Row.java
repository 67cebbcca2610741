package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.VirtualClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A row that the client wrote, and what the client knows of it. */
final class Row {
    final String keyspace;
    final long token;
    /** The last write: the row, or its deletion. */
    private Cell last;

    private @Nullable DatacenterName local;
    private boolean acknowledged;
    /** Replicas whose hint with the last write is lost: they may lack it. */
    private final Set<Replica> hintsLost = new HashSet<>();

    /** Replicas whose copy of the last write a fault destroyed with their volume. */
    private final Set<Replica> copiesLost = new HashSet<>();

    /** Replicas that streamed the range from one that lacked the last write: they lack it until they are repaired. */
    private final Set<Replica> streamedWithout = new HashSet<>();

    /** The replicas in each datacenter when the last write was acknowledged. */
    private Map<DatacenterName, Integer> replication = Map.of();

    private boolean lost;

    private final int number;
    private final List<String> events = new ArrayList<>();

    Row(int number, String keyspace, long token, Cell first) {
        this.number = number;
        this.keyspace = keyspace;
        this.token = token;
        this.last = first;
    }

    /** The client tries the write. */
    void writes(Cell cell, @Nullable DatacenterName atLocalQuorumOf) {
        last = cell;
        local = atLocalQuorumOf;
        acknowledged = false;
        hintsLost.clear();
        copiesLost.clear();
        streamedWithout.clear();
        lost = false;
    }

    /** @param replicas in each datacenter */
    void acknowledged(Map<DatacenterName, Integer> replicas) {
        acknowledged = true;
        replication = Map.copyOf(replicas);
    }

    /** Whether the consistency level of the last write needs as many replicas as then. */
    boolean hasReplicasAsWritten(Map<DatacenterName, Integer> now) {
        return local == null ? replication.equals(now) : Objects.equals(replication.get(local), now.get(local));
    }

    /** A replica has streamed the range from any other one. */
    void streamed(Replica from, Replica to) {
        if (acknowledged && !from.has(this, last)) {
            streamedWithout.add(to);
        }
    }

    boolean wasStreamedWithout(Replica replica) {
        return streamedWithout.contains(replica);
    }

    boolean isAcknowledged() {
        return acknowledged;
    }

    Cell last() {
        return last;
    }

    /** The datacenter whose LOCAL_QUORUM acknowledged the last write; null for QUORUM. */
    @Nullable
    DatacenterName local() {
        return local;
    }

    void hintLost(Hint hint) {
        if (hint.cell().equals(last)) {
            hintsLost.add(hint.target());
        }
    }

    /** The replicas count as equal: whichever hint was lost, they have the last write if it is older than this. */
    void repaired(List<Replica> replicas, Instant since, VirtualClock clock) {
        if (clock.at(last.writtenMillis()).isBefore(since)) {
            replicas.forEach(hintsLost::remove);
        }
    }

    boolean isHintLostFor(Replica replica) {
        return hintsLost.contains(replica);
    }

    void copyLost(Replica replica) {
        copiesLost.add(replica);
    }

    Set<Replica> copiesLost() {
        return copiesLost;
    }

    /** Faults destroyed more copies at a time than replication covers. */
    void lost() {
        lost = true;
    }

    boolean isLost() {
        return lost;
    }

    /** For the message of a broken invariant. */
    void note(long nowMillis, String event) {
        events.add(String.format(Locale.ROOT, "%.3f %s", nowMillis / 1000.0, event));
    }

    @Override
    public String toString() {
        return keyspace + " row " + number + " (token " + token + ") " + events;
    }
}
