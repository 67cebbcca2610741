package io.ringmaster.core.tokens;

import io.ringmaster.model.name.RackName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The share of all rows of a keyspace that each node of a datacenter holds under {@code NetworkTopologyStrategy}.
 *
 * <p>The replicas of a range are the next nodes of the datacenter's ring whose racks have no replica of it yet. A node
 * of a rack that has one counts only where there are more replicas than racks. With one replica per rack, only the ring
 * within the rack matters.
 */
public final class EffectiveOwnership {
    private static final double RING = 0x1p64;
    private static final int BISECTIONS = 60;

    private EffectiveOwnership() {}

    /**
     * The share of each node, from 0 to 1, in the given order. The sum is the number of replicas, or of nodes if they
     * are fewer.
     */
    public static List<Double> shares(List<RackToken> nodes, int replicas) {
        List<RackName> racks = nodes.stream().map(RackToken::rack).distinct().toList();
        return DoubleStream.of(shares(
                        nodes.stream().mapToLong(RackToken::token).toArray(),
                        nodes.stream().mapToInt(n -> racks.indexOf(n.rack())).toArray(),
                        replicas))
                .boxed()
                .toList();
    }

    /** @param racks a number for the rack of each node */
    static double[] shares(long[] tokens, int[] racks, int replicas) {
        int nodes = tokens.length;
        int[] ring = order(tokens);
        int repeats = replicas - (int) Arrays.stream(racks).distinct().count();
        double[] shares = new double[nodes];
        for (int end = 0; end < nodes; end++) {
            double width = width(tokens[ring[(end + nodes - 1) % nodes]], tokens[ring[end]]);
            BitSet used = new BitSet();
            int repeatsLeft = repeats;
            int left = Math.min(replicas, nodes);
            for (int i = end; left > 0 && i < end + nodes; i++) {
                int node = ring[i % nodes];
                boolean newRack = !used.get(racks[node]);
                if (newRack || repeatsLeft-- > 0) {
                    used.set(racks[node]);
                    shares[node] += width;
                    left--;
                }
            }
        }
        return shares;
    }

    /**
     * The largest share of a node cannot be smaller than this, whatever the tokens: a rack holds each row at most once
     * if there are enough racks, and at least once if there are not.
     */
    public static double leastMaximum(Collection<Integer> nodesOfRacks, int replicas) {
        int nodes = nodesOfRacks.stream().mapToInt(Integer::intValue).sum();
        if (replicas >= nodesOfRacks.size()) {
            int fewest = nodesOfRacks.stream().mapToInt(Integer::intValue).min().orElse(1);
            return Math.max((double) Math.min(replicas, nodes) / nodes, 1.0 / fewest);
        }
        double low = 0;
        double high = 1;
        for (int i = 0; i < BISECTIONS; i++) {
            double middle = (low + high) / 2;
            double held = nodesOfRacks.stream()
                    .mapToDouble(count -> Math.min(1, count * middle))
                    .sum();
            if (held < replicas) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** The fraction of the ring between two tokens; from a token to itself it is the whole ring. */
    static double width(long from, long to) {
        return from == to ? 1 : unsigned(to - from) / RING;
    }

    private static double unsigned(long value) {
        double signed = (double) value;
        return signed < 0 ? signed + RING : signed;
    }

    private static int[] order(long[] tokens) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, tokens.length).boxed().toList());
        order.sort((a, b) -> Long.compare(tokens[a], tokens[b]));
        return order.stream().mapToInt(Integer::intValue).toArray();
    }
}
