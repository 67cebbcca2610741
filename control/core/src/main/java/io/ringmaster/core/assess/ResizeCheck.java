package io.ringmaster.core.assess;

import io.ringmaster.core.placement.Placement;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.NodeResources;
import io.ringmaster.model.spec.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** Whether machines have room for nodes that stay on them and get more CPU or memory. */
public final class ResizeCheck {
    private ResizeCheck() {}

    public static List<Problem> problems(View view, List<NodeRecord> nodes, NodeResources needs) {
        List<NodeRecord> growing = nodes.stream()
                .filter(n -> n.allocation().resources().cpuMillis() < needs.cpuMillis()
                        || n.allocation().resources().memoryBytes() < needs.memoryBytes())
                .toList();
        if (growing.isEmpty()) {
            return List.of();
        }
        Map<String, Allocation> allocations = new TreeMap<>();
        Placement.allocations(view).forEach(a -> allocations.put(a.id().value(), a));
        nodes.forEach(
                n -> allocations.put(n.allocation().id().value(), n.allocation().withResources(needs)));
        List<Problem> problems = new ArrayList<>();
        for (NodeRecord node : growing) {
            Machine machine = view.machines().get(node.allocation().machine());
            if (machine == null) {
                continue;
            }
            List<Allocation> there = allocations.values().stream()
                    .filter(a -> a.machine().equals(machine.name()))
                    .toList();
            check(
                    problems,
                    node,
                    "node.cpus",
                    machine.cpuMillis(),
                    there.stream().mapToLong(a -> a.resources().cpuMillis()).sum(),
                    millis -> millis / 1000.0 + " cores");
            check(
                    problems,
                    node,
                    "node.memory",
                    machine.memoryBytes(),
                    there.stream().mapToLong(a -> a.resources().memoryBytes()).sum(),
                    Size::text);
        }
        return problems;
    }

    private static void check(
            List<Problem> problems, NodeRecord node, String field, long has, long needed, LongFunction<String> text) {
        if (needed > has) {
            problems.add(new Problem(
                    ErrorCode.NO_MACHINE_FITS,
                    field,
                    node.allocation().machine() + " has " + text.apply(has) + ", its nodes would need "
                            + text.apply(needed) + " once " + node.id().shortName() + " grows",
                    Advice.command("machine evacuate " + node.id().datacenter() + "/"
                                    + node.allocation().machine())
                            .prefix("ask for less, or move nodes to other machines first: ")));
        }
    }
}
