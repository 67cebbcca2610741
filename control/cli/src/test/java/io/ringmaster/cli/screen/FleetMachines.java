package io.ringmaster.cli.screen;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineNeed;
import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.MachineState;
import io.ringmaster.wire.api.Unanswered;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Machines of {@link Fleet} for screens, and an estimate of sharing them. */
public final class FleetMachines {
    private FleetMachines() {}

    /** A datacenter where sharing saves machines, one where it does not, and one that does not answer. */
    public static FleetList<SharingEstimate> sharing() {
        var shape = new MachineShape(16_000, 64L << 30, 2L << 40, new PortRange(7000, 9999));
        var racks = List.of(new RackName("r1"), new RackName("r2"), new RackName("r3"));
        var large = List.of(
                Problem.field(ErrorCode.SPEC_INVALID, "node.cpus", "64.0 fits no machine of dc1, allowed: up to 16.0"));
        var misfits = Stream.of("taxis", "taxis-2", "taxis-3", "taxis-4")
                .map(name -> new SharingEstimate.Misfit(new ClusterName(name), large))
                .toList();
        return new FleetList<>(
                List.of(
                        new SharingEstimate(
                                new DatacenterName("dc1"),
                                List.of(shape),
                                racks,
                                20,
                                90,
                                new MachineNeed(9, 0.747, 0.747, 0.564),
                                new MachineNeed(90, 0.075, 0.075, 0.056),
                                0.9,
                                misfits),
                        new SharingEstimate(
                                new DatacenterName("dc2"),
                                List.of(shape, new MachineShape(1000, 8L << 30, 1L << 40, new PortRange(7000, 9999))),
                                racks,
                                2,
                                5,
                                new MachineNeed(5, 0.6, 0.3, 0.2),
                                new MachineNeed(3, 1, 0.5, 0.33),
                                -0.667,
                                List.of())),
                List.of(new Unanswered(new DatacenterName("dc3"), "connection refused", Fleet.at(0))));
    }

    /** The pool does not offer it any more. */
    public static MachineState missing(int number) {
        MachineState offered = machine(number, false, AllocationState.Status.UNREACHABLE);
        var machine =
                Machine.missing(offered.machine().name(), offered.machine().rack());
        return new MachineState(offered.datacenter(), machine, 0, 0, 0, offered.allocations());
    }

    public static MachineState machine(int number, boolean cordoned, AllocationState.@Nullable Status status) {
        long gib = 1L << 30;
        Machine machine = new Machine(
                new MachineName("machine-" + number),
                new RackName("r" + number),
                "127.1.1." + number,
                2_000,
                4 * gib,
                20 * gib,
                new PortRange(7000, 9999),
                cordoned);
        List<AllocationState> allocations = status == null
                ? List.of()
                : List.of(AllocationState.of(
                                new Allocation(
                                        new AllocationId("rides-dc1-node-" + number),
                                        new NodeId(Fleet.RIDES, new DatacenterName("dc1"), number - 1),
                                        machine.name(),
                                        new NodePorts(7000, 7001, 9042, 9600),
                                        new NodeResources(1_000, gib, gib / 4, 4 * gib)),
                                status,
                                Fleet.T0,
                                1)
                        .withWarning("limits not in force: cpu, memory (not delegated to this user)"));
        return new MachineState(
                new DatacenterName("dc1"), machine, status == null ? 2_000 : 1_500, 3 * gib, 16 * gib, allocations);
    }
}
