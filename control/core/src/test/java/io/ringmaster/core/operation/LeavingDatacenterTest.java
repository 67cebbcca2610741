package io.ringmaster.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.lint.PlanDraft;
import io.ringmaster.core.lint.PlanLint;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The spec no longer names the deciding datacenter, dc1: it has only dc2. */
class LeavingDatacenterTest {
    private static final ClusterSpec SAMPLE = Samples.spec("rides", 3, 2, 3, 2);
    private static final DatacenterSpec DC1 = SAMPLE.datacenters().get(0);
    private static final DatacenterSpec DC2 = SAMPLE.datacenters().get(1);
    private static final ClusterSpec BOTH = with(DC2, DC1);
    private static final ClusterSpec WITHOUT = with(DC2);

    private static ClusterSpec with(DatacenterSpec... datacenters) {
        return SAMPLE.withDatacenters(List.of(datacenters));
    }

    private static Scene scene() {
        return Scene.live(BOTH).version(WITHOUT).peer(3, 1, 1, true, null);
    }

    private static Planned plan(Scene scene) {
        return new Deploy().plan(scene.view(), Scene.RIDES, Map.of());
    }

    private static Problem refused(Scene scene) {
        Planned planned = plan(scene);
        assertThat(planned).isInstanceOf(Planned.Refused.class);
        return ((Planned.Refused) planned).problems().get(0);
    }

    private static List<String> phases(Scene scene) {
        Planned planned = plan(scene);
        assertThat(planned).isInstanceOf(Planned.Draft.class);
        return ((Planned.Draft) planned).phases().stream().map(Phase::name).toList();
    }

    @Test
    void it_leaves_when_no_client_is_connected() {
        assertThat(phases(scene())).containsExactly("sync-datacenter", "repair", "compare", "replicate", "leave");
    }

    @Test
    void the_only_one_that_was_complete_does_not_leave() {
        assertThat(refused(Scene.live(BOTH).version(WITHOUT).peer(3, 1, 1, false, null))
                        .line())
                .isEqualTo(
                        "datacenters: rides was complete only in dc1, which the spec does not name: [dc2] may lack its data"
                                + " -> name dc1 too, and take it out when the deploy of another datacenter is complete");
    }

    @Test
    void it_is_not_removed_by_the_servers_of_other_datacenters() {
        Scene placedOnly = Scene.placed(with(DC1, DC2)).version(with(DC1)).peer(3, 1, 1, true, null);
        assertThat(refused(placedOnly).message()).startsWith("rides was complete only in dc2");
        Scene empty = Scene.declared(with(DC1, DC2)).version(with(DC1)).peer(3, 1, 1, true, null);
        assertThat(refused(empty).message()).startsWith("rides was complete only in dc2");
    }

    @Test
    void it_does_not_leave_while_keyspaces_with_replicas_only_there_are_unknown() {
        Scene scene = scene().knowsNothingYet(0).says(1, OperatingMode.DOWN).says(2, OperatingMode.DOWN);
        assertThat(refused(scene).message())
                .isEqualTo("no node of dc1 is NORMAL and reports whether a keyspace has replicas only there");
        assertThat(phases(scene.says(2, OperatingMode.NORMAL))).contains("leave");
    }

    @Test
    void a_spec_without_it_still_mends_the_node_that_the_spec_before_broke() {
        Scene scene = Scene.live(BOTH)
                .version(BOTH.withCassandraYaml(Map.of("concurrent_compactors", 0)))
                .version(WITHOUT)
                .peer(3, 1, 1, true, null)
                .record(0, r -> r.decide(2))
                .says(0, OperatingMode.DOWN)
                .says(1, OperatingMode.DOWN)
                .says(2, OperatingMode.DOWN);
        assertThat(refused(scene).message()).startsWith("no node of dc1 is NORMAL");
        scene.says(
                0, OperatingMode.DOWN, scene.view().nodes().get(Scene.node(0)).generation(), 2, 3);
        assertThat(phases(scene))
                .as("it is changed before the keyspaces are looked at")
                .containsExactly("sync-datacenter", "deploy", "repair", "compare", "replicate", "leave");
        assertThat(refused(scene.silent(1)).message())
                .as("node-1 may serve clients")
                .startsWith("no node of dc1 is NORMAL");
    }

