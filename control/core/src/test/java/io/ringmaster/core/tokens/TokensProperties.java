package io.ringmaster.core.tokens;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.core.Samples;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class TokensProperties {
    @Example
    void three_nodes_in_two_datacenters_get_thirds_of_the_ring_one_apart() {
        ClusterSpec spec = Samples.spec("rides", 3, 2, 3, 2);
        assertThat(Tokens.forFirstCreation(spec, Samples.DC1))
                .containsExactly("-9223372036854775807", "-3074457345618258943", "3074457345618257921");
        assertThat(Tokens.forFirstCreation(spec, Samples.DC2))
                .containsExactly("-9223372036854775806", "-3074457345618258942", "3074457345618257922");
    }

    @Property
    void every_node_of_a_new_cluster_owns_the_same_share(@ForAll @IntRange(min = 1, max = 1000) int nodes) {
        List<String> tokens = Tokens.forFirstCreation(Samples.spec("rides", nodes, 1), Samples.DC1);
        assertThat(Tokens.ownership(tokens)).hasSize(nodes).allSatisfy(share -> assertThat(share)
                .isCloseTo(1.0 / nodes, within(1e-9)));
    }

    @Property(tries = 200)
    void no_token_is_given_twice_over_both_datacenters_however_they_grow(
            @ForAll @IntRange(min = 1, max = 60) int first,
            @ForAll @IntRange(min = 1, max = 60) int second,
            @ForAll @IntRange(min = 0, max = 60) int more) {
        ClusterSpec spec = Samples.spec("rides", first, 1, second, 1);
        List<String> all = new ArrayList<>();
        for (var datacenter : spec.datacenterNames()) {
            List<String> tokens = Tokens.forFirstCreation(spec, datacenter);
            all.addAll(tokens);
            all.addAll(Tokens.forJoining(spec, datacenter, tokens, more));
        }
        Set<String> distinct = new HashSet<>(all);
        assertThat(distinct).hasSameSizeAs(all).doesNotContain(Long.toString(Long.MIN_VALUE));
    }

    @Property(tries = 200)
    void a_joining_node_takes_half_of_the_largest_range(@ForAll @IntRange(min = 1, max = 100) int nodes) {
        ClusterSpec spec = Samples.spec("rides", nodes, 1);
        List<String> tokens = new ArrayList<>(Tokens.forFirstCreation(spec, Samples.DC1));
        tokens.addAll(Tokens.forJoining(spec, Samples.DC1, tokens, 1));
        List<Double> shares = Tokens.ownership(tokens);
        assertThat(shares.get(nodes)).isCloseTo(0.5 / nodes, within(1e-9));
        assertThat(shares.stream().mapToDouble(Double::doubleValue).sum()).isCloseTo(1.0, within(1e-9));
    }
}
