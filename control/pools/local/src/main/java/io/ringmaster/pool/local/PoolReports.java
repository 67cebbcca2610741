package io.ringmaster.pool.local;

import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.ports.FactSink;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The states of all allocations, and the facts about them: each has a higher revision than all before. */
final class PoolReports {
    private final List<Machine> machines;
    private final PoolCapabilities capabilities;
    private final Map<AllocationId, AllocationState> states = new TreeMap<>();
    private @Nullable FactSink facts;
    private long revision;

    PoolReports(List<Machine> machines, PoolCapabilities capabilities) {
        this.machines = machines;
        this.capabilities = capabilities;
    }

    /** Reports everything to the sink, and each change from now on. */
    synchronized void open(FactSink sink) {
        facts = sink;
        all();
    }

    /** Reports nothing from now on. */
    synchronized void close() {
        facts = null;
    }

    synchronized void all() {
        if (facts != null) {
            facts.accept(new Fact.PoolSeen(machines, List.copyOf(states.values()), capabilities, revision));
        }
    }

    /** The pool can carry out no command of this leader. */
    synchronized void unavailable(String reason) {
        if (facts != null) {
            facts.accept(new Fact.PoolUnavailable(reason));
        }
    }

    synchronized void changed(AllocationState state) {
        AllocationState next = state.withRevision(++revision);
        states.put(next.id(), next);
        if (facts != null) {
            facts.accept(new Fact.AllocationChanged(next));
        }
    }

    synchronized void gone(AllocationId id) {
        states.remove(id);
        long now = ++revision;
        if (facts != null) {
            facts.accept(new Fact.AllocationGone(id, now));
        }
    }

    synchronized Optional<AllocationState> state(AllocationId id) {
        return Optional.ofNullable(states.get(id));
    }

    /** The addresses of the other allocations on a machine. */
    synchronized Set<String> addressesBeside(AllocationId id, MachineName machine) {
        return states.values().stream()
                .filter(s -> s.allocation().machine().equals(machine) && !s.id().equals(id))
                .map(AllocationState::address)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }
}