    @Test
    void it_does_not_leave_with_the_last_replicas_of_a_keyspace_that_any_node_reports() {
        assertThat(refused(scene().onlyHere(2, "ledger")).message())
                .isEqualTo("keyspace ledger has replicas only in dc1 and would be lost");
    }

    @Test
    void it_does_not_leave_with_the_last_replicas_of_the_roles() {
        assertThat(refused(scene().rolesOnlyHere()).message())
                .isEqualTo("keyspace system_auth has replicas only in dc1 and would be lost");
    }

    @Test
    void it_does_not_leave_while_a_daemon_of_an_earlier_release_cannot_compare_its_rows() {
        Planned planned = plan(scene().earlierRelease(1));
        assertThat(((Planned.Refused) planned).problems())
                .extracting(Problem::line)
                .containsExactly("datacenters.dc1: rides/dc1/node-1 was started by an earlier release, which does not"
                        + " check its rows before it leaves -> name dc1 in the spec again; when that is done, run ringmaster"
                        + " node restart rides/dc1/node-1, then take it out again");
        assertThat(phases(scene().earlierRelease(1).says(1, OperatingMode.DOWN)))
                .contains("leave");
    }

    @Test
    void each_node_repairs_all_its_ranges_and_roles_with_all_replicas_since_the_plan() {
        Phase repair = ((Planned.Draft) plan(scene())).phases().get(1);
        assertThat(repair.strategy()).isEqualTo(Phase.Strategy.SERIAL);
        assertThat(repair.steps()).hasSize(3).allSatisfy(s -> assertThat(s.args())
                .containsEntry("kind", "REPAIR")
                .containsEntry("task.replica_ranges", "true")
                .containsEntry("task.system_auth", "true")
                .containsEntry("task.unless_after", Scene.NOW.toString())
                .doesNotContainKeys("task.within_dc", "task.keyspaces"));
    }

    @Test
    void then_each_node_compares_what_stays_before_replicas_are_removed() {
        List<Phase> phases = ((Planned.Draft) plan(scene())).phases();
        assertThat(phases.get(2).steps()).hasSize(3).allSatisfy(s -> assertThat(s.args())
                .containsEntry("kind", "COMPARE")
                .containsEntry("task.staying", "dc2"));
    }

    @Test
    void a_node_that_is_already_leaving_hands_over_its_rows_before_the_others_repair_them() {
        NodeTask task = new NodeTask("decommission-node-2-2", NodeTask.Kind.DECOMMISSION, Map.of());
        Planned.Draft draft =
                (Planned.Draft) plan(scene().record(2, r -> r.leave(task)).says(2, OperatingMode.LEAVING));
        assertThat(draft.phases())
                .extracting(Phase::name)
                .containsExactly("sync-datacenter", "deploy", "repair", "compare", "replicate", "leave");
        assertThat(draft.phases().get(1).steps()).extracting(StepState::name).containsExactly("leave dc1 node-2");
        assertThat(draft.phases().get(2).steps()).hasSize(2);
        assertThat(draft.phases().get(5).steps()).hasSize(2);
    }

    @Test
    void the_repair_cannot_be_forced_and_is_retried() {
        Scene scene = scene();
        Phase repair = ((Planned.Draft) plan(scene)).phases().get(1);
        Verdict forced = Steps.of(repair.steps().get(0)).forced(scene.view());
        assertThat(((Verdict.Failed) forced).problem().line())
                .startsWith("dc1 cannot leave without step 'repair dc1 node-2': rows could be lost")
                .endsWith("see ringmaster node logs rides/dc1/node-2, then retry the plan");
    }

    @Test
    void what_guards_the_rows_cannot_be_forced_and_is_mended_as_a_part_of_the_cluster() {
        Scene scene = scene();
        List<Phase> phases = ((Planned.Draft) plan(scene)).phases();
        for (Phase guard : phases.subList(2, 4)) {
            Verdict forced = Steps.of(guard.steps().get(0)).forced(scene.view());
            assertThat(forced).isInstanceOf(Verdict.Failed.class);
            assertThat(((Verdict.Failed) forced).problem().line())
                    .startsWith("dc1 cannot leave without step '"
                            + guard.steps().get(0).name() + "': rows could be lost")
                    .contains("name dc1 in the spec again")
                    .doesNotContain("KEYSPACE");
        }
    }

