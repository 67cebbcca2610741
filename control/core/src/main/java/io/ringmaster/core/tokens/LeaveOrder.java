package io.ringmaster.core.tokens;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Lets newcomers of a rack exchange their tokens so that the ring stays even when the nodes with the highest indexes
 * leave. In one rack, or with one replica per rack, each rack is even on its own and nothing is left to improve.
 */
final class LeaveOrder {
    private static final int MAX_NODES = 24;
    private static final int MAX_ROUNDS = 4;

    /** Half and two thirds of the nodes are the usual steps back. */
    private static final int USUAL_STEP = 10;

    private final int[] racks;
    private final int fixed;
    private final Map<Integer, TokenCost> costs = new TreeMap<>();

    private LeaveOrder(int[] racks, int fixed, Set<Integer> replicationFactors) {
        this.racks = racks;
        this.fixed = fixed;
        for (int nodes = Math.max(2, fixed); nodes < racks.length; nodes++) {
            costs.put(nodes, new TokenCost(Arrays.copyOf(racks, nodes), replicationFactors));
        }
    }

    /** @param fixed the number of nodes, from the first on, that keep their tokens */
    static List<Long> of(int[] racks, int fixed, List<Long> tokens, Set<Integer> replicationFactors) {
        int rackCount = (int) Arrays.stream(racks).distinct().count();
        Set<Integer> factors = replicationFactors.isEmpty() ? Set.of(TokenCost.USUAL) : replicationFactors;
        if (racks.length > MAX_NODES || rackCount == 1 || factors.equals(Set.of(rackCount))) {
            return tokens;
        }
        long[] improved = TokenCost.array(tokens);
        new LeaveOrder(racks, fixed, factors).improve(improved);
        return Arrays.stream(improved).boxed().toList();
    }

    private void improve(long[] tokens) {
        double lowest = cost(tokens);
        double before;
        int rounds = 0;
        do {
            before = lowest;
            for (int node = fixed; node < racks.length; node++) {
                for (int other = fixed; other < node; other++) {
                    if (racks[node] == racks[other]) {
                        exchange(tokens, node, other);
                        double now = cost(tokens);
                        if (now < lowest * (1 - 1e-9)) {
                            lowest = now;
                        } else {
                            exchange(tokens, node, other);
                        }
                    }
                }
            }
        } while (lowest < before * (1 - 1e-9) && ++rounds < MAX_ROUNDS);
    }

    private double cost(long[] tokens) {
        return costs.entrySet().stream()
                .mapToDouble(e -> weight(e.getKey()) * e.getValue().of(Arrays.copyOf(tokens, e.getKey())))
                .sum();
    }

    private int weight(int nodes) {
        return 2 * nodes == racks.length || 3 * nodes == 2 * racks.length ? USUAL_STEP : 1;
    }

    static void exchange(long[] tokens, int one, int other) {
        long token = tokens[one];
        tokens[one] = tokens[other];
        tokens[other] = token;
    }
}
