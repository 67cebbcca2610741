package io.ringmaster.core.assess;

import io.ringmaster.core.placement.Placement;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.NodeResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether the machines of nodes that stay where they are have room for what the nodes are to have now. */
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
        Map<String, Allocation> claims = new TreeMap<>();
        Placement.claims(view).forEach(a -> claims.put(a.id().value(), a));
        nodes.forEach(
                n -> claims.put(n.allocation().id().value(), n.allocation().withResources(needs)));
        List<Problem> problems = new ArrayList<>();
        for (NodeRecord node : growing) {
            Machine machine = view.machines().get(node.allocation().machine());
            if (machine == null) {
                continue;
            }
            List<Allocation> there = claims.values().stream()
                    .filter(a -> a.machine().equals(machine.name()))
                    .toList();
            check(
                    problems,
                    node,
                    "node.cpus",
                    machine.cpuMillis(),
                    there.stream().mapToLong(a -> a.resources().cpuMillis()).sum());
            check(
                    problems,
                    node,
                    "node.memory",
                    machine.memoryBytes(),
                    there.stream().mapToLong(a -> a.resources().memoryBytes()).sum());
        }
        return problems;
    }

    private static void check(List<Problem> problems, NodeRecord node, String field, long has, long needed) {
        if (needed > has) {
            problems.add(new Problem(
                    ErrorCode.NO_MACHINE_FITS,
                    field,
                    node.allocation().machine() + " has " + has + " in all, its nodes would need " + needed + " with "
                            + node.id().shortName() + " grown",
                    "ask for less; a node cannot move to another machine yet"));
        }
    }
}
