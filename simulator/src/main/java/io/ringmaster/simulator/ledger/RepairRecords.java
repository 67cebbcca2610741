package io.ringmaster.simulator.ledger;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What a node remembers of the repairs that it coordinated, on its volume: when a row was repaired last, for which
 * request, and between which replicas. It counts only for a range that has no other replicas meanwhile.
 */
final class RepairRecords {
    private final Map<Key, Repaired> repaired = new HashMap<>();

    /** The right time, which no node knows, at which it first worked for each request. */
    private final Map<String, Instant> begun = new HashMap<>();

    private record Key(Row row, Set<Replica> replicas) {}

    /** @param at by a clock that may be wrong */
    record Repaired(Instant at, String request) {}

    void add(Row row, Collection<Replica> replicas, RepairTimes times) {
        repaired.put(new Key(row, Set.copyOf(replicas)), new Repaired(times.countsSince(), times.request()));
    }

    /** Whether a repair between these replicas need not repair the row. */
    boolean isRepaired(Row row, Collection<Replica> replicas, RepairTimes times) {
        Repaired last = repaired.get(new Key(row, Set.copyOf(replicas)));
        return last != null && times.leavesOut(last);
    }

    /** When the node began to repair for the request, by the right time. */
    Instant begun(String request, Instant now) {
        return begun.computeIfAbsent(request, r -> now);
    }
}
