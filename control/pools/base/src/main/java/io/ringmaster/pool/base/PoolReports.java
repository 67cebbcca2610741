package io.ringmaster.pool.base;

import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.AllocationStateBuilder;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.ports.FactSink;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The machines and the states of all allocations, and the facts about them: each has a higher revision than all before.
 * Nothing is reported before {@link #open}. Safe for concurrent use; facts are handed over in the order of their
 * revisions, so the sink must not block.
 */
public final class PoolReports {
    /** What an allocation holds that is not reserved. */
    public static final NodeResources NOTHING = new NodeResources(0, 0, 0, 0);

    private final PoolCapabilities capabilities;
    /** In the order in which they became known. */
    private final Map<MachineName, Machine> machines = new LinkedHashMap<>();

    private final Map<AllocationId, AllocationState> states = new TreeMap<>();
    private Map<ClusterName, Problem> warnings = Map.of();
    private @Nullable FactSink facts;
    private long revision;

    public PoolReports(PoolCapabilities capabilities) {
        this.capabilities = capabilities;
    }

    /** Reports everything to the sink, and each change from now on. */
    public synchronized void open(FactSink sink) {
        facts = sink;
        all();
    }

    /** Reports nothing from now on. */
    public synchronized void close() {
        facts = null;
    }

    /** Reports everything; a pool does so from time to time, so that a lost fact is corrected. */
    public synchronized void all() {
        report(new Fact.PoolSeen(machines(), states(), capabilities, revision, warnings));
    }

    /** What the pool cannot do for clusters that run, from the next report of everything until the next call. */
    public synchronized void warn(Map<ClusterName, Problem> problems) {
        warnings = Map.copyOf(problems);
    }

    /** The pool can carry out no command of this leader, until everything is reported again. */
    public synchronized void unavailable(String reason) {
        report(new Fact.PoolUnavailable(reason));
    }

    /** A machine is new, or may have changed; one that is the same as before is not reported. */
    public synchronized void machineChanged(Machine machine) {
        if (!machine.equals(machines.put(machine.name(), machine))) {
            report(new Fact.MachineChanged(machine, ++revision));
        }
    }

    /**
     * A machine does not exist any more, so that its nodes are lost. Reports everything, because no smaller fact says
     * that a machine is gone. An unknown machine changes nothing.
     */
    public synchronized void machineGone(MachineName name) {
        if (machines.remove(name) != null) {
            revision++;
            all();
        }
    }

    public synchronized Optional<Machine> machine(MachineName name) {
        return Optional.ofNullable(machines.get(name));
    }

    /** All machines, in the order in which they became known. */
    public synchronized List<Machine> machines() {
        return List.copyOf(machines.values());
    }

    /** An allocation is new or changed. It is reported even if nothing changed, for a controller that lost it. */
    public synchronized void changed(AllocationState state) {
        AllocationState next = state.withRevision(++revision);
        states.put(next.id(), next);
        report(new Fact.AllocationChanged(next));
    }

    /** An allocation is gone, with its volume. */
    public synchronized void gone(AllocationId id) {
        states.remove(id);
        report(new Fact.AllocationGone(id, ++revision));
    }

    /** The last state of an allocation; empty before any, and once it is gone. */
    public synchronized Optional<AllocationState> state(AllocationId id) {
        return Optional.ofNullable(states.get(id));
    }

    /** The state as it is reported: one that lasts has the time of its start, and a known address stays known. */
    public synchronized AllocationState continued(AllocationState state) {
        AllocationState before = states.get(state.id());
        if (before == null) {
            return state;
        }
        return AllocationStateBuilder.builder(state)
                .since(before.status() == state.status() ? before.since() : state.since())
                .address(state.address() == null ? before.address() : state.address())
                .build();
    }

    /** A command was refused now, and changed nothing. */
    public synchronized AllocationState refused(Allocation allocation, Problem problem) {
        AllocationState before = states.get(allocation.id());
        return AllocationState.failed(allocation, Instant.now(), 0, problem)
                .withResources(before == null ? NOTHING : before.resources())
                .at(before == null ? null : before.address());
    }

    /** The last states of all allocations, by their ids. */
    public synchronized List<AllocationState> states() {
        return List.copyOf(states.values());
    }

    private void report(Fact fact) {
        if (facts != null) {
            facts.accept(fact);
        }
    }
}
