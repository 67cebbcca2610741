package io.ringmaster.simulator.mutation;

import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.WriteRoles;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.TaskStatus;
import org.jspecify.annotations.Nullable;

/** Steps that take a task that failed for one that is done. */
final class MutatedTasks {
    private MutatedTasks() {}

    static Step withoutFailures(Step step) {
        return step instanceof RunTask || step instanceof RepairRanges || step instanceof WriteRoles
                ? new MutatedStep(step, (view, budget, memory) -> step.next(succeeded(view), budget, memory))
                : step;
    }

    private static View succeeded(View view) {
        var statuses = view.statuses();
        for (var seen : view.statuses().entrySet()) {
            NodeStatus last = seen.getValue().last();
            if (last != null && hasFailed(last.task())) {
                NodeStatus done =
                        NodeStatusBuilder.builder(last).task(done(last.task())).build();
                statuses = statuses.plus(
                        seen.getKey(),
                        new Observation<>(
                                done, seen.getValue().at(), seen.getValue().silence()));
            }
        }
        return ViewBuilder.builder(view).statuses(statuses).build();
    }

    private static boolean hasFailed(@Nullable TaskStatus task) {
        return task != null && task.state() == TaskStatus.State.FAILED;
    }

    private static @Nullable TaskStatus done(@Nullable TaskStatus task) {
        return task == null
                ? null
                : new TaskStatus(
                        task.id(),
                        task.kind(),
                        TaskStatus.State.DONE,
                        task.done(),
                        task.total(),
                        task.unit(),
                        task.message(),
                        task.startedAt(),
                        task.endedAt());
    }
}
