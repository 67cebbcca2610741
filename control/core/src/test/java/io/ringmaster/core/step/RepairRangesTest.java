package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.record.PlanRecord;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RepairSchedule;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RepairRangesTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2);
    private static final RepairRanges STEP = new RepairRanges(Scene.RIDES, false, false, Map.of());

    private static Verdict next(View view, Map<String, String> memory) {
        return STEP.next(view, ONE_AT_A_TIME, memory);
    }

    private static String line(Scene scene, Map<String, String> memory) {
        return Verdicts.line(next(scene.view(), memory));
    }

    /** Node-1 and node-2 took over ranges. */
    private static Scene owing() {
        return Scene.live(SPEC).record(1, r -> r.owing(Scene.NOW)).record(2, r -> r.owing(Scene.NOW));
    }

    private static NodeRecord changed(Verdict verdict) {
        return (NodeRecord) ((Change.Put) ((Verdict.Do) verdict).changes().get(0)).record();
    }

    @Test
    void each_node_that_took_over_ranges_repairs_them_with_all_replicas_in_turn() {
        assertThat(line(Scene.live(SPEC), Map.of())).isEqualTo("done {}: no node owes a repair");
        Scene scene = owing();
        Verdict.Do asked = (Verdict.Do) next(scene.view(), Map.of());
        assertThat(asked.reason()).isEqualTo("node-1: requests repair");
        NodeTask task = Objects.requireNonNull(changed(asked).task());
        assertThat(task.kind()).isEqualTo(NodeTask.Kind.REPAIR);
        assertThat(task.args())
                .isEqualTo(Map.of(
                        "replica_ranges",
                        "true",
                        "system_auth",
                        "true",
                        "unless_after",
                        scene.view().now().toString(),
                        "requested_at",
                        scene.view().now().toString()));
        scene.after(asked.changes()).says(1, OperatingMode.NORMAL).task(1, TaskStatus.State.RUNNING, "half");
        assertThat(line(scene, asked.memory())).startsWith("wait: node-1: repair");
        scene.task(1, TaskStatus.State.DONE, "4 ranges repaired");
        Verdict.Do repaired = (Verdict.Do) next(scene.view(), asked.memory());
        assertThat(repaired.reason()).startsWith("node-1: 4 ranges repaired");
        assertThat(changed(repaired).owesRepair()).isFalse();
        assertThat(changed(repaired).task()).isNull();
        scene.after(repaired.changes()).says(1, OperatingMode.NORMAL);
        assertThat(((Verdict.Do) next(scene.view(), repaired.memory())).reason())
                .isEqualTo("node-2: requests repair");
    }

    @Test
    void a_repair_that_fails_fails_the_step_and_is_still_owed() {
        Scene scene = owing();
        Verdict.Do asked = (Verdict.Do) next(scene.view(), Map.of());
        scene.after(asked.changes()).says(1, OperatingMode.NORMAL).task(1, TaskStatus.State.FAILED, "a replica died");
        Verdict verdict = next(scene.view(), asked.memory());
        assertThat(Verdicts.line(verdict)).startsWith("failed TASK_FAILED: repair of rides/dc1/node-1 failed");
        assertThat(new RepairRanges(Scene.RIDES, false, true, Map.of())
                        .next(scene.view(), ONE_AT_A_TIME, asked.memory()))
                .as("a failed plan would keep the lock from the next replacement")
                .isInstanceOf(Verdict.GivenUp.class);
        scene.after(((Verdict.Failed) verdict).changes());
        assertThat(scene.view().nodes().get(Scene.node(1)).owesRepair()).isTrue();
    }

    @Test
    void a_debt_that_arises_during_the_repair_of_the_node_stays_owed() {
        Scene scene = owing();
        Verdict.Do asked = (Verdict.Do) next(scene.view(), Map.of());
        scene.after(asked.changes()).later(60).record(1, r -> r.owing(Scene.NOW.plusSeconds(60)));
        scene.says(1, OperatingMode.NORMAL).task(1, TaskStatus.State.DONE, "4 ranges repaired");
        Verdict.Do repaired = (Verdict.Do) next(scene.view(), asked.memory());
        assertThat(changed(repaired).owesRepairSince()).isEqualTo(Scene.NOW.plusSeconds(60));
        scene.after(repaired.changes()).says(1, OperatingMode.NORMAL).later(60);
        Verdict.Do again = (Verdict.Do) next(scene.view(), repaired.memory());
        assertThat(Objects.requireNonNull(changed(again).task()).args())
                .containsEntry("unless_after", Scene.NOW.plusSeconds(120).toString());
    }

    @Test
    void a_repair_that_was_paused_continues_unless_the_node_owes_another_one_meanwhile() {
        Scene scene = owing();
        Verdict.Do asked = (Verdict.Do) next(scene.view(), Map.of());
        scene.after(asked.changes()).record(1, r -> r.withTask(null)).later(60).says(1, OperatingMode.NORMAL);
        Verdict.Do resumed = (Verdict.Do) next(scene.view(), asked.memory());
        assertThat(Objects.requireNonNull(changed(resumed).task()).args())
                .containsEntry("unless_after", Scene.NOW.toString())
                .containsEntry("requested_at", Scene.NOW.plusSeconds(60).toString());
        scene.after(resumed.changes()).later(60).says(1, OperatingMode.NORMAL).task(1, TaskStatus.State.DONE, "all");
        assertThat(line(scene, resumed.memory()))
                .as("the same task, whatever its arguments")
                .contains("node-1: all");

        scene = owing();
        scene.after(asked.changes()).record(1, r -> r.withTask(null)).later(60).says(1, OperatingMode.NORMAL);
        scene.record(1, r -> r.owing(Scene.NOW.plusSeconds(30)));
        Verdict.Do renewed = (Verdict.Do) next(scene.view(), asked.memory());
        assertThat(Objects.requireNonNull(changed(renewed).task()).args())
                .containsEntry("unless_after", Scene.NOW.plusSeconds(60).toString());

        NodeTask leave = new NodeTask("decommission", NodeTask.Kind.DECOMMISSION, Map.of());
        assertThat(line(scene.record(0, r -> r.leave(leave)), asked.memory()))
                .as("its heirs would repair too early")
                .isEqualTo("wait: node-0 is leaving the ring");
    }

    @Test
    void it_repairs_with_the_intensity_of_the_schedule() {
        Scene scene = Scene.live(SPEC.with(new RepairSchedule(60, 0.25))).record(1, r -> r.owing(Scene.NOW));
        Verdict.Do asked = (Verdict.Do) next(scene.view(), Map.of());
        assertThat(Objects.requireNonNull(changed(asked).task()).args()).containsEntry("intensity", "0.25");
        scene.after(asked.changes())
                .version(SPEC.with(new RepairSchedule(60, 1)))
                .says(1, OperatingMode.NORMAL)
                .task(1, TaskStatus.State.RUNNING, "half");
        assertThat(line(scene, asked.memory()))
                .as("one that runs keeps its own")
                .startsWith("wait: node-1: repair: ");
    }

    @Test
    void a_clock_that_was_set_back_delays_no_repair() {
        Scene scene = Scene.live(SPEC).record(1, r -> r.owing(Scene.NOW.plusSeconds(3600)));
        Verdict.Do asked = (Verdict.Do) next(scene.view(), Map.of());
        scene.after(asked.changes()).says(1, OperatingMode.NORMAL).task(1, TaskStatus.State.DONE, "4 ranges repaired");
        assertThat(changed(next(scene.view(), asked.memory())).owesRepair()).isFalse();
    }

    @Test
    void ranges_that_still_move_are_not_repaired_yet() {
        NodeTask leave = new NodeTask("decommission", NodeTask.Kind.DECOMMISSION, Map.of());
        assertThat(line(owing().record(0, r -> r.leave(leave)), Map.of()))
                .isEqualTo("wait: node-0 is leaving the ring");
        assertThat(line(owing().record(1, r -> r.replacedAt(r.allocation(), "127.1.1.2:7000", Scene.NOW)), Map.of()))
                .isEqualTo("wait: node-1 has not joined yet");
    }

    @Test
    void a_datacenter_repairs_node_by_node() {
        NodeTask repair = new NodeTask("repair", NodeTask.Kind.REPAIR, Map.of());
        assertThat(line(owing().record(0, r -> r.withTask(repair)), Map.of()))
                .isEqualTo("wait: node-1: node-0 repairs first");
        assertThat(line(
                        owing().record(0, r -> r.withTask(repair))
                                .task(0, TaskStatus.State.RUNNING, "half")
                                .record(0, r -> r.withTask(null)),
                        Map.of()))
                .as("its executor has not ended it yet")
                .isEqualTo("wait: node-1: node-0 repairs first");
    }

    @Test
    void a_node_that_has_not_reported_its_newest_target_may_still_repair() {
        NodeTask repair = new NodeTask("repair", NodeTask.Kind.REPAIR, Map.of());
        Scene withdrawn = owing().record(0, r -> r.withTask(repair).withTask(null));
        assertThat(line(withdrawn, Map.of()))
                .as("its executor may have started what it has not reported yet")
                .isEqualTo("wait: node-1: node-0 has not taken its newest target yet; it may still repair");
        assertThat(line(withdrawn.unheard(0), Map.of()))
                .as("a new leader has no report yet")
                .isEqualTo("wait: node-1: node-0: its executor does not answer; it may still repair");
        assertThat(line(withdrawn.says(0, OperatingMode.NORMAL, 2, 1, 0).silent(0), Map.of()))
                .as("its daemon runs on without its executor")
                .isEqualTo("wait: node-1: node-0: its executor does not answer; it may still repair");
        assertThat(line(withdrawn.says(0, OperatingMode.NORMAL).pauses(0, OperatingMode.UNKNOWN), Map.of()))
                .isEqualTo("wait: node-1: node-0 is UNKNOWN: doing things; it may still repair");
        assertThat(line(withdrawn.says(0, OperatingMode.NORMAL), Map.of())).startsWith("do ");
        assertThat(line(withdrawn.silent(0), Map.of()))
                .as("it has reported that it repairs no more")
                .startsWith("do ");
    }

    @Test
    void a_target_that_named_no_repair_holds_up_no_repair_of_the_others() {
        NodeTask compact = new NodeTask("compact", NodeTask.Kind.COMPACT, Map.of());
        Scene behind = owing().record(0, r -> r.withTask(compact).withTask(null));
        assertThat(line(behind, Map.of())).as("its newest target is underway").startsWith("do ");
        assertThat(line(behind.unheard(0), Map.of()))
                .as("its executor is silent")
                .startsWith("do ");
        Scene older = owing().record(0, r -> NodeRecordBuilder.builder(r)
                .repairFreeGeneration(null)
                .generation(2)
                .build());
        assertThat(line(older, Map.of()))
                .as("an older release did not store when it repaired last")
                .isEqualTo("wait: node-1: node-0 has not taken its newest target yet; it may still repair");
    }

    @Test
    void a_dead_node_holds_up_no_repair_of_the_others() {
        assertThat(line(owing().says(0, OperatingMode.DOWN).silent(0), Map.of()))
                .as("the others see it down")
                .startsWith("do ");
        assertThat(line(owing().says(0, OperatingMode.DOWN), Map.of()))
                .as("its executor answers")
                .startsWith("do ");
    }

    @Test
    void a_replacement_gives_way_to_the_next_one() {
        RepairRanges step = new RepairRanges(Scene.RIDES, false, true, Map.of());
        View own = owing().view().with(List.of(replacement(1)));
        assertThat(step.next(own, ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.Do.class);
        View two = own.with(List.of(replacement(2)));
        assertThat(step.next(two, ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.GivenUp.class);
    }

    @Test
    void a_replacement_in_a_datacenter_that_is_silent_holds_up_no_repair() {
        Scene both = Scene.live(Samples.spec("rides", 3, 2, 3, 2))
                .record(1, r -> r.owing(Scene.NOW))
                .peer(3, 1, 1, true, null)
                .peerRequest(record(1, false))
                .peerSilent();
        RequestRecord known = new RequestRecord(
                record(1, false).request(),
                new RequestPart(RequestPart.State.NOT_CONCERNED, null, Scene.NOW, "names no node here"));
        View silent = both.view().with(List.of(new Change.Put(known)));
        assertThat(next(silent, Map.of())).isInstanceOf(Verdict.Do.class);
        assertThat(new RepairRanges(Scene.RIDES, false, true, Map.of())
                        .next(silent.with(List.of(replacement(2))), ONE_AT_A_TIME, Map.of()))
                .as("the repair of a replacement here")
                .isInstanceOf(Verdict.Do.class);
    }

    @Test
    void a_replacement_whose_node_serves_holds_up_no_repair() {
        View joined = owing().says(0, OperatingMode.DOWN).view().with(List.of(new Change.Put(record(1, true))));
        assertThat(next(joined, Map.of())).as("it only repairs").isInstanceOf(Verdict.Do.class);
        View back = owing().view().with(List.of(replacement(1)));
        assertThat(next(back, Map.of())).as("the node was not dead").isInstanceOf(Verdict.Do.class);
        Scene checked = owing().record(0, r -> r.replacedAt(r.allocation(), "127.1.1.1:7000", Scene.NOW)
                .decide(1)
                .seenNormal());
        checked.record(0, r -> r.repaired(Scene.NOW)).says(0, OperatingMode.NORMAL);
        assertThat(Verdicts.line(next(checked.view().with(List.of(replacement(1))), Map.of())))
                .as("it has yet to pass its check")
                .isEqualTo("wait: replace dc1-r1 (asked by anna) goes first");
    }

    @Test
    void while_a_node_is_being_replaced_no_other_plan_keeps_nodes_busy_with_repairs() {
        Scene scene = owing().says(0, OperatingMode.DOWN);
        Verdict.Do asked = (Verdict.Do) next(scene.view(), Map.of());
        scene.after(asked.changes()).says(1, OperatingMode.NORMAL).task(1, TaskStatus.State.RUNNING, "half");
        View replacing = scene.view().with(List.of(replacement(1)));
        Verdict.Do stopped = (Verdict.Do) next(replacing, asked.memory());
        assertThat(stopped.reason()).isEqualTo("node-1: stops: replace dc1-r1 (asked by anna) goes first");
        assertThat(changed(stopped).task()).isNull();
        scene.after(stopped.changes()).later(60).says(1, OperatingMode.NORMAL);
        assertThat(Verdicts.line(next(scene.view().with(List.of(replacement(1))), stopped.memory())))
                .isEqualTo("wait: replace dc1-r1 (asked by anna) goes first");
        Verdict.Do again = (Verdict.Do) next(scene.view(), stopped.memory());
        assertThat(Objects.requireNonNull(changed(again).task()).args())
                .as("what was repaired before is not repaired again")
                .containsEntry("unless_after", Scene.NOW.toString());
    }

    @Test
    void the_repair_of_a_datacenter_that_joins_keeps_no_node_busy_that_is_being_replaced() {
        RunTask joins = RunTask.forSpec(Scene.node(1), NodeTask.Kind.REPAIR, RunTask.wholeRepair(Scene.NOW));
        View down = owing().says(0, OperatingMode.DOWN).view();
        assertThat(Verdicts.line(joins.next(down.with(List.of(replacement(1))), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: replace dc1-r1 (asked by anna) goes first");
        assertThat(joins.next(down, ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.Do.class);
    }

    @Test
    void a_cleanup_leaves_the_repair_to_a_replacement_that_is_not_over_and_repairs_what_that_left() {
        RunTask cleanup = RunTask.requested(Scene.node(0), NodeTask.Kind.CLEANUP, Map.of(), true);
        View view = owing().settled().view();
        assertThat(Verdicts.line(cleanup.next(replacing(view, PlanStatus.RUNNING), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: replace dc1-r1 (asked by anna) of dc1/node-0 repairs first");
        assertThat(cleanup.next(view, ONE_AT_A_TIME, Map.of())).isInstanceOf(Verdict.Do.class);
    }

    @Test
    void a_cleanup_waits_for_no_replacement_that_failed_and_whose_node_serves() {
        RunTask cleanup = RunTask.requested(Scene.node(0), NodeTask.Kind.CLEANUP, Map.of(), true);
        View view = owing().settled().view();
        for (PlanStatus over : List.of(PlanStatus.FAILED, PlanStatus.ABORTED)) {
            assertThat(cleanup.next(replacing(view, over), ONE_AT_A_TIME, Map.of()))
                    .as(over.name())
                    .isInstanceOf(Verdict.Do.class);
        }
    }

    @Test
    void a_cleanup_that_waits_for_a_replacement_names_its_node_and_the_next_step() {
        RunTask cleanup = RunTask.requested(Scene.node(2), NodeTask.Kind.CLEANUP, Map.of(), true);
        View view = owing().settled().view();
        assertThat(Verdicts.line(cleanup.next(replacing(view, PlanStatus.PAUSED), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: replace dc1-r1 (asked by anna) of dc1/node-0 repairs first;"
                        + " plan dc1-7 is paused: ringmaster plan resume dc1-7");
        View moved = owing().settled()
                .record(0, r -> r.replacedAt(r.allocation(), "127.1.1.1:7000", Scene.NOW))
                .view();
        assertThat(Verdicts.line(cleanup.next(replacing(moved, PlanStatus.FAILED), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-0 is being replaced; plan dc1-7 failed:"
                        + " ringmaster plan retry dc1-7 or ringmaster plan abort dc1-7");
        assertThat(Verdicts.line(cleanup.next(replacing(moved, PlanStatus.RUNNING), ONE_AT_A_TIME, Map.of())))
                .isEqualTo("wait: node-0 is being replaced");
    }

    /** The plan of a replacement of node-0 whose request is not over. */
    private static View replacing(View view, PlanStatus status) {
        Plan plan = new Plan(
                new PlanId(Samples.DC1, 7),
                Scene.RIDES,
                "replace",
                Map.of(),
                1,
                "anna",
                new RequestId(Samples.DC1, 1),
                Scene.NOW,
                null,
                status,
                List.of(Steps.phase(
                        "replace", Phase.Strategy.SERIAL, Stream.of(new ReplaceNode(Scene.node(0), false)))),
                List.of(),
                null,
                null);
        return view.with(List.of(new Change.Put(record(1, true)), new Change.Put(new PlanRecord(plan))));
    }

    private static Change replacement(long number) {
        return new Change.Put(record(number, false));
    }

    private static RequestRecord record(long number, boolean repairs) {
        Request request = new Request(
                new RequestId(Samples.DC1, number),
                Scene.RIDES,
                Scene.live(SPEC).view().targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                "replace",
                LockScope.MEND,
                Map.of("node", "dc1/node-0"),
                "anna",
                "",
                Scene.NOW,
                null);
        return new RequestRecord(
                request, new RequestPart(RequestPart.State.PLANNED, null, Scene.NOW, "waits", repairs, Set.of()));
    }
}
