package io.ringmaster.lab.load;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Replicas of a keyspace.
 *
 * @param factor replicas in all; 0 where datacenters are named
 * @param datacenters name to replicas there
 */
public record KeyspaceReplication(int factor, SortedMap<String, Integer> datacenters) {
    public KeyspaceReplication {
        datacenters = new TreeMap<>(datacenters);
        if (factor < 1 == datacenters.isEmpty()) {
            throw new IllegalArgumentException("either a factor or datacenters: " + factor + ", " + datacenters);
        }
    }

    public static KeyspaceReplication of(int factor) {
        return new KeyspaceReplication(factor, new TreeMap<>());
    }

    public static KeyspaceReplication of(Map<String, Integer> datacenters) {
        return new KeyspaceReplication(0, new TreeMap<>(datacenters));
    }

    /** {@code 3}, or {@code dc1:3,dc2:3}. */
    String forMetronome() {
        return datacenters.isEmpty()
                ? Integer.toString(factor)
                : datacenters.entrySet().stream()
                        .map(e -> e.getKey() + ":" + e.getValue())
                        .collect(Collectors.joining(","));
    }

    /** {@code factor=3}, or {@code strategy=NetworkTopologyStrategy,dc1=3}. */
    String forStress() {
        return datacenters.isEmpty()
                ? "factor=" + factor
                : datacenters.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(",", "strategy=NetworkTopologyStrategy,", ""));
    }
}
