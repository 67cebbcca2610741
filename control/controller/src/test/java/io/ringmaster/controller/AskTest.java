package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.SubmitResult;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.plan.PlanDigests;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.RequestPart;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations that are asked for by name, over two datacenters. */
class AskTest {
    private final FakeFleet fleet = new FakeFleet(2);
    private final FakeDatacenter dc1 = fleet.dc(1);
    private final FakeDatacenter dc2 = fleet.dc(2);

    @BeforeEach
    void create() {
        Requests.apply(dc1, Requests.twoDatacenters());
        fleet.step();
        fleet.step();
        fleet.untilSettled();
        fleet.step();
    }

    @Test
    void a_restart_goes_through_both_datacenters_one_node_at_a_time() {
        Map<String, Integer> before = starts();
        SubmitResult asked = ask(dc1, "restart", Map.of());
        for (int i = 0; i < 200 && !isOver(asked); i++) {
            fleet.step();
            assertThat(fleet.nodes().stream().filter(n -> n.mode != OperatingMode.NORMAL))
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(isOver(asked)).as(fleet.describe()).isTrue();
        fleet.nodes().forEach(n -> assertThat(n.starts).as(n.endpoint()).isEqualTo(before.get(n.endpoint()) + 1));
        Plan here = newest(dc1);
        assertThat(here.operation()).isEqualTo("restart");
        assertThat(here.status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(newest(dc2).createdAt()).isBefore(here.endedAt());
        assertThat(newest(dc2).endedAt()).isAfter(here.endedAt());
        assertThat(part(dc2, asked).state()).isEqualTo(RequestPart.State.DONE);
    }

    @Test
    void a_request_whose_plan_differs_from_the_expected_one_stores_nothing() {
        var requests = dc1.controller.requests();
        SubmitResult dryRun = accepted(requests.ask("restart", Scene.RIDES, Map.of(), "bob", "", true));
        PlanDigest expected = PlanDigests.of(List.of(Objects.requireNonNull(dryRun.plan())));
        var before = dc1.controller.view();
        var changed = refused(
                requests.ifPlan(expected).ask("restart", Scene.RIDES, Map.of("node", "dc1/node-0"), "bob", "", false));
        assertThat(changed).extracting(Problem::code).containsExactly(ErrorCode.PLAN_CHANGED);
        assertThat(dc1.controller.view().plans()).isEqualTo(before.plans());
        assertThat(dc1.controller.view().requests()).isEqualTo(before.requests());
        SubmitResult asked =
                accepted(requests.ifPlan(expected).ask("restart", Scene.RIDES, Map.of(), "bob", "", false));
        assertThat(dc1.controller.view().requests()).containsKey(asked.request().id());
    }

    @Test
    void only_the_chosen_nodes_are_restarted_and_the_other_datacenter_says_that_it_is_not_concerned() {
        Map<String, Integer> before = starts();
        SubmitResult asked = ask(dc1, "restart", Map.of("node", "dc2/node-1"));
        assertThat(asked.plan()).isNull();
        until(asked);
        fleet.nodes().forEach(n -> assertThat(n.starts)
                .isEqualTo(
                        before.get(n.endpoint()) + (n.allocation.node().value().equals("rides/dc2/node-1") ? 1 : 0)));
        assertThat(part(dc1, asked).state()).isEqualTo(RequestPart.State.NOT_CONCERNED);
    }

    @Test
    void what_is_meant_elsewhere_alone_is_not_over_there_before_it_is_known_there() {
        SubmitResult asked = ask(dc1, "compact", Map.of("dc", "dc2"));
        assertThat(part(dc1, asked).state()).isEqualTo(RequestPart.State.NOT_CONCERNED);
        assertThat(OperationLock.part(dc1.controller.view(), Samples.DC2, asked.request()))
                .isEmpty();
        until(asked);
        fleet.step();
        assertThat(OperationLock.part(dc1.controller.view(), Samples.DC2, asked.request())
                        .orElseThrow()
                        .state())
                .isEqualTo(RequestPart.State.DONE);
    }

    @Test
    void two_that_are_asked_at_the_same_moment_in_two_datacenters_do_not_run_together() {
        SubmitResult first = ask(dc1, "restart", Map.of("dc", "dc1"));
        SubmitResult second = ask(dc2, "restart", Map.of("dc", "dc2"));
        assertThat(first.request().id().number())
                .isEqualTo(second.request().id().number());
        for (int i = 0; i < 200 && !(isOver(first) && isOver(second)); i++) {
            fleet.step();
            assertThat(fleet.nodes().stream().filter(n -> n.mode != OperatingMode.NORMAL))
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(isOver(first) && isOver(second)).as(fleet.describe()).isTrue();
        assertThat(newest(dc2).phases().get(0).steps().get(0).endedAt())
                .isAfterOrEqualTo(newest(dc1).endedAt());
    }

    @Test
    void what_waits_says_for_whom_and_since_when() {
        SubmitResult first = ask(dc1, "restart", Map.of("dc", "dc1"));
        ask(dc1, "drain", Map.of("node", "dc2/node-0"));
        fleet.until("the restart", 20, () -> fakeNode(0).mode != OperatingMode.NORMAL);
        fleet.step();
        StepState turn = newest(dc2).phases().get(0).steps().get(0);
        assertThat(turn.reason())
                .contains("waits for the operation lock: restart "
                        + first.request().id() + " (asked by alice) is first in dc1, since")
                .contains("plan dc1-2 is running");
        assertThat(turn.since()).isNotNull();
    }

    @Test
    void what_does_not_touch_the_same_nodes_runs_side_by_side() {
        SubmitResult one = ask(dc1, "compact", Map.of("node", "dc1/node-0"));
        SubmitResult other = ask(dc1, "cleanup", Map.of("node", "dc1/node-1"));
        SubmitResult third = ask(dc1, "flush", Map.of("rack", "r1"));
        fleet.until(
                "both at work",
                20,
                () -> fleet.nodes().stream().filter(n -> !n.tasks.isEmpty()).count() >= 2);
        assertThat(isOver(one) || isOver(other)).isFalse();
        assertThat(tasks(0)).containsExactly("compact");
        assertThat(tasks(1)).containsExactly("cleanup");
        until(one);
        until(other);
        until(third);
        assertThat(tasks(0)).containsExactly("compact", "flush");
    }

    @Test
    void a_task_is_followed_to_its_end_and_leaves_the_target() {
        SubmitResult asked = ask(dc1, "compact", Map.of("dc", "dc1", "keyspaces", "trips"));
        fleet.until("progress", 20, () -> newest(dc1).phases().get(1).steps().stream()
                .anyMatch(s -> String.valueOf(s.reason()).contains("compact: 33 % of 3 tables: works")));
        until(asked);
        fleet.step();
        assertThat(newest(dc1).phases().get(1).steps())
                .allSatisfy(s -> assertThat(s.reason()).isEqualTo("3 tables in 3.0 s"));
        assertThat(dc1.nodes.values()).allSatisfy(n -> {
            assertThat(n.tasks).containsExactly("compact");
            assertThat(n.target.task()).isNull();
        });
    }

    @Test
    void an_abort_takes_the_task_from_the_node() {
        ask(dc1, "compact", Map.of("node", "dc1/node-0"));
        fleet.until("the task to begin", 20, () -> !tasks(0).isEmpty());
        Plan plan = newest(dc1);
        accepted(dc1.controller.requests().control(plan.id(), PlanVerb.ABORT, null, "alice"));
        fleet.step();
        assertThat(fakeNode(0).target.task()).isNull();
        assertThat(dc1.controller.view().requests().values())
                .allSatisfy(r -> assertThat(r.part().state()).isEqualTo(RequestPart.State.ENDED));
    }

    @Test
    void a_paused_repair_ends_in_the_node_and_goes_on_as_another_task_that_knows_since_when() {
        SubmitResult asked = ask(dc1, "repair", Map.of("node", "dc1/node-0"));
        fleet.until("the task to begin", 20, () -> !tasks(0).isEmpty());
        NodeTask first = fakeNode(0).target.task();
        Plan plan = newest(dc1);
        accepted(dc1.controller.requests().control(plan.id(), PlanVerb.PAUSE, null, "alice"));
        fleet.until("the task to be gone", 20, () -> fakeNode(0).target.task() == null);
        for (int i = 0; i < 20; i++) {
            fleet.step();
        }
        assertThat(tasks(0)).containsExactly("repair");
        assertThat(newest(dc1).phases().get(1).steps().get(0).reason()).isEqualTo("paused; no task runs");
        accepted(dc1.controller.requests().control(plan.id(), PlanVerb.RESUME, null, "alice"));
        fleet.until("the task again", 20, () -> fakeNode(0).target.task() != null);
        assertThat(fakeNode(0).target.task().id()).isNotEqualTo(first.id());
        assertThat(fakeNode(0).target.task().args())
                .containsEntry("unless_after", first.args().get("unless_after"));
        until(asked);
        assertThat(tasks(0)).containsExactly("repair", "repair");
    }

    @Test
    void a_repair_goes_through_one_datacenter_after_the_other() {
        SubmitResult asked = ask(dc1, "repair", Map.of());
        Set<String> together = new TreeSet<>();
        for (int i = 0; i < 200 && !isOver(asked); i++) {
            fleet.step();
            long atWork =
                    fleet.nodes().stream().filter(n -> n.target.task() != null).count();
            if (atWork > 1) {
                together.add("step " + i);
            }
        }
        assertThat(isOver(asked)).isTrue();
        assertThat(together).isEmpty();
        assertThat(fleet.nodes()).allSatisfy(n -> assertThat(n.tasks).containsExactly("repair"));
    }

    @Test
    void a_failed_plan_holds_its_turn_until_somebody_decides() {
        SubmitResult first = ask(dc1, "restart", Map.of("node", "dc1/node-0"));
        fleet.until("the restart", 20, () -> fakeNode(0).mode != OperatingMode.NORMAL);
        fakeNode(0).exits = 3;
        fakeNode(0).neverStarts = true;
        fleet.until("the failure", 20, () -> newest(dc1).status() == PlanStatus.FAILED);
        SubmitResult second = ask(dc1, "restart", Map.of("node", "dc1/node-1"));
        for (int i = 0; i < 20; i++) {
            fleet.step();
        }
        assertThat(part(dc1, second).state()).isEqualTo(RequestPart.State.PLANNED);
        assertThat(newest(dc1).phases().get(0).steps().get(0).reason()).contains("is failed");
        fakeNode(0).neverStarts = false;
        fakeNode(0).exits = 0;
        accepted(dc1.controller.requests().control(part(dc1, first).plan(), PlanVerb.RETRY, null, "alice"));
        until(first);
        until(second);
    }

    @Test
    void a_spec_goes_first_between_two_nodes() {
        SubmitResult asked = ask(dc1, "restart", Map.of());
        fleet.until("the first restart", 20, () -> fakeNode(0).mode != OperatingMode.NORMAL);
        Requests.apply(dc2, Requests.withYaml(Requests.twoDatacenters(), Map.of("concurrent_reads", 8)));
        for (int i = 0; i < 400 && !isOver(asked); i++) {
            fleet.step();
            assertThat(fleet.nodes().stream().filter(n -> n.mode != OperatingMode.NORMAL))
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(isOver(asked)).as(fleet.describe()).isTrue();
        Plan deploy = dc2.controller.view().plans().values().stream()
                .filter(p -> p.operation().equals("deploy") && p.specVersion() == 2)
                .findFirst()
                .orElseThrow();
        assertThat(deploy.status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(deploy.endedAt())
                .isBefore(dc1.controller
                        .view()
                        .plans()
                        .get(part(dc1, asked).plan())
                        .endedAt());
    }

    @Test
    void nothing_begins_while_another_datacenter_is_silent_unless_that_was_allowed() {
        dc2.reachable = false;
        fleet.step();
        SubmitResult careful = ask(dc1, "restart", Map.of("node", "dc1/node-0"));
        for (int i = 0; i < 10; i++) {
            fleet.step();
        }
        assertThat(newest(dc1).phases().get(0).steps().get(0).reason()).contains("dc2 is silent: unreachable");
        accepted(dc1.controller.requests().control(part(dc1, careful).plan(), PlanVerb.ABORT, null, "alice"));
        SubmitResult bold = ask(dc1, "restart", Map.of("node", "dc1/node-0", "allow_silent_peers", "true"));
        fleet.until("the restart", 60, () -> part(dc1, bold).state() == RequestPart.State.DONE);
        assertThat(fakeNode(0).starts).isEqualTo(2);
    }

    @Test
    void a_stopped_cluster_keeps_its_data_and_starts_again() {
        until(ask(dc1, "stop", Map.of()));
        assertThat(fleet.nodes()).allSatisfy(n -> assertThat(n.mode).isEqualTo(OperatingMode.DOWN));
        assertThat(dc1.volumes).hasSize(3);
        assertThat(refused(dc1.controller
                        .requests()
                        .applySpec(
                                "x",
                                Requests.withYaml(Requests.twoDatacenters(), Map.of("concurrent_reads", 9)),
                                null,
                                "alice",
                                false,
                                false)))
                .singleElement()
                .satisfies(p -> assertThat(p.line()).contains("is stopped").contains("cluster start rides"));
        until(ask(dc2, "start", Map.of()));
        assertThat(fleet.nodes()).allSatisfy(n -> assertThat(n.mode).isEqualTo(OperatingMode.NORMAL));
    }

    @Test
    void a_killed_server_goes_on_at_the_same_step() {
        SubmitResult asked = ask(dc1, "restart", Map.of());
        fleet.until("the first restart", 20, () -> fakeNode(0).mode != OperatingMode.NORMAL);
        dc1.restart();
        dc2.restart();
        until(asked);
        fleet.nodes().forEach(n -> assertThat(n.starts).isEqualTo(2));
    }

    @Test
    void what_cannot_be_is_refused_by_the_name_of_what_is_wrong() {
        assertThat(problem("resart", Map.of()))
                .contains("'resart' is not an operation")
                .contains("restart");
        assertThat(problem("restart", Map.of("nodes", "dc1/node-0"))).contains("nodes: is not a parameter of restart");
        assertThat(problem("restart", Map.of("dc", "dc7"))).contains("'dc7' is not a datacenter of rides");
        assertThat(problem("restart", Map.of("node", "dc1/node-7"))).contains("there is no node rides/dc1/node-7");
        assertThat(problem("restart", Map.of("parallel", "all"))).contains("'all' must be node or rack");
        assertThat(problem("restart", Map.of("consistency", "SOME")))
                .contains("'SOME' must be a list of [LOCAL_QUORUM");
        assertThat(problem("drain", Map.of())).contains("would be out of service together");
        assertThat(problem("deploy", Map.of())).contains("cluster apply");
        assertThat(problem("flush", Map.of("tables", "t")))
                .contains("keyspaces: must name the one keyspace of the tables");
        assertThat(refused(dc1.controller
                        .requests()
                        .ask("restart", new ClusterName("eats"), Map.of(), "alice", "", false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.CLUSTER_UNKNOWN));
        assertThat(dc1.controller.view().requests()).isEmpty();
    }

    @Test
    void the_same_twice_is_refused_while_the_first_is_at_work() {
        ask(dc1, "restart", Map.of());
        assertThat(problem("restart", Map.of())).contains("already does this");
    }

    @Test
    void who_asked_and_why_is_kept() {
        ask(dc1, "flush", Map.of());
        assertThat(dc1.controller.audit())
                .anySatisfy(a -> assertThat(a.what()).isEqualTo("flush rides because: a test"));
    }

    private String problem(String operation, Map<String, String> params) {
        return refused(dc1.controller.requests().ask(operation, Scene.RIDES, params, "alice", "", false))
                .get(0)
                .line();
    }

    private static SubmitResult ask(FakeDatacenter dc, String operation, Map<String, String> params) {
        return accepted(dc.controller.requests().ask(operation, Scene.RIDES, params, "alice", "a test", false));
    }

    private void until(SubmitResult asked) {
        fleet.until(asked.request().title(), 300, () -> isOver(asked));
    }

    private boolean isOver(SubmitResult asked) {
        return List.of(dc1, dc2).stream().allMatch(d -> {
            RequestRecord record =
                    d.controller.view().requests().get(asked.request().id());
            return record != null && record.part().state().isOver();
        });
    }

    private static RequestPart part(FakeDatacenter dc, SubmitResult asked) {
        return dc.controller.view().requests().get(asked.request().id()).part();
    }

    private static Plan newest(FakeDatacenter dc) {
        return dc.controller.view().plans().values().stream()
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    private FakeNode fakeNode(int index) {
        return dc1.nodes.values().stream()
                .filter(n -> n.allocation.node().index() == index
                        && n.allocation.node().datacenter().equals(Samples.DC1))
                .findFirst()
                .orElseThrow();
    }

    private List<String> tasks(int index) {
        return fakeNode(index).tasks;
    }

    private Map<String, Integer> starts() {
        var all = new TreeMap<String, Integer>();
        fleet.nodes().forEach(n -> all.put(n.endpoint(), n.starts));
        return all;
    }
}
