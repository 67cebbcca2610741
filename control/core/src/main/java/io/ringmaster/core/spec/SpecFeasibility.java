package io.ringmaster.core.spec;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Size;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * Checks the parts of a spec that depend on a fleet: its datacenters, racks and sizes, and the sum of its sizes. Free
 * capacity does not count here; see placement.
 */
public final class SpecFeasibility {
    private final ClusterSpec spec;
    private final List<Problem> problems = new ArrayList<>();

    private SpecFeasibility(ClusterSpec spec) {
        this.spec = spec;
    }

    /** Every reason why the spec of a new cluster can never be placed here. */
    public static List<Problem> problems(
            ClusterSpec spec, Set<DatacenterName> known, Map<DatacenterName, ? extends Collection<Machine>> machines) {
        return problems(spec, Optional.empty(), known, machines);
    }

    /**
     * Every reason why the spec can never be placed here; empty if there is none.
     *
     * @param former the version before; empty for a new cluster
     * @param known every datacenter that has a server
     * @param machines the machines of each datacenter that are known here; another server checks the others
     */
    public static List<Problem> problems(
            ClusterSpec spec,
            Optional<ClusterSpec> former,
            Set<DatacenterName> known,
            Map<DatacenterName, ? extends Collection<Machine>> machines) {
        SpecFeasibility check = new SpecFeasibility(spec);
        check.problems.addAll(NodeBudget.problems(spec, former));
        for (DatacenterSpec dc : spec.datacenters()) {
            if (!known.contains(dc.name())) {
                check.unknownDatacenter(dc.name(), known);
            } else if (machines.containsKey(dc.name())) {
                check.datacenter(dc, machines.get(dc.name()));
            }
        }
        return List.copyOf(check.problems);
    }

    private void unknownDatacenter(DatacenterName name, Set<DatacenterName> known) {
        List<String> names =
                new TreeSet<>(known).stream().map(DatacenterName::value).toList();
        problems.add(new Problem(
                ErrorCode.SPEC_INVALID,
                "datacenters." + name,
                "no server knows datacenter '" + name + "', allowed: " + String.join(", ", names),
                Nearest.hint(name.value(), names)));
    }

    private void datacenter(DatacenterSpec dc, Collection<Machine> machines) {
        Set<RackName> racks = new TreeSet<>(machines.stream().map(Machine::rack).toList());
        for (RackName rack : dc.racks()) {
            if (!racks.contains(rack)) {
                refuse(
                        "datacenters." + dc.name() + ".racks",
                        "'" + rack + "' is not a rack of " + dc.name() + ", allowed: " + racks);
            }
        }
        List<Machine> usable = machines.stream()
                .filter(m -> dc.racks().isEmpty() || dc.racks().contains(m.rack()))
                .toList();
        NodeResources needs = spec.resources();
        int before = problems.size();
        size("node.memory", dc, usable, needs.memoryBytes(), Machine::memoryBytes);
        size("node.disk", dc, usable, needs.diskBytes(), Machine::diskBytes);
        cpus(dc, usable, needs.cpuMillis());
        if (problems.size() == before) {
            count(dc, usable, needs);
        }
    }

    private void size(
            String field, DatacenterSpec dc, List<Machine> machines, long needs, ToLongFunction<Machine> has) {
        long max = machines.stream().mapToLong(has).max().orElse(0);
        if (needs > max) {
            refuse(field, Size.text(needs) + " fits no machine of " + dc.name() + ", allowed: up to " + Size.text(max));
        }
    }

    private void cpus(DatacenterSpec dc, List<Machine> machines, int needs) {
        int max = machines.stream().mapToInt(Machine::cpuMillis).max().orElse(0);
        if (needs > max) {
            refuse(
                    "node.cpus",
                    needs / 1000.0 + " fits no machine of " + dc.name() + ", allowed: up to " + max / 1000.0);
        }
    }

    /** Checks how many nodes the machines could hold if they were empty. */
    private void count(DatacenterSpec dc, List<Machine> machines, NodeResources needs) {
        int perMachine = spec.placement().nodesPerMachine();
        long max = machines.stream()
                .mapToLong(m -> Math.min(
                        Math.min(perMachine, m.cpuMillis() / needs.cpuMillis()),
                        Math.min(m.memoryBytes() / needs.memoryBytes(), m.diskBytes() / needs.diskBytes())))
                .sum();
        if (dc.nodes() > max) {
            refuse(
                    "datacenters." + dc.name() + ".nodes",
                    dc.nodes() + " nodes do not fit the " + machines.size() + " machines of " + dc.name()
                            + " at placement.nodes_per_machine " + perMachine + ", allowed: up to " + max);
        }
    }

    private void refuse(String field, String message) {
        problems.add(Problem.field(ErrorCode.SPEC_INVALID, field, message));
    }
}
