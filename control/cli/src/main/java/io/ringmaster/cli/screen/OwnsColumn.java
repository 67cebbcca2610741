package io.ringmaster.cli.screen;

import io.ringmaster.wire.api.NodeState;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The effective ownership of nodes in a table: one figure for each replication factor of the datacenter's keyspaces. A
 * node holds the same share of all keyspaces with the same number of replicas.
 */
final class OwnsColumn {
    private OwnsColumn() {}

    /** {@code OWNS RF 3}, or {@code OWNS RF 1/3} where keyspaces differ. */
    static String title(List<NodeState> nodes) {
        TreeSet<Integer> factors = new TreeSet<>();
        nodes.forEach(n -> factors.addAll(factors(n)));
        return factors.isEmpty()
                ? "OWNS"
                : "OWNS RF " + factors.stream().map(String::valueOf).collect(Collectors.joining("/"));
    }

    /** {@code 50.0 %}, or {@code 16.7/50.0 %} in the order of the title. */
    static String cell(NodeState node) {
        SortedSet<Integer> factors = factors(node);
        if (factors.isEmpty()) {
            return "-";
        }
        return factors.stream()
                        .map(f -> Formats.percent(share(node, f)).replace(" %", ""))
                        .collect(Collectors.joining("/"))
                + " %";
    }

    private static double share(NodeState node, int factor) {
        return node.keyspaces().stream()
                .filter(k -> node.effectiveOwnership().containsKey(k.name()))
                .filter(k -> replicas(node, k.name()) == factor)
                .mapToDouble(k -> node.effectiveOwnership().getOrDefault(k.name(), 0.0))
                .findFirst()
                .orElse(0);
    }

    private static SortedSet<Integer> factors(NodeState node) {
        return node.effectiveOwnership().keySet().stream()
                .map(keyspace -> replicas(node, keyspace))
                .filter(f -> f > 0)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The number of replicas of a keyspace in the node's datacenter, as the node reports it; 0 if it does not. */
    private static int replicas(NodeState node, String keyspace) {
        return node.keyspaces().stream()
                .filter(k -> k.name().equals(keyspace))
                .map(k -> k.replicas().getOrDefault(node.node().datacenter().value(), 0))
                .findFirst()
                .orElse(0);
    }
}
