package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.core.Samples;
import io.ringmaster.core.spec.SpecDiff.Change.Effect;
import io.ringmaster.core.spec.SpecDiff.Progress;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecDiffTest {
    private static SpecDiff diff(String from, String to) {
        assertThat(ClusterSpecsTest.RIDES).contains(from);
        return SpecDiff.between(spec(ClusterSpecsTest.RIDES), spec(ClusterSpecsTest.RIDES.replace(from, to)));
    }

    private static ClusterSpec spec(String yaml) {
        ParsedSpec parsed = ClusterSpecs.parse(yaml);
        assertThat(parsed.problems()).isEmpty();
        return ((ParsedSpec.Valid) parsed).spec();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "heap: 256MiB | heap: 300MiB | node.heap: 256MiB -> 300MiB",
                "memory: 1GiB | memory: 2GiB | node.memory: 1GiB -> 2GiB",
                "cpus: 1 | cpus: 0.5 | node.cpus: 1.0 -> 0.5",
                "collector: serial | collector: g1 | jvm.collector: SERIAL -> G1",
                "options: [] | options: [-Xss1m] | jvm.options: [] -> [-Xss1m]",
                "cassandra_yaml: {} | cassandra_yaml: {concurrent_reads: 8} | cassandra_yaml.concurrent_reads: (none)"
                        + " -> 8"
            })
    void configuration_is_rolled_out_on_a_live_cluster(String from, String to, String line) {
        SpecDiff diff = diff(from, to);
        assertThat(diff.changes()).singleElement().satisfies(c -> {
            assertThat(c.line()).isEqualTo(line);
            assertThat(c.effect()).isEqualTo(Effect.RESTART);
        });
        assertThat(diff.restarts()).isTrue();
        assertThat(diff.unsupported(Progress.CREATED)).isEmpty();
    }

    @Test
    void cassandras_own_scheduler_cannot_be_enabled_on_a_complete_cluster_because_it_changes_the_schema_node_by_node() {
        SpecDiff diff = diff("options: []", "options: [-Dcassandra.autorepair.enable=true]");
        assertThat(diff.unsupported(Progress.PLACED)).isEmpty();
        assertThat(diff.unsupported(Progress.CREATED)).singleElement().satisfies(p -> {
            assertThat(p.field()).isEqualTo("jvm.options");
            assertThat(p.nextStep()).asString().contains("do not agree on one schema");
        });
    }

    @Test
    void a_live_parameter_needs_no_restart_unless_it_is_removed_without_a_known_default() {
        SpecDiff set =
                diff("cassandra_yaml: {}", "cassandra_yaml: {compaction_throughput: 8MiB/s, concurrent_compactors: 2}");
        assertThat(set.changes()).extracting(SpecDiff.Change::effect).containsExactly(Effect.LIVE, Effect.LIVE);
        assertThat(set.restarts()).isFalse();
        assertThat(set.ofNode()).hasSize(2);
        String both = ClusterSpecsTest.RIDES.replace(
                "cassandra_yaml: {}", "cassandra_yaml: {compaction_throughput: 8MiB/s, concurrent_compactors: 2}");
        SpecDiff removed = SpecDiff.between(spec(both), spec(ClusterSpecsTest.RIDES));
        assertThat(removed.changes()).extracting(SpecDiff.Change::effect).containsExactly(Effect.LIVE, Effect.RESTART);
    }

    @Test
    void more_nodes_join_a_live_cluster_without_a_restart_of_the_others() {
        SpecDiff diff = diff("dc2: {nodes: 3", "dc2: {nodes: 5");
        assertThat(diff.changes()).extracting(SpecDiff.Change::effect).containsExactly(Effect.JOIN);
        assertThat(diff.restarts()).isFalse();
        assertThat(diff.unsupported(Progress.CREATED)).isEmpty();
    }

    @Test
    void fewer_nodes_are_accepted_before_the_cluster_is_complete_too() {
        SpecDiff diff = diff("dc2: {nodes: 3", "dc2: {nodes: 2");
        assertThat(diff.unsupported(Progress.DECLARED)).isEmpty();
        assertThat(diff.unsupported(Progress.CREATED)).isEmpty();
        assertThat(diff.unsupported(Progress.PLACED)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dc2: {nodes: 3, | dc2: {nodes: 3, racks: [r1], | datacenters.dc2.racks | DECLARED",
                "cassandra: 5.0.9 | cassandra: 5.0.8 | cassandra | PLACED",
                "disk: 4GiB | disk: 8GiB | node.disk | DECLARED",
                "dc1: {nodes | 'dc0: {nodes: 1}\\n  dc1: {nodes' | datacenters.dc0 | DECLARED"
            })
    void what_cannot_be_changed_on_a_live_cluster_is_refused_by_field(
            String from, String to, String field, Progress supportedUntil) {
        SpecDiff diff = diff(from, to.replace("\\n", "\n"));
        for (Progress progress : Progress.values()) {
            List<Problem> refused = diff.unsupported(progress);
            if (progress.compareTo(supportedUntil) <= 0) {
                assertThat(refused).isEmpty();
            } else {
                assertThat(refused).singleElement().satisfies(p -> {
                    assertThat(p.code()).isEqualTo(ErrorCode.SPEC_CHANGE_UNSUPPORTED);
                    assertThat(p.field()).isEqualTo(field);
                    assertThat(p.message()).startsWith("cannot change from ");
                });
            }
        }
    }

    @Test
    void a_datacenter_can_be_added_to_a_live_cluster_after_those_it_has() {
        SpecDiff diff = diff("node: {cpus", "  dc3: {nodes: 1}\nnode: {cpus");
        assertThat(diff.changes()).extracting(SpecDiff.Change::field).containsExactly("datacenters.dc3");
        assertThat(diff.unsupported(Progress.CREATED)).isEmpty();
    }

    @Test
    void the_last_datacenter_can_be_removed_from_a_complete_cluster() {
        SpecDiff diff = diff("  dc2: {nodes: 3, seeds: 2}", "");
        assertThat(diff.changes()).extracting(SpecDiff.Change::field).containsExactly("datacenters.dc2");
        assertThat(diff.unsupported(Progress.CREATED)).isEmpty();
        assertThat(diff.unsupported(Progress.PLACED)).hasSize(1);
    }

    @Test
    void a_datacenter_before_others_cannot_be_removed_from_a_cluster_that_holds_data() {
        SpecDiff diff = diff("  dc1: {nodes: 3, seeds: 2}", "");
        assertThat(diff.unsupported(Progress.CREATED))
                .extracting(Problem::field)
                .containsExactly("datacenters.dc1");
    }

    @Test
    void the_order_of_datacenters_is_kept_because_tokens_depend_on_it() {
        ClusterSpec spec = Samples.spec("rides", 3, 2, 3, 2);
        ClusterSpec turned = spec.withDatacenters(
                List.of(spec.datacenters().get(1), spec.datacenters().get(0)));
        assertThat(SpecDiff.between(spec, turned).unsupported(Progress.CREATED))
                .extracting(Problem::line)
                .containsExactly("datacenters: cannot change from [dc1, dc2] to [dc2, dc1] on a created cluster"
                        + " -> tokens depend on the order of the datacenters; keep the order");
    }

    @Test
    void another_number_of_seeds_applies_from_the_next_start() {
        SpecDiff diff = diff("dc1: {nodes: 3, seeds: 2}", "dc1: {nodes: 3, seeds: 1}");
        assertThat(diff.changes()).extracting(SpecDiff.Change::effect).containsExactly(Effect.LATER);
        assertThat(diff.restarts()).isFalse();
        assertThat(diff.unsupported(Progress.CREATED)).isEmpty();
    }

    @Test
    void specs_of_two_clusters_are_not_compared() {
        assertThatThrownBy(() -> SpecDiff.between(Samples.spec("rides", 1, 1), Samples.spec("eats", 1, 1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
