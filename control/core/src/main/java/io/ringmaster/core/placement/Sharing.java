package io.ringmaster.core.placement;

import io.ringmaster.core.placement.SmallestFleet.Fleet;
import io.ringmaster.core.spec.SpecFeasibility;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineNeed;
import io.ringmaster.model.fleet.MachineShape;
import io.ringmaster.model.fleet.SharingEstimate;
import io.ringmaster.model.fleet.SharingEstimate.Misfit;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.NodeResources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Estimates how many machines a mix of clusters saves by sharing them, compared with separate machines for each
 * cluster. Both numbers come from {@link Placement} on empty machines; see {@link SmallestFleet}.
 */
public final class Sharing {
    private final DatacenterName datacenter;
    private final List<MachineShape> shapes;
    private final List<RackName> racks;

    private Sharing(DatacenterName datacenter, List<MachineShape> shapes, Collection<RackName> racks) {
        this.datacenter = datacenter;
        this.shapes = shapes;
        this.racks = racks.stream().distinct().sorted().toList();
    }

    /**
     * @param mix in the order of declaration, each with another name; clusters without nodes in the datacenter are
     *     ignored
     * @param shapes the shapes of the machines, at least one, used in turn
     * @param racks at least one
     */
    public static SharingEstimate estimate(
            DatacenterName datacenter, List<ClusterSpec> mix, List<MachineShape> shapes, Collection<RackName> racks) {
        return new Sharing(datacenter, shapes, racks).estimate(mix);
    }

    private SharingEstimate estimate(List<ClusterSpec> mix) {
        List<ClusterSpec> fit = new ArrayList<>();
        List<Misfit> misfits = new ArrayList<>();
        for (ClusterSpec spec : mix) {
            if (spec.datacenter(datacenter).isPresent()) {
                List<Problem> problems = problems(spec);
                if (problems.isEmpty()) {
                    fit.add(spec);
                } else {
                    misfits.add(new Misfit(spec.name(), problems));
                }
            }
        }
        List<Fleet> apart = fit.stream().map(this::alone).toList();
        int machinesApart = apart.stream().mapToInt(f -> f.machines().size()).sum();
        List<Fleet> shared = fit.isEmpty()
                ? List.of()
                : List.of(new SmallestFleet(datacenter, fit, shapes, racks).find(machinesApart));
        MachineNeed sharedNeed = need(shared);
        return new SharingEstimate(
                datacenter,
                shapes,
                racks,
                fit.size(),
                fit.stream().mapToInt(s -> part(s).nodes()).sum(),
                sharedNeed,
                need(apart),
                fit.isEmpty() ? 0 : 1 - (double) sharedNeed.machines() / machinesApart,
                misfits);
    }

    private Fleet alone(ClusterSpec spec) {
        List<RackName> own = part(spec).racks();
        return new SmallestFleet(datacenter, List.of(spec), shapes, own.isEmpty() ? racks : own)
                .find(part(spec).nodes());
    }

    /** Why no number of machines is enough: by field if possible, else why none of the shapes holds a node. */
    private List<Problem> problems(ClusterSpec spec) {
        List<Machine> oneOfEach = SmallestFleet.machines(shapes, racks, racks.size() * shapes.size());
        String nodesField = "datacenters." + datacenter + ".nodes";
        List<Problem> never =
                SpecFeasibility.problems(spec, Set.copyOf(spec.datacenterNames()), Map.of(datacenter, oneOfEach))
                        .stream()
                        .filter(p -> !nodesField.equals(p.field()))
                        .toList();
        return never.isEmpty()
                ? Placement.place(spec, datacenter, oneOfEach, List.of(), List.of(0))
                        .problems()
                : never;
    }

    private DatacenterSpec part(ClusterSpec spec) {
        return spec.datacenter(datacenter).orElseThrow();
    }

    private static MachineNeed need(List<Fleet> fleets) {
        List<Machine> machines =
                fleets.stream().flatMap(f -> f.machines().stream()).toList();
        List<NodeResources> nodes =
                fleets.stream().flatMap(f -> f.nodes().stream()).toList();
        return new MachineNeed(
                machines.size(),
                used(nodes, NodeResources::cpuMillis, machines, Machine::cpuMillis),
                used(nodes, NodeResources::memoryBytes, machines, Machine::memoryBytes),
                used(nodes, NodeResources::diskBytes, machines, Machine::diskBytes));
    }

    private static double used(
            List<NodeResources> nodes,
            ToLongFunction<NodeResources> needs,
            List<Machine> machines,
            ToLongFunction<Machine> has) {
        long whole = machines.stream().mapToLong(has).sum();
        return whole == 0 ? 0 : (double) nodes.stream().mapToLong(needs).sum() / whole;
    }
}
