package io.ringmaster.simulator.ledger;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a node remembers of the repairs that it coordinated, on its volume: when a row was repaired last, and between
 * which replicas. It counts only for a range that has no other replicas meanwhile.
 */
final class RepairRecords {
    private final Map<Key, Instant> times = new HashMap<>();

    private record Key(Row row, Set<Replica> replicas) {}

    void add(Row row, Collection<Replica> replicas, Instant at) {
        times.put(new Key(row, Set.copyOf(replicas)), at);
    }

    /** Whether a repair between these replicas need not repair the row. */
    boolean isRepaired(Row row, Collection<Replica> replicas, RepairTimes times) {
        Instant at = this.times.get(new Key(row, Set.copyOf(replicas)));
        return at != null && times.proves(at);
    }
}
