package io.ringmaster.pool.local;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the allocations hold on their machines. */
final class Reservations {
    private final List<Machine> machines;
    private final boolean sharedPorts;
    private final Map<AllocationId, Allocation> reserved = new HashMap<>();
    /** Released allocations, whose volumes are kept. */
    private final Map<AllocationId, Allocation> kept = new HashMap<>();

    /** @param sharedPorts whether allocations of one machine may have the same ports, each at its own address */
    Reservations(List<Machine> machines, boolean sharedPorts) {
        this.machines = machines;
        this.sharedPorts = sharedPorts;
    }

    /** What one allocation holds; null where it holds nothing. */
    record Held(@Nullable Allocation reserved, @Nullable Allocation kept) {}

    synchronized Held held(AllocationId id) {
        return new Held(reserved.get(id), kept.get(id));
    }

    /** A reservation could not be carried out. */
    synchronized void putBack(AllocationId id, Held before) {
        remove(id);
        if (before.reserved() != null) {
            reserved.put(id, before.reserved());
        }
        if (before.kept() != null) {
            kept.put(id, before.kept());
        }
    }

    /** Counts an allocation that is there, whether it fits or not. */
    synchronized void adopted(Allocation allocation) {
        reserved.put(allocation.id(), allocation);
    }

    /** Reserves CPU, memory, disk and ports; returns the obstacle if the machine cannot hold the allocation. */
    synchronized Optional<Problem> tryReserve(Allocation wanted) {
        Machine machine = machines.stream()
                .filter(m -> m.name().equals(wanted.machine()))
                .findFirst()
                .orElse(null);
        if (machine == null) {
            return Optional.of(Problem.of(
                    ErrorCode.POOL_UNAVAILABLE,
                    "there is no machine '" + wanted.machine() + "' in this pool",
                    "add it to pool.local.machines again, then restart the server"));
        }
        Optional<Problem> obstacle =
                MachineCapacity.obstacle(machine, sharedPorts, others(reserved, wanted), keptBeside(wanted), wanted);
        if (obstacle.isEmpty()) {
            kept.remove(wanted.id());
            reserved.put(wanted.id(), wanted);
        }
        return obstacle;
    }

    /** Kept volumes count only against a new or growing volume: an existing one has its place on the disk. */
    private List<Allocation> keptBeside(Allocation wanted) {
        Allocation before = reserved.getOrDefault(wanted.id(), kept.get(wanted.id()));
        boolean fits = before != null
                && wanted.resources().diskBytes() <= before.resources().diskBytes();
        return fits ? List.of() : others(kept, wanted);
    }

    private static List<Allocation> others(Map<AllocationId, Allocation> all, Allocation wanted) {
        return all.values().stream()
                .filter(a -> a.machine().equals(wanted.machine()) && !a.id().equals(wanted.id()))
                .toList();
    }

    /** Frees CPU, memory and ports; the volume still takes its disk space. */
    synchronized void keepVolume(Allocation released) {
        reserved.remove(released.id());
        kept.put(released.id(), released);
    }

    /** Frees everything. */
    synchronized void remove(AllocationId id) {
        reserved.remove(id);
        kept.remove(id);
    }
}
