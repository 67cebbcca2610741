package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
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
        lost = false;
    }

    void acknowledged() {
        acknowledged = true;
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
