package io.ringmaster.core.spec;

import static io.ringmaster.core.Samples.DC1;
import static io.ringmaster.core.Samples.DC2;
import static io.ringmaster.core.Samples.GIB;
import static io.ringmaster.core.Samples.machine;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.NodeResources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SpecFeasibilityTest {
    private static final List<Machine> MACHINES = List.of(machine(1, "r1"), machine(2, "r2"), machine(3, "r3"));

    private static List<String> lines(ClusterSpec spec, Set<DatacenterName> known) {
        return SpecFeasibility.problems(spec, known, Map.of(DC1, MACHINES)).stream()
                .map(p -> p.line())
                .toList();
    }

    private static ClusterSpec with(List<DatacenterSpec> datacenters, NodeResources resources) {
        ClusterSpec spec = Samples.spec("rides", 3, 2);
        return new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                datacenters,
                resources,
                spec.jvm(),
                spec.cassandraYaml(),
                spec.placement());
    }

    @Test
    void the_example_fits_the_playground() {
        assertThat(lines(Samples.spec("rides", 3, 2, 3, 2), Set.of(DC1, DC2))).isEmpty();
    }

    @Test
    void a_datacenter_that_no_server_knows_is_named_with_those_that_are_known() {
        assertThat(lines(Samples.spec("rides", 3, 2, 3, 2, 3, 2), Set.of(DC1, DC2)))
                .containsExactly("datacenters.dc3: no server knows datacenter 'dc3', allowed: dc1, dc2"
                        + " -> did you mean 'dc1'?");
    }

    @Test
    void a_size_that_no_machine_can_hold_is_refused_with_the_largest() {
        ClusterSpec huge = with(
                List.of(new DatacenterSpec(DC1, 3, 2, List.of())), new NodeResources(4000, 64 * GIB, GIB, 100 * GIB));
        assertThat(lines(huge, Set.of(DC1)))
                .containsExactly(
                        "node.memory: 64 GiB fits no machine of dc1, allowed: up to 4 GiB",
                        "node.disk: 100 GiB fits no machine of dc1, allowed: up to 20 GiB",
                        "node.cpus: 4.0 fits no machine of dc1, allowed: up to 2.0");
    }

    @Test
    void more_nodes_than_the_machines_can_hold_are_refused() {
        assertThat(lines(Samples.spec("rides", 4, 2), Set.of(DC1)))
                .containsExactly("datacenters.dc1.nodes: 4 nodes do not fit the 3 machines of dc1 at"
                        + " placement.nodes_per_machine 1, allowed: up to 3");
    }

    @Test
    void a_rack_must_exist_and_bounds_what_can_be_used() {
        ClusterSpec spec = with(
                List.of(new DatacenterSpec(DC1, 2, 1, List.of(new RackName("r1"), new RackName("r9")))), Samples.SMALL);
        assertThat(lines(spec, Set.of(DC1)))
                .containsExactly(
                        "datacenters.dc1.racks: 'r9' is not a rack of dc1, allowed: [r1, r2, r3]",
                        "datacenters.dc1.nodes: 2 nodes do not fit the 1 machines of dc1 at"
                                + " placement.nodes_per_machine 1, allowed: up to 1");
    }

    @Test
    void machines_of_another_datacenter_are_that_servers_to_check() {
        assertThat(lines(Samples.spec("rides", 3, 2, 50, 2), Set.of(DC1, DC2))).isEmpty();
    }

    @Test
    void parts_of_a_node_that_together_are_more_than_it_has_are_refused_with_their_sum() {
        ClusterSpec spec = Samples.spec("rides", 3, 2)
                .withCassandraYaml(Map.of(
                        "file_cache_size", "1GiB",
                        "networking_cache_size", "512MiB",
                        "memtable_allocation_type", "offheap_objects",
                        "memtable_offheap_space", "1GiB",
                        "cdc_enabled", true,
                        "cdc_total_space", "2GiB",
                        "commitlog_total_space", "100GiB"));
        assertThat(lines(spec, Set.of(DC1)))
                .containsExactly(
                        "node.memory: 1 GiB is less than its parts together, 2.8 GiB: node.heap 256 MiB,"
                                + " file_cache_size 1 GiB, networking_cache_size 512 MiB, memtable_offheap_space 1 GiB"
                                + " -> raise node.memory or lower one of these sizes",
                        "node.disk: 4 GiB is less than its parts together, 102 GiB: commitlog_total_space 100 GiB,"
                                + " cdc_total_space 2 GiB -> raise node.disk or lower one of these sizes");
    }

    @Test
    void a_size_that_nothing_uses_and_hints_for_nodes_that_are_up_are_not_counted() {
        ClusterSpec spec = Samples.spec("rides", 3, 2)
                .withCassandraYaml(Map.of(
                        "memtable_offheap_space", "1GiB",
                        "cdc_total_space", "100GiB",
                        "max_hints_size_per_host", "100GiB"));
        assertThat(lines(spec, Set.of(DC1))).isEmpty();
    }

    @Test
    void a_cluster_that_exceeds_its_nodes_can_be_changed_but_not_to_more() {
        ClusterSpec stored = Samples.spec("rides", 3, 2).withCassandraYaml(Map.of("file_cache_size_in_mb", "2_048"));
        ClusterSpec same = stored.withCassandraYaml(Map.of("file_cache_size", "2GiB", "concurrent_reads", 8));
        ClusterSpec more = stored.withCassandraYaml(Map.of("file_cache_size", "2049MiB"));
        assertThat(changed(stored, same)).isEmpty();
        assertThat(changed(stored, more)).extracting(Problem::field).containsExactly("node.memory");
        assertThat(changed(Samples.spec("rides", 3, 2), same))
                .extracting(Problem::field)
                .containsExactly("node.memory");
    }

    @Test
    void a_disk_that_cannot_be_changed_is_not_to_be_raised() {
        ClusterSpec stored = Samples.spec("rides", 3, 2);
        assertThat(changed(stored, stored.withCassandraYaml(Map.of("commitlog_total_space", "100GiB"))))
                .extracting(Problem::line)
                .containsExactly("node.disk: 4 GiB is less than its parts together, 100 GiB: commitlog_total_space"
                        + " 100 GiB -> lower one of these sizes");
    }

    private static List<Problem> changed(ClusterSpec former, ClusterSpec spec) {
        return SpecFeasibility.problems(spec, Optional.of(former), Set.of(DC1), Map.of(DC1, MACHINES));
    }

    @Test
    void parts_that_fit_are_not_counted_against_the_node() {
        ClusterSpec spec = Samples.spec("rides", 3, 2)
                .withCassandraYaml(Map.of("file_cache_size", "256MiB", "commitlog_total_space", "4096MiB"));
        assertThat(lines(spec, Set.of(DC1))).isEmpty();
    }
}
