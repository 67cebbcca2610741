package io.ringmaster.core.tokens;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How uneven tokens are for the keyspaces of a datacenter; less is better. Large shares count most: the power is nearly
 * a comparison of the largest, and still prefers the ring whose other nodes are even too.
 */
final class TokenCost {
    private static final int POWER = 8;

    /** Any other replication factor decides only between rings that are equal for the present ones. */
    private static final double TIE = 1e-3;

    /** The replication factor of keyspaces that are not known yet. */
    static final int USUAL = 3;

    private final int[] racks;
    private final boolean equalRacks;

    /** The smallest possible largest share, by replication factor. */
    private final Map<Integer, Double> leastMaximum = new TreeMap<>();

    /** @param racks a number for the rack of each node, whose tokens are then given in this order */
    TokenCost(int[] racks, Set<Integer> replicationFactors) {
        this.racks = racks.clone();
        Map<Integer, Integer> counts = new TreeMap<>();
        Arrays.stream(racks).forEach(r -> counts.merge(r, 1, Integer::sum));
        Collection<Integer> nodesOfRacks = List.copyOf(counts.values());
        this.equalRacks = nodesOfRacks.stream().distinct().count() <= 1;
        (replicationFactors.isEmpty() ? Set.of(USUAL) : replicationFactors)
                .forEach(f -> leastMaximum.put(f, EffectiveOwnership.leastMaximum(nodesOfRacks, f)));
    }

    double of(long[] tokens) {
        double cost = 0;
        for (Map.Entry<Integer, Double> factor : leastMaximum.entrySet()) {
            for (double share : EffectiveOwnership.shares(tokens, racks, factor.getKey())) {
                cost += Math.pow(share / factor.getValue(), POWER);
            }
        }
        for (int factor = 1; factor <= USUAL; factor++) {
            for (double share : EffectiveOwnership.shares(tokens, racks, factor)) {
                cost += TIE * share * share / factor;
            }
        }
        return cost;
    }

    /** Whether no other tokens are better. */
    boolean isLeast(List<Long> tokens) {
        return equalRacks
                && leastMaximum.entrySet().stream()
                        .allMatch(e -> Arrays.stream(EffectiveOwnership.shares(array(tokens), racks, e.getKey()))
                                .allMatch(share -> share < e.getValue() * (1 + 1e-9)));
    }

    /** The candidate of the lowest cost; the first of equal ones. */
    List<Long> best(List<List<Long>> candidates) {
        List<Long> best = candidates.get(0);
        double lowest = of(array(best));
        for (List<Long> candidate : candidates.subList(1, candidates.size())) {
            double cost = of(array(candidate));
            if (cost < lowest * (1 - 1e-9)) {
                best = candidate;
                lowest = cost;
            }
        }
        return new ArrayList<>(best);
    }

    static long[] array(List<Long> tokens) {
        return tokens.stream().mapToLong(Long::longValue).toArray();
    }
}
