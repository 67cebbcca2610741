package io.ringmaster.core.tokens;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.PriorityQueue;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Divides the ranges of one ring among newcomers, without moving its tokens. */
final class RangeCuts {
    private RangeCuts() {}

    /** @param cuts the number of newcomers in the range */
    private record Range(int number, long from, long to, int cuts) {
        double part() {
            return EffectiveOwnership.width(from, to) / (cuts + 1);
        }

        Range withOneMore() {
            return new Range(number, from, to, cuts + 1);
        }

        /** The tokens that divide the range evenly. Unsigned; the whole ring is one token short. */
        List<Long> tokens() {
            long part = Long.divideUnsigned(from == to ? -1L : to - from, cuts + 1L);
            return IntStream.rangeClosed(1, cuts).mapToObj(i -> from + part * i).toList();
        }
    }

    /** The tokens for {@code count} newcomers that leave the smallest possible largest range; not in any order. */
    static List<Long> of(Collection<Long> ring, int count) {
        PriorityQueue<Range> ranges = new PriorityQueue<>(
                Comparator.comparingDouble(Range::part).reversed().thenComparing(Range::number));
        TreeSet<Long> sorted = new TreeSet<>(ring);
        long before = sorted.last();
        for (long token : sorted) {
            ranges.add(new Range(ranges.size(), before, token, 0));
            before = token;
        }
        for (int i = 0; i < count; i++) {
            ranges.add(ranges.remove().withOneMore());
        }
        return ranges.stream()
                .sorted(Comparator.comparing(Range::number))
                .flatMap(r -> r.tokens().stream())
                .toList();
    }

    /** An even ring of {@code count} tokens from this one on. */
    static List<Long> even(long from, int count) {
        List<Long> tokens = new ArrayList<>(List.of(from));
        if (count > 1) {
            tokens.addAll(new Range(0, from, from, count - 1).tokens());
        }
        return tokens;
    }

    /** The middle of each range. */
    static List<Long> middles(Collection<Long> ring) {
        List<Long> middles = new ArrayList<>();
        TreeSet<Long> sorted = new TreeSet<>(ring);
        for (long token : sorted) {
            Long before = sorted.lower(token);
            middles.addAll(new Range(0, before == null ? sorted.last() : before, token, 1).tokens());
        }
        return middles;
    }

    /**
     * The given tokens in the order in which nodes should take them, so that a ring without the last ones is still as
     * even as possible: each divides a large range near its middle.
     *
     * @param ring the tokens that are taken before; not empty
     */
    static List<Long> spread(Collection<Long> ring, Collection<Long> tokens) {
        TreeSet<Long> taken = new TreeSet<>(ring);
        List<Long> left = new ArrayList<>(tokens);
        List<Long> order = new ArrayList<>();
        while (!left.isEmpty()) {
            long next = left.get(0);
            for (long token : left) {
                if (gain(taken, token) > gain(taken, next) * (1 + 1e-9)) {
                    next = token;
                }
            }
            left.remove(next);
            taken.add(next);
            order.add(next);
        }
        return order;
    }

    /** How much a token evens out a ring: the product of the two ranges into which it divides one. */
    static double gain(NavigableSet<Long> ring, long token) {
        if (ring.isEmpty()) {
            return 1;
        }
        Long before = ring.lower(token);
        Long after = ring.higher(token);
        return EffectiveOwnership.width(before == null ? ring.last() : before, token)
                * EffectiveOwnership.width(token, after == null ? ring.first() : after);
    }
}
