package io.ringmaster.core.tokens;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The first tokens of a datacenter: even within each rack, and the racks take turns on the ring of the datacenter. In
 * each rack the nodes with the highest indexes can leave, and the others are still as even as possible.
 */
final class FirstTokens {
    private static final BigInteger RING = BigInteger.TWO.pow(Long.SIZE);
    private static final int MAX_ROTATED_RACKS = 8;
    private static final int ROTATIONS = 4;

    /** The number of the rack of each node, by index. */
    private final int[] racks;

    /** The position of each node among the nodes of its rack. */
    private final int[] ranks;

    /** The number of nodes of each rack. */
    private final int[] counts;

    /** The order in which the nodes of each rack take its slots. */
    private final List<List<Integer>> orders;

    private final int most;

    FirstTokens(int[] racks) {
        this.racks = racks.clone();
        this.counts = new int[Arrays.stream(racks).max().orElse(0) + 1];
        this.ranks = Arrays.stream(racks).map(r -> counts[r]++).toArray();
        this.orders = Arrays.stream(counts).mapToObj(FirstTokens::order).toList();
        this.most = Arrays.stream(counts).max().orElse(0);
    }

    /** Tokens by index; distinct, but perhaps only by a few. */
    List<Long> tokens(Set<Integer> replicationFactors) {
        return LeaveOrder.of(racks, 0, even(replicationFactors), replicationFactors);
    }

    private List<Long> even(Set<Integer> replicationFactors) {
        int[] turns = IntStream.range(0, counts.length).map(r -> r * ROTATIONS).toArray();
        List<Long> rackWise = even(turns);
        if (Arrays.stream(counts).allMatch(c -> c == most)) {
            return rackWise;
        }
        TokenCost cost = new TokenCost(racks, replicationFactors);
        List<List<Long>> candidates = new ArrayList<>(List.of(rackWise));
        if (counts.length <= MAX_ROTATED_RACKS) {
            candidates.add(rotated(turns, cost));
        }
        candidates.add(inTurns());
        return cost.best(candidates);
    }

    /** Every rack even; one rack after another is rotated to where it suits the others best. */
    private List<Long> rotated(int[] turns, TokenCost cost) {
        int grid = ROTATIONS * counts.length * most;
        for (int rack = 1; rack < counts.length; rack++) {
            int best = turns[rack];
            double lowest = cost.of(TokenCost.array(even(turns)));
            for (int turn = 0; turn < grid / counts[rack]; turn++) {
                turns[rack] = turn;
                double now = cost.of(TokenCost.array(even(turns)));
                if (now < lowest * (1 - 1e-9)) {
                    lowest = now;
                    best = turn;
                }
            }
            turns[rack] = best;
        }
        return even(turns);
    }

    private List<Long> even(int[] turns) {
        long grid = (long) ROTATIONS * counts.length * most;
        return IntStream.range(0, racks.length)
                .mapToObj(i -> {
                    long slots = counts[racks[i]];
                    long slot = orders.get(racks[i]).get(ranks[i]);
                    return at(turns[racks[i]] * slots + slot * grid, grid * slots);
                })
                .toList();
    }

    /** Even on the ring of the datacenter. */
    private List<Long> inTurns() {
        List<List<Integer>> slots = IntStream.range(0, counts.length)
                .mapToObj(rack -> IntStream.range(0, racks.length)
                        .filter(i -> racks[i] == rack)
                        .boxed()
                        .toList())
                .toList();
        return IntStream.range(0, racks.length)
                .mapToObj(i -> slots.get(racks[i]).get(orders.get(racks[i]).get(ranks[i])))
                .map(slot -> at(slot, racks.length))
                .toList();
    }

    /**
     * The order in which the slots of an even ring are taken. A ring of {@code n = p * m} slots, p the smallest prime
     * factor, takes every p-th slot first: with all nodes but the last it is as even as m nodes can be. For powers of
     * two this is the bit-reversed order.
     */
    static List<Integer> order(int slots) {
        int prime = IntStream.rangeClosed(2, slots)
                .filter(p -> slots % p == 0)
                .findFirst()
                .orElse(1);
        if (prime == slots) {
            return ofPrime(slots);
        }
        List<Integer> order = new ArrayList<>();
        List<Integer> coarse = order(slots / prime);
        for (int shift : ofPrime(prime)) {
            coarse.forEach(slot -> order.add(slot * prime + shift));
        }
        return order;
    }

    /** From the first slot on, always the middle of the longest run that is left. */
    private static List<Integer> ofPrime(int slots) {
        List<Integer> order = new ArrayList<>(List.of(0));
        while (order.size() < slots) {
            List<Integer> taken = new ArrayList<>(order);
            taken.add(slots);
            Collections.sort(taken);
            int longest = 0;
            for (int i = 1; i < taken.size() - 1; i++) {
                if (taken.get(i + 1) - taken.get(i) > taken.get(longest + 1) - taken.get(longest)) {
                    longest = i;
                }
            }
            order.add((taken.get(longest) + taken.get(longest + 1)) / 2);
        }
        return order;
    }

    private static long at(long part, long of) {
        return Long.MIN_VALUE
                + RING.multiply(BigInteger.valueOf(part % of))
                        .divide(BigInteger.valueOf(of))
                        .longValue();
    }
}
