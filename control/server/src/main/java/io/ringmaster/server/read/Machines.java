package io.ringmaster.server.read;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.Unanswered;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machines of a datacenter with their allocations and free resources. A machine that the pool does not offer any
 * more stays in the list as long as a node has its place there, or has not replaced yet what it had there.
 */
public final class Machines {
    private Machines() {}

    public static List<MachineState> of(View view) {
        Map<MachineName, List<AllocationState>> allocations = view.allocations().values().stream()
                .collect(Collectors.groupingBy(a -> a.allocation().machine()));
        var offered = view.machines().values().stream()
                .map(m -> state(view.datacenter(), m, allocations.getOrDefault(m.name(), List.of())));
        return Stream.concat(offered, missing(view).stream())
                .sorted(Comparator.comparing(m -> m.machine().name()))
                .toList();
    }

    /** Empty until the pool has reported: before that, absence proves nothing. */
    private static List<MachineState> missing(View view) {
        if (!view.poolSeen() || !view.capabilities().listsMachines()) {
            return List.of();
        }
        var racks = new TreeMap<MachineName, RackName>();
        var placed = new TreeMap<MachineName, List<AllocationState>>();
        for (NodeRecord node : view.nodes().values()) {
            places(node).filter(a -> !view.machines().containsKey(a.machine())).forEach(a -> {
                racks.put(a.machine(), node.rack());
                placed.computeIfAbsent(a.machine(), m -> new ArrayList<>()).add(lastKnown(view, node, a));
            });
        }
        return racks.entrySet().stream()
                .map(m -> new MachineState(
                        view.datacenter(),
                        Machine.missing(m.getKey(), m.getValue()),
                        0,
                        0,
                        0,
                        placed.getOrDefault(m.getKey(), List.of())))
                .toList();
    }

    /** A node that has joined elsewhere needs its former places no more, even if the pool never releases them. */
    private static Stream<Allocation> places(NodeRecord node) {
        var current = Stream.of(node.allocation());
        return node.joined() ? current : Stream.concat(node.previousAllocations().stream(), current);
    }

    /** As the pool last reported it. A pool that has forgotten the machine does not report its allocations either. */
    private static AllocationState lastKnown(View view, NodeRecord node, Allocation allocation) {
        AllocationState reported = view.allocations().get(allocation.id());
        Instant since = node.lostSince() == null ? view.now() : node.lostSince();
        return reported == null
                ? AllocationState.of(allocation, AllocationState.Status.UNREACHABLE, since, 0)
                : reported;
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
