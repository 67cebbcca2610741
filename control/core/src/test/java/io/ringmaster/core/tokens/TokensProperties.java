package io.ringmaster.core.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.core.Samples;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TokensProperties {
    private static List<RackName> racks(int from, int to, int racks) {
        return IntStream.range(from, to)
                .mapToObj(i -> new RackName("r" + i % racks))
                .toList();
    }

    private static List<RackToken> ring(List<String> tokens, int racks) {
        return IntStream.range(0, tokens.size())
                .mapToObj(i -> new RackToken(Long.parseLong(tokens.get(i)), new RackName("r" + i % racks)))
                .toList();
    }

    @Example
    void three_nodes_in_two_datacenters_get_thirds_of_the_ring_one_apart() {
        ClusterSpec spec = Samples.spec("rides", 3, 2, 3, 2);
        assertThat(Tokens.forFirstCreation(spec, Samples.DC1, racks(0, 3, 3), Set.of()))
                .containsExactly("-9223372036854775807", "-3074457345618258943", "3074457345618257921");
        assertThat(Tokens.forFirstCreation(spec, Samples.DC2, racks(0, 3, 3), Set.of()))
                .containsExactly("-9223372036854775806", "-3074457345618258942", "3074457345618257922");
    }

    @Property(tries = 200)
    void every_node_of_a_new_cluster_with_full_racks_owns_the_same_share_of_any_keyspace(
            @ForAll @IntRange(min = 1, max = 100) int nodesOfRack,
            @ForAll @IntRange(min = 1, max = 5) int racks,
            @ForAll @IntRange(min = 1, max = 5) int replicas) {
        int nodes = nodesOfRack * racks;
        List<String> tokens =
                Tokens.forFirstCreation(Samples.spec("rides", nodes, 1), Samples.DC1, racks(0, nodes, racks), Set.of());
        assertThat(EffectiveOwnership.shares(ring(tokens, racks), replicas))
                .allSatisfy(share -> assertThat(share).isCloseTo(Math.min(1, (double) replicas / nodes), within(1e-9)));
    }

    @Property(tries = 200)
    void no_token_is_given_twice_over_both_datacenters_however_they_grow(
            @ForAll @IntRange(min = 1, max = 30) int first,
            @ForAll @IntRange(min = 1, max = 30) int second,
            @ForAll @IntRange(min = 0, max = 30) int more,
            @ForAll @IntRange(min = 1, max = 4) int racks) {
        ClusterSpec spec = Samples.spec("rides", first, 1, second, 1);
        List<String> all = new ArrayList<>();
        for (var datacenter : spec.datacenterNames()) {
            int nodes = spec.datacenter(datacenter).orElseThrow().nodes();
            List<String> tokens = Tokens.forFirstCreation(spec, datacenter, racks(0, nodes, racks), Set.of());
            all.addAll(tokens);
            all.addAll(Tokens.forJoining(
                    spec, datacenter, ring(tokens, racks), racks(nodes, nodes + more, racks), Set.of()));
        }
        Set<String> distinct = new HashSet<>(all);
        assertThat(distinct).hasSize(first + second + 2 * more).hasSameSizeAs(all);
        assertThat(distinct).doesNotContain(Long.toString(Long.MIN_VALUE));
    }

    @Property(tries = 100)
    void a_joining_node_takes_half_of_the_largest_range_of_its_rack(
            @ForAll @IntRange(min = 1, max = 100) int nodesOfRack) {
        int nodes = 3 * nodesOfRack;
        ClusterSpec spec = Samples.spec("rides", nodes, 1);
        List<String> tokens =
                new ArrayList<>(Tokens.forFirstCreation(spec, Samples.DC1, racks(0, nodes, 3), Set.of(3)));
        tokens.addAll(Tokens.forJoining(spec, Samples.DC1, ring(tokens, 3), List.of(new RackName("r0")), Set.of(3)));
        List<Double> shares = EffectiveOwnership.shares(ring(tokens, 3), 3);
        assertThat(shares.get(nodes)).isCloseTo(0.5 / nodesOfRack, within(1e-9));
    }

    @Example
    void a_rack_that_had_no_node_gets_an_even_ring_of_its_own() {
        ClusterSpec spec = Samples.spec("rides", 8, 1);
        List<RackToken> ring =
                new ArrayList<>(ring(Tokens.forFirstCreation(spec, Samples.DC1, racks(0, 4, 2), Set.of(3)), 2));
        List<RackName> third = List.of(new RackName("r3"), new RackName("r3"));
        Tokens.forJoining(spec, Samples.DC1, ring, third, Set.of(3))
                .forEach(token -> ring.add(new RackToken(Long.parseLong(token), third.get(0))));
        assertThat(EffectiveOwnership.shares(ring, 3))
                .allSatisfy(s -> assertThat(s).isCloseTo(0.5, within(0.01)));
    }
}
