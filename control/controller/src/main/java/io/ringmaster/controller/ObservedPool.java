package io.ringmaster.controller;

import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.MachineName;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashTreePMap;
import org.pcollections.HashTreePSet;
import org.pcollections.PMap;
import org.pcollections.PSet;
import org.pcollections.PSortedMap;
import org.pcollections.TreePMap;

/**
 * The newest reports of the pool. They may arrive late, twice and out of order; their revisions say which one is newer.
 */
final class ObservedPool {
    private static final long NO_REVISION = Long.MIN_VALUE;

    private boolean seen;
    private @Nullable String problem;
    /** Of the last whole report: what is older is in it. */
    private long wholeRevision = NO_REVISION;

    private PoolCapabilities capabilities = PoolCapabilities.OF_MACHINES;
    private Map<ClusterName, Problem> warnings = Map.of();
    private Things<MachineName, Machine> machines = Things.none();
    private Things<AllocationId, AllocationState> allocations = Things.none();
    /** Those that the pool said are gone: absence from a whole report may have another cause. */
    private PSet<AllocationId> gone = HashTreePSet.empty();

    /** Things of one kind, and the revisions of those that were reported one by one since the last whole report. */
    private record Things<K extends Comparable<? super K>, V>(PSortedMap<K, V> known, PMap<K, Long> revisions) {
        static <K extends Comparable<? super K>, V> Things<K, V> none() {
            return new Things<>(TreePMap.<K, V>empty(), HashTreePMap.<K, Long>empty());
        }

        /** @param value null if the thing is gone */
        Things<K, V> with(K key, @Nullable V value, long revision, long wholeRevision) {
            if (revision <= Math.max(wholeRevision, revisions.getOrDefault(key, NO_REVISION))) {
                return this;
            }
            return new Things<>(
                    value == null ? known.minus(key) : known.plus(key, value), revisions.plus(key, revision));
        }

        /** What a whole report says, except for things about which a later report is known. */
        Things<K, V> replacedBy(List<V> all, Function<V, K> keyOf, long revision) {
            PSortedMap<K, V> merged = all.stream().collect(TreePMap.toTreePMap(keyOf, v -> v));
            PMap<K, Long> later = revisions;
            for (var reported : revisions.entrySet()) {
                K key = reported.getKey();
                V value = known.get(key);
                if (reported.getValue() <= revision) {
                    later = later.minus(key);
                } else {
                    merged = value == null ? merged.minus(key) : merged.plus(key, value);
                }
            }
            return new Things<>(merged, later);
        }

        Things<K, V> withoutRevisions() {
            return new Things<>(known, HashTreePMap.empty());
        }
    }

    void clear() {
        lost(null);
        machines = Things.none();
        allocations = Things.none();
    }

    /** The next pool may count its revisions from the start. What was known stays, for people. */
    void lost(@Nullable String reason) {
        seen = false;
        problem = reason;
        warnings = Map.of();
        wholeRevision = NO_REVISION;
        machines = machines.withoutRevisions();
        allocations = allocations.withoutRevisions();
        gone = HashTreePSet.empty();
    }

    void take(Fact.PoolSeen whole) {
        if (whole.revision() < wholeRevision) {
            return;
        }
        seen = true;
        problem = null;
        wholeRevision = whole.revision();
        capabilities = whole.capabilities();
        warnings = whole.warnings();
        machines = machines.replacedBy(whole.machines(), Machine::name, wholeRevision);
        allocations = allocations.replacedBy(whole.allocations(), AllocationState::id, wholeRevision);
        gone = gone.minusAll(allocations.known().keySet());
    }

    void take(Fact.MachineChanged changed) {
        machines = machines.with(changed.machine().name(), changed.machine(), changed.revision(), wholeRevision);
    }

    void take(Fact.AllocationChanged changed) {
        AllocationState state = changed.state();
        allocations = allocations.with(state.id(), state, state.revision(), wholeRevision);
        gone = allocations.known().containsKey(state.id()) ? gone.minus(state.id()) : gone;
    }

    void take(Fact.AllocationGone fact) {
        AllocationId id = fact.allocation();
        allocations = allocations.with(id, null, fact.revision(), wholeRevision);
        gone = allocations.known().containsKey(id) ? gone : gone.plus(id);
    }

    PSortedMap<MachineName, Machine> machines() {
        return machines.known();
    }

    /** Everything but the machines, which the owner shows with their cordons. */
    ViewBuilder addTo(ViewBuilder view) {
        return view.poolSeen(seen)
                .poolProblem(problem)
                .poolWarnings(warnings)
                .capabilities(capabilities)
                .allocations(allocations.known())
                .allocationsGone(gone);
    }
}
