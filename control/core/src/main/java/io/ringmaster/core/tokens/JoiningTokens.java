package io.ringmaster.core.tokens;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The tokens of newcomers, planned together, beside nodes that keep theirs. Two rings are compared: one in which each
 * rack divides its own ranges, which is the best for one replica per rack, and one that divides the ranges of the
 * datacenter. A small ring is then improved token by token.
 */
final class JoiningTokens {
    private static final int MAX_IMPROVED = 24;
    private static final int MAX_ROUNDS = 4;

    /** The number of the rack of each node: the existing ones first, then the newcomers by index. */
    private final int[] racks;

    private final List<Long> existing;
    private final TokenCost cost;
    private final TokenSpace space;
    private final Set<Integer> replicationFactors;
    private final int mostReplicas;

    JoiningTokens(int[] racks, List<Long> existing, Set<Integer> replicationFactors, TokenSpace space) {
        this.racks = racks.clone();
        this.existing = List.copyOf(existing);
        this.cost = new TokenCost(racks, replicationFactors);
        this.space = space;
        this.replicationFactors = Set.copyOf(replicationFactors);
        this.mostReplicas =
                replicationFactors.stream().mapToInt(Integer::intValue).max().orElse(TokenCost.USUAL);
    }

    /** Tokens by index, valid and free. */
    List<Long> tokens() {
        List<Long> rackWise = rackByRack();
        List<Long> together = together();
        List<List<Long>> candidates = new ArrayList<>(List.of(rackWise, together));
        inTurns().ifPresent(candidates::add);
        List<Long> best = cost.best(candidates);
        if (racks.length <= MAX_IMPROVED && !cost.isLeast(best)) {
            TreeSet<Long> hints = new TreeSet<>(rackWise);
            hints.addAll(together);
            improve(best, hints);
        }
        return spread(best);
    }

    private int newcomers() {
        return racks.length - existing.size();
    }

    private List<Long> rackByRack() {
        List<Long> all = new ArrayList<>(existing);
        TreeSet<Long> taken = new TreeSet<>(existing);
        for (int i = existing.size(); i < racks.length; i++) {
            all.add(0L);
        }
        for (int rack : newcomersByRack()) {
            List<Integer> nodes = newcomersOf(rack);
            Collection<Long> ring = existingOf(rack);
            List<Long> tokens = ring.isEmpty()
                    ? RangeCuts.even(RangeCuts.of(taken, 1).get(0), nodes.size())
                    : RangeCuts.of(ring, nodes.size());
            for (int i = 0; i < nodes.size(); i++) {
                all.set(nodes.get(i), space.take(tokens.get(i), taken));
            }
        }
        return all;
    }

    /** Each range of the datacenter goes to the rack that it evens out most; of equal racks to the next in turn. */
    private List<Long> together() {
        List<Long> all = new ArrayList<>(existing);
        TreeSet<Long> taken = new TreeSet<>(existing);
        List<Integer> left = new ArrayList<>(
                IntStream.range(existing.size(), racks.length).boxed().toList());
        Long[] chosen = new Long[racks.length];
        List<TreeSet<Long>> rings = IntStream.range(0, rackCount())
                .mapToObj(r -> new TreeSet<>(existingOf(r)))
                .toList();
        int turn = 0;
        for (long cut : RangeCuts.of(existing, newcomers())) {
            long token = space.take(cut, taken);
            int best = left.get(0);
            double gain = -1;
            for (int i = 0; i < rackCount(); i++) {
                int rack = (turn + i) % rackCount();
                double now = RangeCuts.gain(rings.get(rack), token);
                int first =
                        left.stream().filter(n -> racks[n] == rack).findFirst().orElse(-1);
                if (first >= 0 && now > gain * (1 + 1e-9)) {
                    best = first;
                    gain = now;
                }
            }
            left.remove((Integer) best);
            chosen[best] = token;
            rings.get(racks[best]).add(token);
            turn = racks[best] + 1;
        }
        all.addAll(Arrays.asList(chosen).subList(existing.size(), racks.length));
        return all;
    }

