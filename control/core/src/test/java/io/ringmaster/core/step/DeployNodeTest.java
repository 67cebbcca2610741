package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static io.ringmaster.model.fleet.AllocationState.Status.EXITED;
import static io.ringmaster.model.fleet.AllocationState.Status.FAILED;
import static io.ringmaster.model.fleet.AllocationState.Status.LAUNCHING;
import static io.ringmaster.model.fleet.AllocationState.Status.RELEASED;
import static io.ringmaster.model.fleet.AllocationState.Status.RESERVED;
import static io.ringmaster.model.fleet.AllocationState.Status.RUNNING;
import static io.ringmaster.model.node.OperatingMode.DOWN;
import static io.ringmaster.model.node.OperatingMode.JOINING;
import static io.ringmaster.model.node.OperatingMode.NORMAL;
import static io.ringmaster.model.node.OperatingMode.STARTING;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.CommandLines;
import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.desired.NodeChange;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.plan.NodeChangeKind;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.model.spec.NodeResources;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DeployNodeTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final Map<String, String> DECIDED = Map.of("stage", "decided");
    private static final Map<String, String> PUT_BACK =
            Map.of("stage", "put-back", "code", "DAEMON_FAILED", "cause", "bad option");

    private static ClusterSpec changed() {
        return with(Map.of("concurrent_reads", 8));
    }

    private static ClusterSpec with(Map<String, Object> parameters) {
        return SPEC.withCassandraYaml(parameters);
    }

    private static ClusterSpec bigger() {
        NodeResources more = new NodeResources(1000, 2 * Samples.GIB, 512 * Samples.MIB, 4 * Samples.GIB);
        return new ClusterSpec(
                SPEC.name(),
                SPEC.cassandraVersion(),
                SPEC.preset(),
                SPEC.datacenters(),
                more,
                SPEC.jvm(),
                SPEC.cassandraYaml(),
                SPEC.placement());
    }

    private static String create(Scene scene, Map<String, String> memory) {
        return Verdicts.line(new DeployNode(Scene.node(0), 1).next(scene.view(), ONE_AT_A_TIME, memory));
    }

    private static String change(Scene scene, Map<String, String> memory) {
        return Verdicts.line(new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, memory));
    }

    private static Scene creating() {
        return Scene.placed(SPEC).claim(0, RESERVED).record(0, r -> r.decide(1));
    }

    private static Scene changing() {
        return Scene.live(SPEC).version(changed()).record(0, r -> r.decide(2));
    }

    @Test
    void a_new_node_first_reserves_its_allocation() {
        assertThat(create(Scene.placed(SPEC), Map.of()))
                .isEqualTo("do {}[Reserve rides-dc1-node-0]: reserves its allocation on machine-1");
        assertThat(create(Scene.placed(SPEC).claim(0, RELEASED), Map.of())).startsWith("do {}[Reserve");
        assertThat(create(Scene.placed(SPEC).poolUnseen(), Map.of())).startsWith("wait: the pool has not reported");
    }

    @Test
    void after_the_reservation_the_target_is_stored_before_the_launch() {
        assertThat(create(Scene.placed(SPEC).claim(0, RESERVED), Map.of()))
                .isEqualTo(
                        "do {rides v1 founder, node-0 g1 v1 good0 launched}[Launch node-0 g1, Watch node-0]: applies version 1");
    }

    @Test
    void a_node_that_joins_a_created_cluster_must_repair_its_ranges_and_one_of_a_first_creation_need_not() {
        assertThat(decided(Scene.placed(SPEC).claim(0, RESERVED)).owesRepair()).isFalse();
        assertThat(decided(Scene.live(SPEC)
                                .record(0, r -> NodeRecord.placed(r.id(), r.allocation(), r.rack(), r.tokens(), 1))
                                .claim(0, RESERVED))
                        .owesRepair())
                .isTrue();
    }

    private static NodeRecord decided(Scene scene) {
        Verdict verdict = new DeployNode(Scene.node(0), 1).next(scene.view(), ONE_AT_A_TIME, Map.of());
        return ((Verdict.Do) verdict)
                .changes().stream()
                        .flatMap(c -> c instanceof Change.Put put && put.record() instanceof NodeRecord n
                                ? Stream.of(n)
                                : Stream.empty())
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void a_reservation_that_fails_is_tried_three_times() {
        Scene scene = Scene.placed(SPEC).claim(0, FAILED, "no such machine", Scene.NOW);
        assertThat(create(scene, Map.of())).isEqualTo("do {}[]: machine-1: no such machine; retries");
        assertThat(create(scene, Map.of("failures", "1", "failed_at", Scene.NOW.toString())))
                .startsWith("do {}[Reserve");
        assertThat(create(scene, Map.of("failures", "2", "failed_at", "earlier")))
                .isEqualTo("failed POOL_UNAVAILABLE: machine-1 failed 3 times: no such machine");
    }

    @Test
    void missing_binaries_fail_the_step_at_the_second_failure_with_their_own_code() {
        Problem missing = Problem.of(ErrorCode.BINARIES_UNAVAILABLE, "no Cassandra 5.0.9 here");
        Scene scene = creating().failed(0, missing, Scene.NOW);
        assertThat(create(scene, DECIDED)).isEqualTo("do {}[]: machine-1: no Cassandra 5.0.9 here; retries");
        assertThat(create(scene, Map.of("stage", "decided", "failures", "1", "failed_at", "earlier")))
                .isEqualTo("failed BINARIES_UNAVAILABLE: machine-1: no Cassandra 5.0.9 here");
    }

    @Test
    void a_full_disk_makes_a_reservation_wait_and_is_tried_every_ten_seconds() {
        Problem full = Problem.of(ErrorCode.DISK_FULL, "no space left in /state");
        Scene scene = Scene.placed(SPEC).failed(0, full, Scene.NOW);
        Map<String, String> failedBefore = Map.of("failures", "2", "failed_at", "earlier");
        for (Map<String, String> memory : List.of(Map.<String, String>of(), failedBefore)) {
            assertThat(create(scene, memory)).isEqualTo("wait: machine-1: no space left in /state");
        }
        assertThat(create(scene.later(10), failedBefore)).startsWith("do {}[Reserve");
    }

    @Test
    void a_launch_on_a_full_disk_waits() {
        Problem full = Problem.of(ErrorCode.DISK_FULL, "no space left in /state");
        Scene scene = creating().failed(0, full, Scene.NOW);
        Map<String, String> failedBefore = Map.of("stage", "decided", "failures", "2", "failed_at", "earlier");
        assertThat(create(scene, failedBefore)).isEqualTo("wait: machine-1: no space left in /state");
        assertThat(create(scene.later(60), failedBefore)).isEqualTo("wait: machine-1: no space left in /state");
    }

    @Test
    void a_node_whose_disk_is_full_makes_every_step_wait_that_starts_it() {
        Problem full = Problem.of(ErrorCode.DISK_FULL, "only 3 MiB are free at /volume");
        String waits = "wait: DOWN: only 3 MiB are free at /volume";
        assertThat(change(changing().problem(0, DOWN, full), DECIDED)).isEqualTo(waits);
        Scene restarted =
                Scene.live(SPEC).settled().record(0, NodeRecord::restart).problem(0, DOWN, full);
        Step restart = new RestartNode(Scene.node(0), false, true, "LOCAL_QUORUM");
        Map<String, String> started = Map.of(PostChangeCheck.STARTED_AT, Scene.NOW.toString());
        assertThat(Verdicts.line(restart.next(restarted.view(), ONE_AT_A_TIME, started)))
                .isEqualTo(waits);
        Step start = new StartStopNode(Scene.node(0), true);
        Scene stopped = Scene.live(SPEC).settled().problem(0, DOWN, full);
        assertThat(Verdicts.line(start.next(stopped.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-0 is DOWN: only 3 MiB are free at /volume");
    }

    @Test
    void a_volume_that_cannot_be_written_puts_no_deploy_back() {
        Problem readOnly = Problem.of(ErrorCode.VOLUME_READ_ONLY, "its volume /volume cannot be written");
        assertThat(change(changing().problem(0, DOWN, readOnly), DECIDED))
                .isEqualTo("wait: DOWN: its volume /volume cannot be written");
    }

    @Test
    void other_failures_of_the_pool_are_tried_three_times_and_keep_their_code() {
        Problem lost = Problem.of(ErrorCode.MACHINE_LOST, "the machine is lost");
        Scene scene = creating().failed(0, lost, Scene.NOW);
        assertThat(create(scene, DECIDED)).isEqualTo("do {}[]: machine-1: the machine is lost; retries");
        assertThat(create(scene, Map.of("stage", "decided", "failures", "2", "failed_at", "earlier")))
                .isEqualTo("failed MACHINE_LOST: machine-1 failed 3 times: the machine is lost");
    }

    @Test
    void a_node_that_is_to_leave_is_changed_only_when_it_is_broken_and_the_others_wait_for_it() {
        DatacenterSpec dc1 = SPEC.datacenters().get(0);
        ClusterSpec fewer = SPEC.withDatacenters(List.of(new DatacenterSpec(dc1.name(), 2, dc1.seeds(), dc1.racks())))
                .withCassandraYaml(Map.of("concurrent_reads", 8));
        Scene scene = Scene.live(SPEC).version(fewer);
        DeployNode step = new DeployNode(Scene.node(2), 2);
        assertThat(Verdicts.line(step.next(scene.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("done {}: not changed: the node leaves the ring");
        scene.says(2, DOWN);
        assertThat(step.mayOvertake(scene.view())).isFalse();
        assertThat(Verdicts.line(step.next(scene.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-2 is DOWN: doing things");
        scene.says(2, DOWN, 1, 1, 3);
        assertThat(step.mayOvertake(scene.view())).isTrue();
        assertThat(Verdicts.line(step.next(scene.view(), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("do {node-2 g2 v2 good1 joined launched}[Apply node-2 g2 v2 while down]: applies version 2");
    }

    @Test
    void the_wait_reason_shows_the_progress_of_the_start() {
        assertThat(create(creating(), DECIDED)).isEqualTo("wait: executor reserved; its executor has not answered yet");
        assertThat(create(creating().claim(0, LAUNCHING, "fetching jars", Scene.NOW), DECIDED))
                .isEqualTo("wait: executor launching (fetching jars); its executor has not answered yet");
        assertThat(create(creating().claim(0, RUNNING).silent(0), DECIDED))
                .isEqualTo("wait: executor running; its executor is silent: connection refused");
        assertThat(create(creating().claim(0, RUNNING).says(0, JOINING), DECIDED))
                .isEqualTo("wait: JOINING: doing things");
    }

    @Test
    void a_created_node_is_done_when_it_is_normal() {
        assertThat(create(creating().claim(0, RUNNING).says(0, NORMAL), DECIDED))
                .isEqualTo("done {node-0 g1 v1 good1 joined launched}: NORMAL");
    }

    @Test
    void a_daemon_that_keeps_ending_fails_a_first_creation_with_the_cause() {
        Scene scene = creating().claim(0, RUNNING);
        assertThat(create(scene.says(0, DOWN, 1, 0, 2), DECIDED)).startsWith("wait: DOWN");
        assertThat(create(scene.says(0, DOWN, 1, 0, 3), DECIDED)).isEqualTo("failed DAEMON_FAILED: bad option");
    }

    @Test
    void trouble_with_an_older_target_does_not_count() {
        Scene scene = creating().claim(0, RUNNING).record(0, r -> r.decide(1));
        assertThat(create(scene.says(0, DOWN, 1, 0, 3), DECIDED)).isEqualTo("wait: executor takes the new target");
    }

    @Test
    void a_retried_node_gets_a_new_generation_so_that_its_exits_are_counted_from_zero() {
        Scene scene = creating().claim(0, RUNNING).says(0, DOWN, 1, 0, 3);
        assertThat(create(scene, Map.of()))
                .isEqualTo(
                        "do {rides v1 founder, node-0 g2 v1 good0 launched}[Apply node-0 g2 v1 first]: applies version 1");
    }

    @Test
    void a_bootstrap_that_keeps_failing_fails_the_plan_also_while_the_node_tries_again_and_a_retry_goes_on() {
        Scene scene = creating().claim(0, RUNNING);
        assertThat(create(scene.says(0, JOINING, 1, 0, 2), DECIDED)).startsWith("wait: JOINING");
        Scene failed = scene.says(0, JOINING, 1, 0, 3);
        assertThat(create(failed, DECIDED)).isEqualTo("failed DAEMON_FAILED: bad option");
        assertThat(create(failed, Map.of())).contains("[Apply node-0 g2 v1 first]: applies version 1");
    }

    @Test
    void a_live_node_is_changed_only_while_all_others_are_healthy() {
        Scene scene = Scene.live(SPEC).version(changed());
        assertThat(change(scene, Map.of()))
                .isEqualTo("do {node-0 g2 v2 good1 joined launched}[Apply node-0 g2 v2]: applies version 2");
        assertThat(change(scene.says(1, DOWN), Map.of())).isEqualTo("wait: node-1 is DOWN: doing things");
        assertThat(change(scene.silent(1), Map.of())).isEqualTo("wait: node-1: its executor does not answer");
    }

    @Test
    void a_node_of_another_datacenter_that_is_seen_down_blocks_without_any_server_there() {
        Scene scene = Scene.live(SPEC).version(changed()).remoteSeen(0, true).remoteSeen(1, false);
        assertThat(change(scene, Map.of())).isEqualTo("wait: node-1 sees 127.1.2.2:7000 (dc2) DOWN");
    }

    @Test
    void another_node_that_has_not_taken_its_target_blocks_though_it_looks_normal() {
        Scene scene = Scene.live(SPEC).version(changed()).record(1, r -> r.decide(2));
        assertThat(change(scene, Map.of())).isEqualTo("wait: node-1 has not taken its newest target yet");
    }

    @Test
    void a_broken_node_may_be_changed_while_another_is_broken() {
        Scene scene = Scene.live(SPEC).version(changed()).says(0, DOWN, 1, 0, 3).says(1, DOWN, 1, 0, 3);
        assertThat(change(scene, Map.of())).startsWith("do {node-0 g2 v2");
    }

    @Test
    void a_broken_node_that_starts_after_all_does_not_take_what_was_decided_while_it_was_down() {
        Scene scene = Scene.live(SPEC).version(changed()).says(0, DOWN, 1, 0, 3).silent(1);
        assertThat(change(scene, Map.of()))
                .isEqualTo("do {node-0 g2 v2 good1 joined launched}[Apply node-0 g2 v2 while down]: applies version 2");
    }

    @Test
    void a_good_version_is_put_back_on_a_starting_node_beside_a_dead_one_only_if_it_ends_again() {
        Scene scene = changing().says(0, STARTING, 2, 2, 3);
        assertThat(change(scene, DECIDED)).contains("[Apply node-0 g3 v1]: ");
        assertThat(change(scene.silent(1), DECIDED)).contains("[Apply node-0 g3 v1 while down]: ");
    }

    @Test
    void only_a_node_that_is_broken_under_its_newest_target_overtakes_the_others() {
        Scene scene = Scene.live(SPEC).version(changed()).says(0, DOWN, 1, 0, 2);
        DeployNode step = new DeployNode(Scene.node(0), 2);
        assertThat(step.mayOvertake(scene.view())).isFalse();
        assertThat(step.mayOvertake(scene.says(0, DOWN, 1, 0, 3).view())).isTrue();
        assertThat(step.mayOvertake(scene.record(0, r -> r.decide(2)).view())).isFalse();
    }

    @Test
    void a_joined_node_is_not_changed_by_a_new_leader_that_does_not_know_yet_that_the_cluster_is_complete() {
        Scene scene = Scene.placed(SPEC).version(changed());
        for (int i = 0; i < 3; i++) {
            scene.record(i, r -> r.decide(1).proven()).claim(i, RUNNING);
        }
        assertThat(change(scene, Map.of())).isEqualTo("wait: node-1: its executor does not answer");
        scene.says(1, NORMAL).says(2, NORMAL);
        assertThat(change(scene, Map.of())).isEqualTo("wait: its executor has not answered yet");
        assertThat(change(scene.says(0, NORMAL), Map.of())).startsWith("do {rides v2 founder, node-0 g2 v2");
    }

    @Test
    void a_launched_node_is_not_changed_before_its_state_is_known() {
        Scene scene = Scene.placed(SPEC)
                .version(changed())
                .record(0, r -> r.decide(1))
                .claim(0, RUNNING);
        assertThat(change(scene, Map.of())).isEqualTo("wait: its executor has not answered yet");
        assertThat(change(scene.silent(0), Map.of())).startsWith("do {rides v2 founder, node-0 g2 v2");
    }

    @Test
    void a_changed_node_that_is_normal_goes_through_the_post_change_check() {
        assertThat(change(changing(), DECIDED)).isEqualTo("wait: executor takes the new target");
        assertThat(change(changing().says(0, NORMAL, 2, 1, 0), DECIDED)).isEqualTo("wait: NORMAL: doing things");
        assertThat(change(changing().says(0, NORMAL), DECIDED))
                .isEqualTo("do {}[]: NORMAL; the post-change check starts");
    }

    @Test
    void after_a_crash_between_storing_and_sending_the_step_continues_from_the_store() {
        Scene scene = Scene.live(SPEC).version(changed());
        Verdict.Do decided = (Verdict.Do) new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(change(scene.after(decided.changes()), decided.memory()))
                .isEqualTo("wait: executor takes the new target");
    }

    @Test
    void a_change_that_fails_is_put_back_and_then_fails_the_step() {
        Scene scene = changing().says(0, DOWN, 2, 0, 3);
        Verdict.Do back = (Verdict.Do) new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, DECIDED);
        assertThat(Verdicts.line(back))
                .isEqualTo("do {node-0 g3 v1 good1 joined launched}[Apply node-0 g3 v1 while down]: "
                        + "fails (bad option); puts back version 1");
        scene.after(back.changes());
        assertThat(change(scene, back.memory())).isEqualTo("wait: puts back version 1: executor takes the new target");
        assertThat(change(scene.says(0, NORMAL), PUT_BACK))
                .isEqualTo("failed DAEMON_FAILED: rides/dc1/node-0 fails with version 2: bad option; "
                        + "version 1 was put back and it is NORMAL");
        assertThat(change(scene.says(0, DOWN, 3, 0, 3), PUT_BACK)).contains("was put back but fails too");
    }

    @Test
    void a_setting_that_the_running_daemon_refuses_is_put_back_and_then_fails_the_step() {
        Scene scene = Scene.live(SPEC).version(with(Map.of("concurrent_compactors", 0)));
        scene.record(0, r -> r.decide(2)).refuses(0, 1);
        Verdict.Do back = (Verdict.Do) new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, DECIDED);
        assertThat(Verdicts.line(back))
                .isEqualTo("do {node-0 g3 v1 good1 joined launched}[Apply node-0 g3 v1]: "
                        + "fails (cassandra_yaml.concurrent_compactors: is refused); puts back version 1");
        scene.after(back.changes());
        assertThat(change(scene.says(0, NORMAL), back.memory()))
                .isEqualTo("failed CONFIGURATION_REJECTED: rides/dc1/node-0 fails with version 2: "
                        + "cassandra_yaml.concurrent_compactors: is refused; version 1 was put back and it is NORMAL");
    }

    @Test
    void a_node_that_refused_a_setting_and_was_not_put_back_is_first_recorded_at_the_version_that_it_runs() {
        Scene scene = Scene.live(SPEC)
                .version(with(Map.of("concurrent_compactors", 0)))
                .version(changed());
        scene.record(0, r -> r.decide(2)).refuses(0, 1);
        DeployNode step = new DeployNode(Scene.node(0), 3);
        assertThat(step.mayOvertake(scene.view())).isTrue();
        Verdict.Do back = (Verdict.Do) step.next(scene.says(1, DOWN).view(), ONE_AT_A_TIME, Map.of());
        assertThat(Verdicts.line(back))
                .isEqualTo("do {node-0 g3 v1 good1 joined launched}[Apply node-0 g3 v1]: "
                        + "did not take version 2; stays at version 1");
        scene.after(back.changes()).says(0, NORMAL);
        assertThat(Verdicts.line(step.next(scene.view(), ONE_AT_A_TIME, back.memory())))
                .as("it serves, so it is touched only while all others are well")
                .isEqualTo("wait: node-1 is DOWN: doing things");
    }

    @Test
    void a_change_of_a_node_is_a_start_live_a_restart_or_unknown() {
        NodeRecord node = Scene.live(SPEC).view().nodes().get(Scene.node(0));
        assertThat(NodeChange.of(Scene.live(SPEC).view(), node, with(Map.of("compaction_throughput", "8MiB/s")))
                        .text())
                .isEqualTo("live: cassandra_yaml.compaction_throughput: (none) -> 8MiB/s");
        assertThat(NodeChange.of(
                                Scene.live(SPEC).view(),
                                node,
                                with(Map.of("compaction_throughput", "8MiB/s", "concurrent_reads", 8)))
                        .text())
                .isEqualTo("restart: cassandra_yaml.concurrent_reads: (none) -> 8");
        assertThat(NodeChange.of(
                                Scene.live(with(Map.of("key_cache_size", "1MiB")))
                                        .view(),
                                node,
                                SPEC)
                        .text())
                .isEqualTo("restart: cassandra_yaml.key_cache_size: 1MiB -> (none)"
                        + " (its default is not known while Cassandra runs)");
        assertThat(NodeChange.of(Scene.live(SPEC).says(0, DOWN).view(), node, changed())
                        .text())
                .isEqualTo("restart: it is DOWN");
        assertThat(NodeChange.of(Scene.live(SPEC).silent(0).view(), node, changed())
                        .text())
                .isEqualTo("restart, unless the node runs and takes every change live: its executor does not answer");
        assertThat(NodeChange.of(
                        Scene.placed(SPEC).view(),
                        Scene.placed(SPEC).view().nodes().get(Scene.node(0)),
                        SPEC))
                .isEqualTo(new NodeChange(NodeChangeKind.START, List.of("it is new")));
    }

    @Test
    void the_decision_says_whether_the_change_is_live() {
        Scene scene = Scene.live(SPEC).version(with(Map.of("max_hint_window", "1h")));
        Verdict.Do decided = (Verdict.Do) new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(decided.memory()).containsEntry("live", "true");
        assertThat(decided.change()).isEqualTo(NodeChangeKind.LIVE);
        Scene other = Scene.live(SPEC).version(changed());
        Verdict.Do restarted =
                (Verdict.Do) new DeployNode(Scene.node(0), 2).next(other.view(), ONE_AT_A_TIME, Map.of());
        assertThat(restarted.memory()).containsEntry("live", "false");
        assertThat(restarted.change()).isEqualTo(NodeChangeKind.RESTART);
    }

    @Test
    void a_node_that_is_already_as_declared_is_not_changed() {
        Scene scene = Scene.live(SPEC).version(SPEC);
        assertThat(change(scene, Map.of())).isEqualTo("done {}: NORMAL");
    }

    @Test
    void more_memory_is_reserved_before_the_target_is_sent_and_released_when_it_fails() {
        Scene scene = Scene.live(SPEC).version(bigger());
        Verdict.Do grown = (Verdict.Do) new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(grown.commands().stream().map(CommandLines::of))
                .containsExactly("Reserve rides-dc1-node-0", "Apply node-0 g2 v2");
        scene.after(grown.changes()).says(0, DOWN, 2, 0, 3);
        assertThat(scene.view().nodes().get(Scene.node(0)).allocation().resources())
                .isEqualTo(bigger().resources());
        Verdict.Do back = (Verdict.Do) new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, DECIDED);
        scene.after(back.changes());
        assertThat(scene.view().nodes().get(Scene.node(0)).allocation().resources())
                .isEqualTo(SPEC.resources());
    }

    @Test
    void what_does_not_run_is_not_resized_because_a_lost_volume_would_come_back_empty() {
        Scene scene = Scene.live(SPEC).version(bigger()).claim(0, FAILED).says(0, DOWN);
        Verdict.Do grown = (Verdict.Do) new DeployNode(Scene.node(0), 2).next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(grown.commands().stream().map(CommandLines::of)).containsExactly("Apply node-0 g2 v2 while down");
    }

    @Test
    void a_lost_volume_that_held_data_is_never_replaced_by_an_empty_one() {
        Scene scene = Scene.live(SPEC).version(changed()).claimGone(0).unheard(0);
        assertThat(change(scene, Map.of())).startsWith("failed MACHINE_LOST");
    }

    @Test
    void a_dead_executor_is_no_failure_of_the_step() {
        assertThat(change(changing().claim(0, EXITED, "killed", Scene.NOW).silent(0), DECIDED))
                .isEqualTo("wait: executor exited (killed); its executor is silent: connection refused");
    }

    @Test
    void a_node_that_is_not_in_the_store_fails_the_step() {
        assertThat(create(Scene.declared(SPEC), Map.of())).startsWith("failed NODE_UNKNOWN");
        assertThat(create(Scene.placed(SPEC).record(0, NodeRecord::takenAway), Map.of()))
                .startsWith("do {}[Reserve");
    }

    @Test
    void a_target_that_is_held_back_names_the_node_that_is_down_and_holds_up_no_other_step() {
        Scene scene = changing().says(0, NORMAL, 1, 1, 0).says(1, DOWN, 1, 0, 3);
        DeployNode step = new DeployNode(Scene.node(0), 2);
        assertThat(change(scene, DECIDED)).isEqualTo("wait: the new target is held back: node-1 is DOWN: doing things");
        assertThat(step.isHeld(scene.view(), DECIDED)).isTrue();
        assertThat(step.isHeld(scene.says(1, NORMAL).view(), DECIDED)).isFalse();
    }

    @Test
    void a_node_without_seeds_waits_and_says_for_which_datacenter() {
        Problem unknown = Problem.of(ErrorCode.SEEDS_UNKNOWN, "no server gave it its seeds: dc2 has not reported");
        Scene scene = creating().claim(0, RUNNING).problem(0, DOWN, unknown);
        assertThat(create(scene, DECIDED)).isEqualTo("wait: no server gave it its seeds: dc2 has not reported");
    }
}
