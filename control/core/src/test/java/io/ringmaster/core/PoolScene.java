package io.ringmaster.core;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PoolCapabilities;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the pool of dc1 offers and reports: machines, allocations and what it is able to do. */
final class PoolScene {
    private final TreeMap<MachineName, Machine> machines = new TreeMap<>();
    private final TreeMap<AllocationId, AllocationState> allocations = new TreeMap<>();
    private final Set<AllocationId> gone = new TreeSet<>();
    private PoolCapabilities capabilities = PoolCapabilities.OF_MACHINES;
    private boolean seen = true;

    Map<MachineName, Machine> machines() {
        return machines;
    }

    Map<AllocationId, AllocationState> allocations() {
        return allocations;
    }

    PoolCapabilities capabilities() {
        return capabilities;
    }

    boolean seen() {
        return seen;
    }

    void unseen() {
        seen = false;
    }

    void able(PoolCapabilities able) {
        capabilities = able;
    }

    void with(Machine machine) {
        machines.put(machine.name(), machine);
    }

    void without(MachineName machine) {
        machines.remove(machine);
    }

    void machine(MachineName machine, UnaryOperator<Machine> change) {
        machines.computeIfPresent(machine, (name, m) -> change.apply(m));
    }

    void claimed(Allocation allocation, AllocationState.Status status, @Nullable String detail, Instant since) {
        says(AllocationState.of(allocation, status, since, 1).withDetail(detail));
    }

    void claimed(Allocation allocation, AllocationState.Status status) {
        says(AllocationState.of(allocation, status, Scene.NOW, 1));
    }

    void failed(Allocation allocation, Problem problem, Instant since) {
        says(AllocationState.failed(allocation, since, 1, problem));
    }

    /** Its machine is no longer offered. */
    void machineLost(Allocation allocation) {
        without(allocation.machine());
        failed(allocation, Problem.of(ErrorCode.MACHINE_LOST, "the machine is lost", "switch its power on"), Scene.NOW);
    }

    void gone(Allocation allocation) {
        vanished(allocation);
        gone.add(allocation.id());
    }

    Set<AllocationId> gone() {
        return Set.copyOf(gone);
    }

    /** No report has it any more. */
    void vanished(Allocation allocation) {
        allocations.remove(allocation.id());
    }

    /** The report on the allocation, if there is one, is another one. */
    void reported(Allocation allocation, UnaryOperator<AllocationState> change) {
        allocations.computeIfPresent(allocation.id(), (id, state) -> change.apply(state));
    }

    /** A released allocation with this much disk on the machine of another one. */
    void keptVolume(String id, Allocation like, long diskBytes) {
        NodeResources resources = new NodeResources(16_000, 64 * Samples.GIB, Samples.GIB, diskBytes);
        claimed(
                new Allocation(new AllocationId(id), Scene.node(9), like.machine(), like.ports(), resources),
                AllocationState.Status.RELEASED);
    }

    /** An allocation that no record names. */
    void stray(String id, AllocationState.Status status) {
        NodePorts ports = new NodePorts(7002, 7003, 9043, 9501);
        claimed(
                new Allocation(new AllocationId(id), Scene.node(9), new MachineName("machine-1"), ports, Samples.SMALL),
                status);
    }

    private void says(AllocationState state) {
        allocations.put(state.allocation().id(), state);
        gone.remove(state.allocation().id());
    }
}
