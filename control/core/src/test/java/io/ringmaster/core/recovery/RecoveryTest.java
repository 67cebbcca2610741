package io.ringmaster.core.recovery;

import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.LAUNCHING;
import static io.ringmaster.model.fleet.AllocationState.Status.PENDING;
import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.fleet.AllocationState.Status.UNREACHABLE;
import static io.ringmaster.model.node.ClientAccess.AWAITS_CREATION;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.CommandLines;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.step.EvacuateNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.RecordKey;
import io.ringmaster.model.spec.AutomaticReplacement;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.NodeResources;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RecoveryTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);

    private static List<String> commands(Scene scene) {
        return Recovery.of(scene.view(), Scene.RIDES).commands().stream()
                .map(CommandLines::of)
                .toList();
    }

    private static Scene launchedOnce() {
        return Scene.placed(SPEC).record(0, r -> r.decide(1)).unheard(0);
    }

    @Test
    void a_healthy_cluster_needs_no_command() {
        assertThat(commands(Scene.live(SPEC))).isEmpty();
    }

    @Test
    void a_node_that_was_stopped_to_be_moved_is_started_again_when_no_plan_moves_it() {
        Scene scene = Scene.live(SPEC).record(1, NodeRecord::evacuate).says(1, OperatingMode.DOWN);
        assertThat(commands(scene)).containsExactly("Apply node-1 g3 v1 while down");
        assertThat(commands(scene.plan(moving(PlanStatus.PAUSED)))).isEmpty();
        assertThat(commands(scene.plan(moving(PlanStatus.ABORTED)))).containsExactly("Apply node-1 g3 v1 while down");
    }

    @Test
    void since_when_a_machine_is_lost_is_kept_where_its_nodes_are_to_be_replaced_until_it_is_back() {
        Scene scene = Scene.live(SPEC.with(new AutomaticReplacement(30)))
                .without(Samples.machine(2, "r2"))
                .says(1, OperatingMode.DOWN)
                .silent(1);
        assertThat(lostSince(scene)).isEqualTo(Scene.NOW);
        assertThat(lostSince(scene.later(60))).isEqualTo(Scene.NOW);
        assertThat(lostSince(scene.with(Samples.machine(2, "r2")))).isNull();
        Scene unasked = Scene.live(SPEC)
                .without(Samples.machine(2, "r2"))
                .says(1, OperatingMode.DOWN)
                .silent(1);
        assertThat(lostSince(unasked)).isNull();
    }

    /** Since when node-1 is lost, after the changes of the scene are stored. */
    private static Instant lostSince(Scene scene) {
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        return scene.view().nodes().get(Scene.node(1)).lostSince();
    }

    private static Plan moving(PlanStatus status) {
        Step step = new EvacuateNode(Scene.node(1), new MachineName("machine-2"), false);
        return Samples.plan(
                "evacuate", status, new Phase("evacuate", Phase.Strategy.SERIAL, List.of(Steps.pending(step))));
    }

    @Test
    void an_executor_that_ended_is_launched_again() {
        assertThat(commands(Scene.live(SPEC).claim(1, EXITED))).containsExactly("Launch node-1 g1");
        assertThat(commands(Scene.live(SPEC).claim(1, RESERVED))).containsExactly("Launch node-1 g1");
        assertThat(commands(Scene.live(SPEC).claim(1, FAILED))).containsExactly("Launch node-1 g1");
        assertThat(commands(Scene.live(SPEC).claim(1, LAUNCHING))).isEmpty();
    }

    @Test
    void a_target_that_an_executor_does_not_report_is_sent_again() {
        assertThat(commands(Scene.live(SPEC).record(1, r -> r.decide(1)))).containsExactly("Apply node-1 g2 v1");
        assertThat(commands(Scene.live(SPEC).record(1, r -> r.decide(1)).silent(1)))
                .isEmpty();
    }

    @Test
    void a_target_is_sent_again_when_the_seed_urls_changed_and_nothing_else() {
        Scene scene = Scene.live(SPEC).asks(1, "http://10.0.0.1:8080");
        assertThat(commands(scene)).containsExactly("Apply node-1 g1 v1");
        assertThat(commands(scene.silent(1))).isEmpty();
        scene.says(1, NORMAL).seedUrls("http://a:8080", "http://b:8080");
        assertThat(commands(scene)).as("an older executor reports no URLs").isEmpty();
        assertThat(commands(scene.asks(1, "http://a:8080"))).containsExactly("Apply node-1 g1 v1");
        assertThat(commands(scene.asks(1, "http://a:8080", "http://b:8080"))).isEmpty();
    }

    @Test
    void of_two_late_decisions_that_of_the_first_datacenter_is_carried_out_first() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2);
        ClusterSpec turned = both.withDatacenters(
                List.of(both.datacenters().get(1), both.datacenters().get(0)));
        assertThat(commands(lateRestart(both).peerNode(0, OperatingMode.UNKNOWN)))
                .containsExactly("Apply node-1 g2 v1");
        assertThat(commands(lateRestart(turned).peerNode(0, OperatingMode.UNKNOWN)))
                .isEmpty();
    }

    @Test
    void a_late_restart_waits_like_a_new_one_for_the_hints_of_another_node() {
        Scene scene = lateRestart(Samples.spec("rides", 3, 2, 3, 2));
        assertThat(commands(scene.hints(0, "host-2", 64L << 20))).isEmpty();
        assertThat(commands(scene.hints(0, "host-2", 0))).containsExactly("Apply node-1 g2 v1");
    }

    @Test
    void a_late_restart_waits_until_a_new_leader_has_reports_from_all_nodes() {
        Scene scene = lateRestart(Samples.spec("rides", 3, 2, 3, 2));
        assertThat(commands(scene.unheard(0))).noneMatch(c -> c.startsWith("Apply node-1"));
        assertThat(commands(scene.says(0, NORMAL))).containsExactly("Apply node-1 g2 v1");
    }

    @Test
    void a_late_restart_waits_while_another_node_does_not_answer_since_nobody_knows_what_hints_it_keeps() {
        Scene scene = lateRestart(Samples.spec("rides", 3, 2, 3, 2)).hints(0, "host-2", 64L << 20);
        assertThat(commands(scene.silent(0))).isEmpty();
        assertThat(commands(scene.says(0, NORMAL))).isEmpty();
        assertThat(commands(scene.hints(0, "host-2", 0))).containsExactly("Apply node-1 g2 v1");
    }

    @Test
    void a_late_restart_waits_also_while_the_companion_of_a_node_that_may_serve_does_not_answer() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2);
        for (OperatingMode silent : List.of(OperatingMode.UNKNOWN, OperatingMode.LAUNCHED)) {
            Scene scene = lateRestart(both).pauses(1, silent);
            assertThat(commands(scene)).as("all others serve").containsExactly("Apply node-1 g2 v1");
            assertThat(commands(scene.says(0, OperatingMode.DOWN))).noneMatch(c -> c.startsWith("Apply node-1"));
        }
    }

    @Test
    void a_late_target_waits_also_while_its_node_starts_with_the_former_one_and_another_is_down() {
        Scene scene = lateRestart(Samples.spec("rides", 3, 2, 3, 2)).says(1, OperatingMode.STARTING, 1, 1, 0);
        assertThat(commands(scene)).as("all others serve").containsExactly("Apply node-1 g2 v1");
        assertThat(commands(scene.says(0, OperatingMode.DOWN))).noneMatch(c -> c.startsWith("Apply node-1"));
        assertThat(commands(scene.says(1, OperatingMode.DOWN, 1, 1, 0)))
                .as("it cannot start as it is; should it start after all, it keeps its former target")
                .contains("Apply node-1 g2 v1 while down");
    }

    @Test
    void of_two_late_changes_here_the_second_waits_until_the_first_node_serves_with_its_own() {
        Scene scene = Scene.live(SPEC)
                .version(SPEC)
                .record(1, r -> r.decide(2))
                .record(2, r -> r.decide(2))
                .says(1, NORMAL, 1, 1, 0)
                .says(2, NORMAL, 1, 1, 0);
        assertThat(commands(scene)).containsExactly("Apply node-1 g2 v2");
        assertThat(commands(scene.says(1, NORMAL, 2, 1, 0)))
                .as("it is about to drain")
                .isEmpty();
        assertThat(commands(scene.says(1, NORMAL))).containsExactly("Apply node-2 g2 v2");
        scene.says(1, NORMAL, 1, 1, 0).says(2, NORMAL, 2, 1, 0);
        assertThat(commands(scene)).as("node-2 is about to drain").isEmpty();
    }

    @Test
    void a_late_restart_does_not_wait_for_a_node_here_that_waits_for_another_datacenter() {
        Scene scene = decidedOutOfTurn()
                .record(2, NodeRecord::restart)
                .says(1, NORMAL, 1, 1, 0)
                .says(2, NORMAL, 1, 1, 0)
                .peer(3, 2, 1, true, null);
        assertThat(commands(scene)).containsExactly("Apply node-2 g2 v1");
    }

    @Test
    void a_node_that_never_joined_takes_each_target_since_it_must_not_join_with_an_older_one() {
        Scene scene = Scene.live(SPEC).record(1, r -> NodeRecord.placed(r.id(), r.allocation(), r.rack(), r.tokens(), 1)
                .decide(1)
                .decide(1));
        assertThat(commands(scene.says(1, OperatingMode.DOWN, 1, 1, 0))).containsExactly("Apply node-1 g2 v1");
    }

    private static Scene lateRestart(ClusterSpec spec) {
        return Scene.live(spec)
                .record(1, NodeRecord::restart)
                .says(1, NORMAL, 1, 1, 0)
                .peer(3, 1, 1, true, null);
    }

    /** A version that dc2 takes first is decided for node-1 here. */
    private static Scene decidedOutOfTurn() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2);
        ClusterSpec changed = both.withDatacenters(
                        List.of(both.datacenters().get(1), both.datacenters().get(0)))
                .withCassandraYaml(Map.of("concurrent_reads", 8));
        return Scene.live(both).version(changed).record(1, r -> r.decide(2));
    }

    @Test
    void a_node_that_recovered_without_help_waits_for_the_order_of_the_datacenters() {
        Scene scene = decidedOutOfTurn().says(1, NORMAL, 1, 1, 0).peer(3, 2, 1, true, null);
        assertThat(commands(scene)).isEmpty();
        assertThat(commands(scene.peerSilent())).isEmpty();
        assertThat(commands(scene.peer(3, 2, 2, true, null))).containsExactly("Apply node-1 g2 v2");
        assertThat(commands(scene.peer(3, 2, 1, true, null).says(1, OperatingMode.DOWN, 1, 1, 3)))
                .as("what is down is mended at once")
                .containsExactly("Apply node-1 g2 v2 while down");
    }

    @Test
    void nothing_follows_from_absence_before_the_pool_has_reported() {
        Scene scene = Scene.live(SPEC).unheard(0).claimGone(0).poolUnseen();
        assertThat(commands(scene)).containsExactly("Watch node-0");
    }

    @Test
    void a_lost_allocation_is_reserved_again_only_for_a_node_that_never_held_data() {
        assertThat(commands(launchedOnce())).contains("Reserve rides-dc1-node-0");
        assertThat(commands(Scene.live(SPEC).claimGone(0))).isEmpty();
        assertThat(commands(Scene.live(SPEC).claim(0, RELEASED))).containsExactly("Reserve rides-dc1-node-0");
    }

    @Test
    void a_removed_node_is_killed_wherever_it_still_runs() {
        Scene scene = Scene.live(SPEC).record(0, NodeRecord::takenAway);
        assertThat(commands(scene)).containsExactly("Kill rides-dc1-node-0");
        assertThat(commands(scene.claim(0, EXITED))).containsExactly("Kill rides-dc1-node-0");
        assertThat(commands(scene.claim(0, RESERVED))).isEmpty();
    }

    @Test
    void an_unknown_allocation_is_stopped_only_if_its_cluster_was_deleted_and_never_destroyed() {
        for (AllocationState.Status status : EnumSet.complementOf(EnumSet.of(RESERVED))) {
            assertThat(commands(Scene.live(SPEC).stray("rides-stray", status))).isEmpty();
        }
        Scene deleted = Scene.declared(SPEC).deleting();
        assertThat(commands(deleted.stray("rides-stray", RUNNING))).containsExactly("Kill rides-stray");
        assertThat(commands(deleted.stray("rides-stray", RESERVED))).containsExactly("Release rides-stray keep");
        assertThat(commands(deleted.stray("rides-stray", RELEASED))).isEmpty();
    }

    @Test
    void an_allocation_that_was_reserved_after_its_node_was_dropped_is_released_with_its_volume_kept() {
        assertThat(commands(Scene.live(SPEC).stray("rides-stray", RESERVED)))
                .containsExactly("Release rides-stray keep");
    }

    @Test
    void the_former_allocation_of_a_replaced_node_is_released_once() {
        Scene scene = Scene.live(SPEC).stray("rides-stray", RESERVED);
        Allocation former =
                scene.view().allocations().get(new AllocationId("rides-stray")).allocation();
        scene.record(0, r -> r.withPreviousAllocations(List.of(former)));
        assertThat(commands(scene)).containsExactly("Release rides-stray keep");
    }

    @Test
    void limits_that_differ_from_the_record_are_set_again() {
        NodeResources more = new NodeResources(1500, Samples.GIB, Samples.GIB / 4, Samples.GIB);
        Scene scene =
                Scene.live(SPEC).record(0, r -> r.withAllocation(r.allocation().withResources(more)));
        assertThat(commands(scene)).containsExactly("Reserve rides-dc1-node-0");
    }

    @Test
    void a_first_observation_is_recorded() {
        Scene scene = Scene.placed(SPEC)
                .record(0, r -> r.decide(1))
                .claim(0, RUNNING)
                .access(0, AWAITS_CREATION)
                .says(0, NORMAL);
        assertThat(Recovery.of(scene.view(), Scene.RIDES).changes())
                .singleElement()
                .satisfies(change -> {
                    NodeRecord seen = (NodeRecord) ((Change.Put) change).record();
                    assertThat(seen.joined()).isTrue();
                    assertThat(seen.launchedAt()).isEqualTo(Scene.NOW);
                });
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        assertThat(Recovery.of(scene.view(), Scene.RIDES).changes()).isEmpty();
    }

    private static Scene leaving() {
        NodeTask task = new NodeTask("decommission-node-2-2", NodeTask.Kind.DECOMMISSION, Map.of());
        Scene scene = Scene.live(SPEC).record(2, r -> r.leave(task)).says(2, OperatingMode.LEAVING);
        return scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
    }

    @Test
    void a_leaving_node_keeps_its_task_whatever_happens_to_the_plan() {
        assertThat(commands(leaving())).isEmpty();
        assertThat(Recovery.of(leaving().view(), Scene.RIDES).changes()).isEmpty();
    }

    @Test
    void a_node_that_has_left_is_stopped_released_and_forgotten_and_never_runs_again() {
        Scene scene = leaving().says(2, OperatingMode.DECOMMISSIONED);
        assertThat(commands(scene)).containsExactly("Forget node-2", "Kill rides-dc1-node-2");
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes()).unheard(2);
        assertThat(commands(scene.claim(2, EXITED))).containsExactly("Kill rides-dc1-node-2");
        assertThat(commands(scene.claim(2, RESERVED))).containsExactly("Release rides-dc1-node-2 keep");
        scene.claim(2, RELEASED);
        assertThat(commands(scene)).isEmpty();
        assertThat(Recovery.of(scene.view(), Scene.RIDES).changes())
                .containsExactly(
                        new Change.Remove(new RecordKey.OfNode(NodeId.of("rides/dc1/node-2"))),
                        new Change.Put(new ClusterRecord(Scene.RIDES, 1, true, false, false)
                                .withVolume(KeptVolume.of(
                                        leaving()
                                                .view()
                                                .nodes()
                                                .get(Scene.node(2))
                                                .allocation(),
                                        KeptVolume.Reason.LEFT,
                                        Scene.NOW,
                                        "dc1-1"))));
    }

    @Test
    void a_node_whose_decommission_was_refused_is_a_member_as_before() {
        Scene scene = leaving().says(2, NORMAL).task(2, TaskStatus.State.FAILED, "data is moving");
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        NodeRecord record = scene.view().nodes().get(Scene.node(2));
        assertThat(record.leaving()).isFalse();
        assertThat(record.task()).isNull();
    }

    /** Node 1 is replaced on machine-4, and its replacement runs. */
    private static Scene replaced() {
        Scene scene = Scene.live(SPEC).with(Samples.machine(4, "r2"));
        Allocation place = scene.view().nodes().get(Scene.node(1)).allocation();
        Allocation another = new Allocation(
                new AllocationId(place.id() + "-2"),
                place.node(),
                new MachineName("machine-4"),
                place.ports(),
                place.resources());
        return scene.record(1, r -> r.replacedAt(another, Scene.endpoint(r), Scene.NOW)
                        .decide(1))
                .claim(1, RUNNING);
    }

    /** Where node 1 was before. */
    private static Allocation former() {
        return replaced()
                .view()
                .nodes()
                .get(Scene.node(1))
                .previousAllocations()
                .get(0);
    }

    @Test
    void nothing_runs_in_the_former_allocation_of_a_replaced_node_and_its_volume_is_kept() {
        Allocation former = former();
        assertThat(commands(replaced().says(1, OperatingMode.JOINING).claimed(former, EXITED)))
                .containsExactly("Kill rides-dc1-node-1");
        assertThat(commands(replaced().says(1, OperatingMode.JOINING).claimed(former, RESERVED)))
                .containsExactly("Release rides-dc1-node-1 keep");
        assertThat(commands(replaced().says(1, OperatingMode.JOINING).claimed(former, RELEASED)))
                .isEmpty();
    }

    @Test
    void a_former_allocation_is_remembered_until_the_replacement_has_joined_so_that_no_other_gets_its_endpoint() {
        Allocation former = former();
        assertThat(observed(replaced().claimed(former, RELEASED).says(1, OperatingMode.JOINING))
                        .previousAllocations())
                .containsExactly(former);
        NodeRecord joined = observed(replaced().claimed(former, RELEASED).says(1, NORMAL));
        assertThat(joined.previousAllocations()).isEmpty();
        assertThat(joined.replaces()).isNull();
    }

    @Test
    void a_report_from_the_former_allocation_does_not_make_a_replacement_joined() {
        assertThat(observed(replaced().says(1, NORMAL, 1, 1, 0)).joined()).isFalse();
    }

    private static NodeRecord observed(Scene scene) {
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        return scene.view().nodes().get(Scene.node(1));
    }

    @Test
    void the_host_id_and_the_endpoint_of_a_node_are_recorded_while_it_is_normal() {
        Scene scene = Scene.live(SPEC).record(1, r -> r.knownAs("host-1", "127.7.7.7:7000"));
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        NodeRecord record = scene.view().nodes().get(Scene.node(1));
        assertThat(record.hostId()).isEqualTo("host-1");
        assertThat(record.lastEndpoint()).isEqualTo("127.1.1.2:7000");
        assertThat(Recovery.of(scene.view(), Scene.RIDES).changes()).isEmpty();
    }

    @Test
    void an_allocation_that_waits_or_cannot_be_reached_gets_no_second_launch() {
        assertThat(commands(Scene.live(SPEC).claim(1, PENDING).silent(1))).isEmpty();
        assertThat(commands(Scene.live(SPEC).claim(1, UNREACHABLE).silent(1))).isEmpty();
    }

    @Test
    void a_node_that_became_normal_gets_a_target_that_says_so() {
        Scene scene = launchedOnce().claim(0, RUNNING).says(0, OperatingMode.NORMAL);
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        assertThat(scene.view().nodes().get(Scene.node(0)).joined()).isTrue();
        assertThat(Recovery.of(scene.view(), Scene.RIDES).commands())
                .filteredOn(Command.Apply.class::isInstance)
                .singleElement()
                .satisfies(
                        c -> assertThat(((Command.Apply) c).target().joined()).isTrue());
    }

    @Test
    void a_volume_that_is_remembered_does_not_take_back_that_the_cluster_is_created() {
        Scene scene = Scene.placed(SPEC);
        for (int i = 0; i < 3; i++) {
            scene.record(i, r -> r.decide(1).proven()).claim(i, RUNNING).says(i, NORMAL);
        }
        scene.record(2, r -> r.leave(null).takenAway())
                .says(2, OperatingMode.DECOMMISSIONED)
                .claim(2, RELEASED);
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        ClusterRecord record = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        assertThat(record.created()).isTrue();
        assertThat(record.volumes()).hasSize(1);
    }

    @Test
    void the_record_of_a_node_that_has_left_does_not_wait_for_its_machine() {
        Scene scene = Scene.live(SPEC)
                .record(2, r -> r.leave(null).takenAway())
                .claim(2, UNREACHABLE)
                .silent(2);
        scene.after(Recovery.of(scene.view(), Scene.RIDES).changes());
        assertThat(scene.view().nodes()).doesNotContainKey(Scene.node(2));
        ClusterRecord record = Objects.requireNonNull(scene.view().clusters().get(Scene.RIDES));
        assertThat(record.volumes()).as("what returns there is stopped").hasSize(1);
    }
}
