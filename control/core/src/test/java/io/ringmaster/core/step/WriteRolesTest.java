package io.ringmaster.core.step;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WriteRolesTest {
    private static final WriteRoles STEP =
            new WriteRoles(Scene.RIDES, Map.of("nodes", "dc1:3", "role.app", "login", "password.app", "file:app"));

    private static Scene live() {
        return Scene.live(Samples.spec("rides", 3, 2)).settled();
    }

    private static Verdict.Do asked(Scene scene) {
        Verdict verdict = STEP.next(scene.view(), ONE_AT_A_TIME, Map.of());
        assertThat(verdict).isInstanceOf(Verdict.Do.class);
        return (Verdict.Do) verdict;
    }

    @Test
    void the_first_normal_node_writes_the_roles() {
        Scene scene = live().says(0, OperatingMode.DOWN);
        Verdict.Do asked = asked(scene);
        assertThat(asked.memory()).containsEntry("node", "rides/dc1/node-1");
        scene.after(asked.changes());
        NodeTask task = scene.view().nodes().get(Scene.node(1)).task();
        assertThat(task).isNotNull();
        assertThat(task.kind()).isEqualTo(NodeTask.Kind.ACCESS);
        assertThat(task.args()).isEqualTo(STEP.taskArgs());
    }

    @Test
    void another_node_writes_them_if_that_one_goes_down() {
        Scene scene = live();
        Verdict.Do asked = asked(scene);
        assertThat(asked.memory()).containsEntry("node", "rides/dc1/node-0");
        scene.after(asked.changes()).says(0, OperatingMode.DOWN);
        Verdict again = STEP.next(scene.view(), ONE_AT_A_TIME, asked.memory());
        assertThat(((Verdict.Do) again).memory()).containsEntry("node", "rides/dc1/node-1");
    }

    @Test
    void it_waits_while_another_plan_writes_roles() {
        Scene scene = live();
        scene.after(asked(scene).changes());
        assertThat(STEP.next(scene.view(), ONE_AT_A_TIME, Map.of()))
                .isEqualTo(new Verdict.Wait("node-0 writes roles already"));
        scene.says(0, OperatingMode.DOWN);
        assertThat(STEP.next(scene.view(), ONE_AT_A_TIME, Map.of()))
                .as("its node may never end it")
                .isInstanceOf(Verdict.Do.class);
    }

    @Test
    void it_waits_for_another_plan_also_when_its_node_goes_down() {
        Scene scene = live();
        Verdict.Do first = asked(scene);
        scene.after(first.changes()).says(0, OperatingMode.DOWN);
        scene.after(asked(scene).changes());
        assertThat(STEP.next(scene.view(), ONE_AT_A_TIME, first.memory()))
                .isEqualTo(new Verdict.Wait("node-1 writes roles already"));
        assertThat(scene.view().nodes().get(Scene.node(0)).task())
                .as("it is not written by two nodes when that one returns")
                .isNull();
    }

    @Test
    void it_is_done_when_the_node_has_read_the_roles_back() {
        Scene scene = live();
        Verdict.Do asked = asked(scene);
        scene.after(asked.changes()).says(0, OperatingMode.NORMAL).task(0, TaskStatus.State.DONE, "1 roles written");
        Verdict done = STEP.next(scene.view(), ONE_AT_A_TIME, asked.memory());
        assertThat(done).isInstanceOf(Verdict.Done.class);
    }

    @Test
    void the_target_is_sent_again_until_the_executor_has_begun_because_it_does_not_keep_passwords() {
        Scene scene = live();
        Verdict.Do asked = asked(scene);
        StepState pending = Steps.pending(STEP);
        StepState state = new StepState(
                pending.name(),
                pending.type(),
                pending.args(),
                asked.memory(),
                StepState.Status.RUNNING,
                Scene.NOW,
                null,
                null,
                null,
                null);
        Plan plan = Samples.plan(
                Plan.DEPLOY, PlanStatus.RUNNING, new Phase("roles", Phase.Strategy.SERIAL, List.of(state)));
        scene.after(asked.changes()).says(0, OperatingMode.NORMAL).plan(plan);
        assertThat(applied(scene)).hasSize(1);
        scene.task(0, TaskStatus.State.RUNNING, "writes roles");
        assertThat(applied(scene)).isEmpty();
    }

    @Test
    void roles_that_are_taken_back_are_not_declared_gone() {
        Scene scene = live();
        assertThat(STEP.forced(scene.view())).isInstanceOf(Verdict.Done.class);
        for (String argument : List.of("drop", "leave.app", "revoke.app")) {
            WriteRoles taking = new WriteRoles(Scene.RIDES, Map.of("role.app", "login", argument, "SELECT data/trips"));
            assertThat(taking.forced(scene.view())).as(argument).isInstanceOf(Verdict.Failed.class);
        }
    }

    private static List<Command> applied(Scene scene) {
        Stream<Command> commands = Recovery.of(scene.view(), Scene.RIDES).commands().stream();
        return commands.filter(c -> c instanceof Command.Apply).toList();
    }
}
