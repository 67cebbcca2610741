package io.ringmaster.wire.api;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import java.util.List;

/** A machine, its allocations and its free resources. */
public record MachineState(
        DatacenterName datacenter,
        Machine machine,
        int freeCpuMillis,
        long freeMemoryBytes,
        long freeDiskBytes,
        List<AllocationState> allocations) {
    public MachineState {
        allocations = List.copyOf(allocations);
    }
}