    /** Each range of the datacenter goes to a rack that no neighbour within reach of a replica has. */
    private Optional<List<Long>> inTurns() {
        Map<Long, Integer> before = new TreeMap<>();
        IntStream.range(0, existing.size()).forEach(i -> before.put(existing.get(i), racks[i]));
        TreeSet<Long> taken = new TreeSet<>(existing);
        List<Long> free = RangeCuts.of(existing, newcomers()).stream()
                .map(cut -> space.take(cut, taken))
                .toList();
        int[] left = new int[rackCount()];
        Arrays.stream(racks).skip(existing.size()).forEach(rack -> left[rack]++);
        return RackTurns.of(before, free, left, Math.min(mostReplicas, rackCount()))
                .map(ring -> {
                    List<Long> all = new ArrayList<>(existing);
                    for (int i = existing.size(); i < racks.length; i++) {
                        int rack = racks[i];
                        long token = free.stream()
                                .filter(t -> Objects.equals(ring.get(t), rack))
                                .findFirst()
                                .orElseThrow();
                        ring.remove(token);
                        all.add(token);
                    }
                    return all;
                });
    }

    /** Moves newcomers, and lets two of different racks change places, as long as the ring becomes more even. */
    private void improve(List<Long> all, Collection<Long> hints) {
        long[] tokens = TokenCost.array(all);
        double lowest = cost.of(tokens);
        double before;
        int rounds = 0;
        do {
            before = lowest;
            for (int node = existing.size(); node < racks.length; node++) {
                lowest = move(tokens, node, hints, lowest);
                lowest = swap(tokens, node, lowest);
            }
        } while (lowest < before * (1 - 1e-9) && ++rounds < MAX_ROUNDS);
        for (int i = 0; i < tokens.length; i++) {
            all.set(i, tokens[i]);
        }
    }

    private double move(long[] tokens, int node, Collection<Long> hints, double cheapest) {
        double lowest = cheapest;
        long best = tokens[node];
        TreeSet<Long> others = new TreeSet<>();
        IntStream.range(0, tokens.length).filter(i -> i != node).forEach(i -> others.add(tokens[i]));
        List<Long> candidates = new ArrayList<>(hints);
        candidates.addAll(RangeCuts.middles(others));
        candidates.addAll(RangeCuts.middles(IntStream.range(0, tokens.length)
                .filter(i -> i != node && racks[i] == racks[node])
                .mapToObj(i -> tokens[i])
                .toList()));
        for (long candidate : candidates) {
            tokens[node] = space.free(candidate, others);
            double now = cost.of(tokens);
            if (now < lowest * (1 - 1e-9)) {
                lowest = now;
                best = tokens[node];
            }
        }
        tokens[node] = best;
        return lowest;
    }

    private double swap(long[] tokens, int node, double cheapest) {
        double lowest = cheapest;
        for (int other = existing.size(); other < node; other++) {
            if (racks[other] != racks[node]) {
                LeaveOrder.exchange(tokens, node, other);
                double now = cost.of(tokens);
                if (now < lowest * (1 - 1e-9)) {
                    lowest = now;
                } else {
                    LeaveOrder.exchange(tokens, node, other);
                }
            }
        }
        return lowest;
    }

    /** The newcomers of a rack take its tokens in the order in which they should leave last. */
    private List<Long> spread(List<Long> all) {
        List<Long> tokens = new ArrayList<>(all);
        for (int rack : newcomersByRack()) {
            List<Integer> nodes = newcomersOf(rack);
            List<Long> order = RangeCuts.spread(
                    existingOf(rack), nodes.stream().map(all::get).toList());
            for (int i = 0; i < nodes.size(); i++) {
                tokens.set(nodes.get(i), order.get(i));
            }
        }
        return LeaveOrder.of(racks, existing.size(), tokens, replicationFactors)
                .subList(existing.size(), tokens.size());
    }

    private int rackCount() {
        return Arrays.stream(racks).max().orElse(0) + 1;
    }

    private List<Integer> newcomersByRack() {
        return Arrays.stream(racks).skip(existing.size()).distinct().boxed().toList();
    }

    private List<Integer> newcomersOf(int rack) {
        return IntStream.range(existing.size(), racks.length)
                .filter(i -> racks[i] == rack)
                .boxed()
                .toList();
    }

    private List<Long> existingOf(int rack) {
        return IntStream.range(0, existing.size())
                .filter(i -> racks[i] == rack)
                .mapToObj(existing::get)
                .toList();
    }
}
