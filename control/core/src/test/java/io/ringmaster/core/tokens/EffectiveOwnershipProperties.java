package io.ringmaster.core.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.model.name.RackName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class EffectiveOwnershipProperties {
    @Provide
    Arbitrary<List<RackToken>> rings() {
        return Combinators.combine(
                        Arbitraries.longs().set().ofMinSize(1).ofMaxSize(20),
                        Arbitraries.integers().between(1, 5))
                .flatAs((tokens, racks) -> Arbitraries.integers()
                        .between(1, racks)
                        .list()
                        .ofSize(tokens.size())
                        .map(of -> {
                            List<Long> list = List.copyOf(tokens);
                            return IntStream.range(0, list.size())
                                    .mapToObj(i -> new RackToken(list.get(i), new RackName("r" + of.get(i))))
                                    .toList();
                        }));
    }

    @Example
    void the_ring_of_a_rack_counts_when_each_rack_has_one_replica() {
        List<RackToken> uneven = List.of(at(0, "r1"), at(4, "r2"), at(8, "r3"), at(2, "r1"), at(6, "r2"), at(10, "r3"));
        assertThat(EffectiveOwnership.shares(uneven, 3))
                .usingComparatorForType((a, b) -> Math.abs(a - b) < 1e-9 ? 0 : 1, Double.class)
                .containsExactly(10 / 12.0, 10 / 12.0, 10 / 12.0, 2 / 12.0, 2 / 12.0, 2 / 12.0);
    }

    @Property(tries = 300)
    void each_replica_is_counted_once(
            @ForAll("rings") List<RackToken> ring, @ForAll @IntRange(min = 1, max = 6) int f) {
        List<Double> shares = EffectiveOwnership.shares(ring, f);
        assertThat(shares.stream().mapToDouble(d -> d).sum()).isCloseTo(Math.min(f, ring.size()), within(1e-9));
        assertThat(shares).allMatch(share -> share >= 0 && share < 1 + 1e-9);
    }

    @Property(tries = 300)
    void a_rack_holds_each_row_at_most_once_if_there_are_enough_and_at_least_once_if_there_are_not(
            @ForAll("rings") List<RackToken> ring, @ForAll @IntRange(min = 1, max = 6) int f) {
        Map<RackName, Double> ofRacks = ofRacks(ring, EffectiveOwnership.shares(ring, f));
        assertThat(ofRacks.values()).allMatch(share -> ofRacks.size() >= f ? share < 1 + 1e-9 : share > 1 - 1e-9);
    }

    @Property(tries = 300)
    void the_shares_are_those_of_the_replicas_of_every_range(
            @ForAll("rings") List<RackToken> ring, @ForAll @IntRange(min = 1, max = 6) int f) {
        List<Double> shares = EffectiveOwnership.shares(ring, f);
        List<Double> expected = byRange(ring, f);
        for (int i = 0; i < ring.size(); i++) {
            assertThat(shares.get(i)).isCloseTo(expected.get(i), within(1e-9));
        }
    }

    @Property(tries = 300)
    void the_order_of_the_nodes_does_not_matter(
            @ForAll("rings") List<RackToken> ring, @ForAll @IntRange(min = 1, max = 4) int f, @ForAll long seed) {
        List<RackToken> shuffled = new ArrayList<>(ring);
        Collections.shuffle(shuffled, new Random(seed));
        List<Double> shares = EffectiveOwnership.shares(ring, f);
        List<Double> others = EffectiveOwnership.shares(shuffled, f);
        ring.forEach(n -> assertThat(others.get(shuffled.indexOf(n))).isEqualTo(shares.get(ring.indexOf(n))));
    }

    @Property(tries = 300)
    void no_tokens_are_better_than_the_least_maximum(
            @ForAll("rings") List<RackToken> ring, @ForAll @IntRange(min = 1, max = 6) int f) {
        List<Integer> counts = List.copyOf(ring.stream()
                .collect(Collectors.groupingBy(RackToken::rack, Collectors.summingInt(n -> 1)))
                .values());
        assertThat(Collections.max(EffectiveOwnership.shares(ring, f)))
                .isGreaterThan(EffectiveOwnership.leastMaximum(counts, f) - 1e-9);
    }

    private static RackToken at(int twelfth, String rack) {
        return new RackToken(Long.MIN_VALUE + Long.divideUnsigned(-1L, 12) * twelfth, new RackName(rack));
    }

    private static Map<RackName, Double> ofRacks(List<RackToken> ring, List<Double> shares) {
        Map<RackName, Double> ofRacks = new TreeMap<>();
        IntStream.range(0, ring.size()).forEach(i -> ofRacks.merge(ring.get(i).rack(), shares.get(i), Double::sum));
        return ofRacks;
    }

    /** Straight from the words of NetworkTopologyStrategy, on lists. */
    private static List<Double> byRange(List<RackToken> nodes, int replicas) {
        List<RackToken> ring = new ArrayList<>(nodes);
        ring.sort((a, b) -> Long.compare(a.token(), b.token()));
        int racks =
                ring.stream().map(RackToken::rack).collect(Collectors.toSet()).size();
        Map<RackToken, Double> held = new HashMap<>();
        for (int i = 0; i < ring.size(); i++) {
            List<RackToken> clockwise = new ArrayList<>(ring.subList(i, ring.size()));
            clockwise.addAll(ring.subList(0, i));
            double width = ring.size() == 1
                    ? 1
                    : Double.parseDouble(Long.toUnsignedString(ring.get(i).token()
                                    - clockwise.get(ring.size() - 1).token()))
                            / Math.pow(2, 64);
            Set<RackName> met = new HashSet<>();
            List<RackToken> firsts = clockwise.stream()
                    .filter(n -> met.add(n.rack()))
                    .limit(Math.min(replicas, racks))
                    .toList();
            firsts.forEach(n -> held.merge(n, width, Double::sum));
            clockwise.stream()
                    .filter(n -> !firsts.contains(n))
                    .limit(Math.max(0, replicas - racks))
                    .forEach(n -> held.merge(n, width, Double::sum));
        }
        return nodes.stream().map(n -> held.getOrDefault(n, 0.0)).toList();
    }
}
