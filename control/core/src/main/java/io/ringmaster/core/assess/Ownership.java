package io.ringmaster.core.assess;

import io.ringmaster.core.tokens.EffectiveOwnership;
import io.ringmaster.core.tokens.RackToken;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.record.NodeRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The effective ownership of nodes: the share of all rows of a keyspace that each holds. It depends only on the number
 * of replicas, so that keyspaces with the same number are one line.
 *
 * @param keyspaces the names of the keyspaces, by their number of replicas
 */
public record Ownership(SortedMap<Integer, List<String>> keyspaces) {
    /** What a plan assumes while no keyspace is known. */
    private static final int ASSUMED = 3;

    /** For the user keyspaces of a cluster in this datacenter. */
    public static Ownership of(View view, ClusterName cluster) {
        SortedMap<Integer, List<String>> keyspaces = new TreeMap<>();
        Replication.of(view, cluster).rackAware().forEach((name, replicas) -> keyspaces
                .computeIfAbsent(replicas, r -> new ArrayList<>())
                .add(name));
        return new Ownership(keyspaces);
    }

    /** The shares of all nodes by keyspace, in the order of {@code nodes}. */
    public SortedMap<String, List<Double>> byKeyspace(Collection<NodeRecord> nodes) {
        SortedMap<String, List<Double>> shares = new TreeMap<>();
        keyspaces.forEach((replicas, names) -> {
            List<Double> ofFactor = EffectiveOwnership.shares(tokens(nodes), replicas);
            names.forEach(name -> shares.put(name, ofFactor));
        });
        return shares;
    }

    /** The same with a keyspace of 3 replicas where none is known. */
    Ownership orAssumed() {
        return keyspaces.isEmpty() ? new Ownership(new TreeMap<>(Map.of(ASSUMED, List.of("assumed")))) : this;
    }

    static List<RackToken> tokens(Collection<NodeRecord> nodes) {
        return nodes.stream()
                .flatMap(n -> n.tokens().stream().map(t -> new RackToken(Long.parseLong(t), n.rack())))
                .toList();
    }
}
