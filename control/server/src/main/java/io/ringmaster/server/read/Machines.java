package io.ringmaster.server.read;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.Unanswered;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The machines of a datacenter with their allocations and free resources. */
public final class Machines {
    private Machines() {}

    public static List<MachineState> of(View view) {
        Map<MachineName, List<AllocationState>> allocations = view.allocations().values().stream()
                .collect(Collectors.groupingBy(a -> a.allocation().machine()));
        return view.machines().values().stream()
                .sorted(Comparator.comparing(Machine::name))
                .map(m -> state(view.datacenter(), m, allocations.getOrDefault(m.name(), List.of())))
                .toList();
    }

    /** This datacenter, if its pool cannot be asked now, so that its machines are missing or old. */
    public static Optional<Unanswered> unanswered(View view) {
        String problem = view.poolProblem();
        return view.poolSeen()
                ? Optional.empty()
                : Optional.of(new Unanswered(
                        view.datacenter(), problem == null ? "its pool has not reported yet" : problem, null));
    }

    private static MachineState state(DatacenterName datacenter, Machine machine, List<AllocationState> placed) {
        List<AllocationState> here = placed.stream()
                .sorted(Comparator.comparing(a -> a.allocation().id()))
                .toList();
        int cpus = here.stream().mapToInt(a -> a.resources().cpuMillis()).sum();
        long memory = here.stream().mapToLong(a -> a.resources().memoryBytes()).sum();
        long disk = here.stream().mapToLong(a -> a.resources().diskBytes()).sum();
        return new MachineState(
                datacenter,
                machine,
                machine.cpuMillis() - cpus,
                machine.memoryBytes() - memory,
                machine.diskBytes() - disk,
                here);
    }
}