    @Test
    void it_notes_what_happens_to_roles_and_logins() {
        ClusterSpec guarded = WITHOUT.withRoles(List.of());
        Planned.Draft draft = (Planned.Draft)
                plan(Scene.live(BOTH.withRoles(List.of())).version(guarded).peer(3, 1, 1, true, null));
        assertThat(draft.notes())
                .last()
                .asString()
                .startsWith("system_auth keeps 1 replica here until the last node has left")
                .contains("CREATE ROLE, GRANT and the like keep working");
        assertThat(((Planned.Draft) plan(scene())).notes()).noneMatch(n -> n.startsWith("system_auth"));
    }

    @Test
    void connected_clients_prevent_it_and_are_listed() {
        Problem problem = refused(
                scene().client(0, "10.1.0.4", 2).client(1, "10.1.0.4", 1).client(1, "10.1.0.9", 1));
        assertThat(problem.line())
                .isEqualTo("datacenters.dc1: 2 clients are connected there: 10.1.0.4 as anna with a driver 4.1"
                        + " (3 connections), 10.1.0.9 as anna with a driver 4.1 (1 connection)"
                        + " -> move them to another datacenter, or apply the spec with --force");
        assertThat(refused(scene().client(2, "10.1.0.4", 1)).message()).startsWith("1 client is connected there: ");
    }

    @Test
    void the_clients_with_most_connections_are_listed() {
        Scene scene = scene();
        for (int i = 1; i <= 8; i++) {
            scene.client(0, "10.1.0." + i, i);
        }
        assertThat(refused(scene).message())
                .startsWith("8 clients are connected there: 10.1.0.8 as anna")
                .endsWith(", 10.1.0.4 as anna with a driver 4.1 (4 connections), and 3 more");
    }

    @Test
    void by_force_it_leaves_with_connected_clients() {
        assertThat(phases(scene().client(0, "10.1.0.4", 2).forced())).endsWith("leave");
    }

    @Test
    void a_datacenter_that_is_already_leaving_ignores_clients() {
        Scene leaving = Scene.placed(BOTH);
        for (int i = 0; i < 3; i++) {
            leaving.record(i, r -> r.decide(1).proven())
                    .claim(i, AllocationState.Status.RUNNING)
                    .says(i, OperatingMode.NORMAL);
        }
        ClusterRecord record = leaving.version(WITHOUT)
                .peer(3, 1, 1, true, null)
                .client(0, "10.1.0.4", 2)
                .view()
                .clusters()
                .get(Scene.RIDES);
        assertThat(record.created()).isFalse();
        assertThat(phases(leaving)).endsWith("leave");
    }

    @Test
    void a_member_whose_volume_is_gone_can_be_replaced_so_that_it_can_leave() {
        Scene scene = scene().says(1, OperatingMode.DOWN).claimGone(1);
        Planned replaced = new Replace().plan(scene.view(), Scene.RIDES, Map.of("node", "dc1/node-1"));
        assertThat(replaced).isInstanceOf(Planned.Draft.class);
    }

    @Test
    void a_member_that_is_being_replaced_joins_and_then_leaves() {
        Scene replacing = scene().record(1, r -> r.replacedAt(r.allocation(), Scene.endpoint(r), Scene.NOW));
        assertThat(phases(replacing))
                .containsExactly("sync-datacenter", "deploy", "repair", "compare", "replicate", "leave");
    }

    @Test
    void a_node_that_a_bad_spec_broke_is_fixed_before_it_leaves() {
        Scene scene = Scene.live(BOTH).version(BOTH).version(WITHOUT).peer(3, 1, 1, true, null);
        Scene broken = scene.record(1, r -> r.decide(2)).says(1, OperatingMode.DOWN);
        assertThat(phases(broken))
                .containsExactly("sync-datacenter", "deploy", "repair", "compare", "replicate", "leave");
        Planned.Draft draft = (Planned.Draft) plan(broken);
        assertThat(PlanLint.problems(new PlanDraft(
                        broken.view(), Scene.RIDES, Deploy.NAME, Map.of(), 3, draft.changes(), draft.phases())))
                .isEmpty();
    }
}
