package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What plans say before they begin: what moves, who feels it, what cannot be undone. Each node of the scene holds 2 KiB. */
class PlanNotesTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2, 3, 2);

    private static Scene threeReplicas() {
        return Scene.live(SPEC).replicas("trips", 3);
    }

    private static List<String> notes(Scene scene, String operation, Map<String, String> params) {
        Planned planned = Operations.named(operation).orElseThrow().plan(scene.view(), Scene.RIDES, params);
        assertThat(planned).isInstanceOf(Planned.Draft.class);
        return ((Planned.Draft) planned).notes();
    }

    private static ClusterSpec with(String parameter, Object value) {
        return SPEC.withCassandraYaml(Map.of(parameter, value));
    }

    @Test
    void a_change_that_needs_a_restart_says_who_feels_it_and_how_to_go_back() {
        assertThat(notes(threeReplicas().version(with("concurrent_reads", 8)), "deploy", Map.of()))
                .containsExactly(
                        "the cluster is live: one node at a time, each seen NORMAL by all before the next",
                        "nodes that are down come first, then in their order; where it fails, the version that ran"
                                + " well is put back on that node and the plan stops",
                        "every keyspace has 3 or more replicas in dc1: ONE, LOCAL_QUORUM, QUORUM and EACH_QUORUM go"
                                + " on, ALL does not",
                        "for these changes no data moves; to undo them apply version 1 again: cluster spec rides"
                                + " --version-number 1 prints it");
    }

    @Test
    void a_change_that_is_set_live_says_that_nobody_feels_it() {
        assertThat(notes(threeReplicas().version(with("compaction_throughput", "24MiB/s")), "deploy", Map.of()))
                .contains("nothing is restarted: no consistency level feels it")
                .noneMatch(n -> n.startsWith("every keyspace"));
    }

    @Test
    void work_on_tables_says_how_much_is_read_who_feels_it_and_what_stays() {
        assertThat(notes(threeReplicas(), "cleanup", Map.of()))
                .containsExactly(
                        "one node after another; every node goes on serving: no consistency level feels more than the"
                                + " load",
                        "on their own disks up to 6 KiB are read and written anew; it can be aborted at any time",
                        "it cannot be undone: rows of ranges that a node does not own are gone from it; their owners"
                                + " have them");
        assertThat(notes(threeReplicas().unheard(1), "compact", Map.of()))
                .anyMatch(n -> n.contains("up to 4 KiB and what is on node-1, not heard now, are read"));
    }

    @Test
    void a_drain_says_who_feels_the_node_and_how_it_comes_back() {
        assertThat(notes(threeReplicas(), "drain", Map.of("node", "dc1/node-2")))
                .hasSize(2)
                .last()
                .isEqualTo(
                        "no data moves; the node stays out of service until the operation restart brings it" + " back");
    }

    @Test
    void a_stop_says_when_requests_fail_and_that_everything_is_kept() {
        assertThat(notes(threeReplicas(), "stop", Map.of()))
                .containsExactly(
                        "datacenter after datacenter, all of its nodes at once: from then on every request there"
                                + " fails until it is started again; volumes and places are kept, and nothing moves");
    }

    @Test
    void a_replacement_expects_as_much_as_the_other_nodes_hold_on_average() {
        Scene scene = threeReplicas().settled().with(Samples.machine(4, "r2")).says(1, OperatingMode.DOWN);
        assertThat(notes(scene, "replace", Map.of("node", "dc1/node-1")))
                .anyMatch(n -> n.contains("from the other replicas, about 2 KiB as they hold on average"));
    }
}
