package io.ringmaster.server.read;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.wire.api.MachineState;
import java.util.Comparator;
import java.util.List;

/** The machines of a datacenter with their allocations and free resources. */
public final class Machines {
    private Machines() {}

    public static List<MachineState> of(View view) {
        return view.machines().values().stream()
                .sorted(Comparator.comparing(Machine::name))
                .map(machine -> state(view, machine))
                .toList();
    }

    private static MachineState state(View view, Machine machine) {
        List<AllocationState> here = view.allocations().values().stream()
                .filter(a -> a.allocation().machine().equals(machine.name()))
                .sorted(Comparator.comparing(a -> a.allocation().id()))
                .toList();
        int cpus = here.stream().mapToInt(a -> a.resources().cpuMillis()).sum();
        long memory = here.stream().mapToLong(a -> a.resources().memoryBytes()).sum();
        long disk = here.stream().mapToLong(a -> a.resources().diskBytes()).sum();
        return new MachineState(
                view.datacenter(),
                machine,
                machine.cpuMillis() - cpus,
                machine.memoryBytes() - memory,
                machine.diskBytes() - disk,
                here);
    }
}
