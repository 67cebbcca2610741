package io.ringmaster.core.step;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.spec.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What all steps share that put a task into a node's target and follow it. */
public final class NodeTasks {
    /** In the memory of a step: the id of the task that it waits for. */
    static final String TASK = "task";

    /** In the memory of a step: the id of the transfer that it waits for. */
    static final String TRANSFER = "transfer";

    private NodeTasks() {}

    /** Whether the plan needs this task or transfer, now or when it is resumed. */
    public static boolean isWantedBy(Plan plan, String task) {
        return !plan.status().isOver()
                && plan.phases().stream()
                        .flatMap(p -> p.steps().stream())
                        .filter(s -> !s.status().isOver())
                        .map(StepState::memory)
                        .anyMatch(m -> task.equals(m.get(TASK)) || task.equals(m.get(TRANSFER)));
    }

    /** The last report of the task; empty while the node's executor has not reported it. */
    static Optional<TaskStatus> status(View view, NodeId node, String task) {
        return view.status(node).map(NodeStatus::task).filter(t -> t.id().equals(task));
    }

    /** {@code compact: 42 % of 1.2 GiB: rides.locations}. */
    static String progress(TaskStatus status) {
        return progress(status, 1);
    }

    /** {@code backup-upload: 40 % of 1.2 GiB: sends}. A plan is stored at each change, so the share goes in tens. */
    static String roughProgress(TaskStatus status) {
        return progress(status, 10);
    }

    private static String progress(TaskStatus status, int stepPercent) {
        long steps =
                status.total() <= 0 ? 0 : 100 * Math.min(status.done(), status.total()) / status.total() / stepPercent;
        String share = status.total() <= 0 ? "" : steps * stepPercent + " % of " + amount(status) + ": ";
        return status.kind().label() + ": " + share + status.message();
    }

    private static String amount(TaskStatus status) {
        return status.unit().equals("bytes") ? Size.text(status.total()) : status.total() + " " + status.unit();
    }

    /** {@code 3 tables compacted in 8.2 s}. */
    static String summary(TaskStatus status) {
        Instant ended = status.endedAt() == null ? status.startedAt() : status.endedAt();
        return status.message() + " in " + seconds(Duration.between(status.startedAt(), ended));
    }

    /** {@code 8.2 s}. */
    static String seconds(Duration duration) {
        return duration.toMillis() / 1000 + "." + duration.toMillis() % 1000 / 100 + " s";
    }
}
