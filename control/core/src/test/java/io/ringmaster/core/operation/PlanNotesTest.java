package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The notes of plans: what moves, which requests are affected, what cannot be undone. Each node of the scene holds 2
 * KiB.
 */
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
    void a_change_that_needs_a_restart_notes_affected_requests_and_how_to_undo_it() {
        assertThat(notes(threeReplicas().version(with("concurrent_reads", 8)), "deploy", Map.of()))
                .containsExactly(
                        "the cluster is live: one node at a time, each seen NORMAL by all before the next",
                        "nodes that are down come first, then the others in order; if a node fails, its last good"
                                + " version is put back on it and the plan stops",
                        "every keyspace has 3 or more replicas in dc1: ONE, LOCAL_QUORUM, QUORUM and EACH_QUORUM work"
                                + " while one is down; ALL fails",
                        "these changes move no data; to undo them apply version 1 again: cluster spec rides"
                                + " --version-number 1 prints it");
    }

    @Test
    void with_two_replicas_of_roles_no_plan_says_that_requests_of_every_client_work() {
        ClusterSpec guarded = SPEC.withRoles(List.of()).withCassandraYaml(Map.of("permissions_validity", "1h"));
        Scene two = Scene.live(guarded).replicas("trips", 2).roleReplicas(Map.of("dc1", 2, "dc2", 3));
        for (String operation : List.of("restart", "drain")) {
            assertThat(notes(two, operation, Map.of("node", "dc1/node-2")))
                    .contains(
                            "keyspace trips has 2 replicas in dc1: LOCAL_QUORUM and QUORUM requests for a node's ranges"
                                    + " fail while it is down; ONE works for clients whose login and permissions the"
                                    + " other nodes keep",
                            "roles have 2 replicas in dc1: while a node is down, the others let in and serve only"
                                    + " clients whose login and permissions they have read before, for at most 2s"
                                    + " (credentials_validity), 1h (permissions_validity), 2s (roles_validity); with"
                                    + " three nodes they serve every client");
        }
        assertThat(notes(two.roleReplicas(Map.of("dc1", 3)), "restart", Map.of()))
                .noneMatch(n -> n.startsWith("roles have"))
                .anyMatch(n -> n.endsWith("ONE works"));
        assertThat(notes(Scene.live(SPEC).replicas("trips", 2).roleReplicas(Map.of("dc1", 1)), "restart", Map.of()))
                .as("where nobody logs in")
                .noneMatch(n -> n.startsWith("roles have"));
    }

    @Test
    void the_change_that_brings_longer_times_does_not_promise_them_for_its_own_restart() {
        ClusterSpec guarded = SPEC.withRoles(List.of()).withCassandraYaml(Map.of());
        ClusterSpec longer = guarded.withCassandraYaml(
                Map.of("credentials_validity", "1h", "permissions_validity", "1h", "roles_validity", "1h"));
        Scene scene = Scene.live(guarded)
                .replicas("trips", 2)
                .roleReplicas(Map.of("dc1", 2, "dc2", 3))
                .version(longer);
        assertThat(notes(scene, "deploy", Map.of()))
                .anyMatch(n -> n.startsWith("roles have 2 replicas") && n.contains("for at most 2s;"))
                .contains("until it has restarted, a node keeps logins and permissions that it has read for 2s, and"
                        + " from then on for 1h");
        assertThat(notes(Scene.live(longer).replicas("trips", 2), "restart", Map.of()))
                .noneMatch(n -> n.startsWith("until it has restarted"));
    }

    @Test
    void a_live_change_notes_that_no_request_is_affected() {
        assertThat(notes(threeReplicas().version(with("compaction_throughput", "24MiB/s")), "deploy", Map.of()))
                .contains("nothing is restarted: no consistency level is affected")
                .noneMatch(n -> n.startsWith("every keyspace"));
    }

    @Test
    void maintenance_of_tables_notes_the_data_read_affected_requests_and_lasting_effects() {
        assertThat(notes(threeReplicas(), "cleanup", Map.of()))
                .containsExactly(
                        "one node after another; every node keeps serving: the only effect on any consistency level is"
                                + " load",
                        "up to 6 KiB are read and rewritten, each node on its own disk; it can be aborted at any time",
                        "this cannot be undone: a node drops the rows of ranges that it does not own; their owners"
                                + " have them");
        assertThat(notes(threeReplicas().unheard(1), "compact", Map.of()))
                .anyMatch(n -> n.contains("up to 4 KiB plus an unknown amount on node-1 are read"));
    }

    @Test
    void a_drain_notes_affected_requests_and_how_the_node_returns() {
        assertThat(notes(threeReplicas(), "drain", Map.of("node", "dc1/node-2")))
                .hasSize(2)
                .last()
                .isEqualTo(
                        "no data moves; the node stays out of service until the operation restart brings it" + " back");
    }

    @Test
    void a_stop_notes_when_requests_fail_and_that_everything_is_kept() {
        assertThat(notes(threeReplicas(), "stop", Map.of()))
                .containsExactly(
                        "datacenter by datacenter, all nodes of each at once: every request there fails until the"
                                + " cluster is started again; volumes and allocations are kept; nothing moves");
    }

    @Test
    void a_replacement_expects_the_average_of_the_other_nodes() {
        Scene scene = threeReplicas().settled().with(Samples.machine(4, "r2")).says(1, OperatingMode.DOWN);
        assertThat(notes(scene, "replace", Map.of("node", "dc1/node-1")))
                .anyMatch(n -> n.contains("from the other replicas, about 2 KiB (their average)"));
    }
}
