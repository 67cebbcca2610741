package io.ringmaster.simulator.ledger;

import io.ringmaster.model.name.DatacenterName;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A row that the client wrote, and what the client knows of it. */
final class Row {
    final String keyspace;
    final long token;
    /** The last write: the row, or its deletion. */
    private Cell last;

    private @Nullable DatacenterName local;
    private boolean acknowledged;
    /** A hint of the last write is lost, so that only the replicas that acknowledged it must have it. */
    private boolean hintLost;

    /** Copies of the last write that faults destroyed with their volumes. */
    private int copiesLost;

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
        hintLost = false;
        copiesLost = 0;
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

    void hintLost(Cell cell) {
        hintLost |= cell.equals(last);
    }

    boolean isHintLost() {
        return hintLost;
    }

    void copyLost() {
        copiesLost++;
    }

    int copiesLost() {
        return copiesLost;
    }

    /** Faults destroyed more copies than replication covers. */
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
