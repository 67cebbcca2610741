package io.ringmaster.core.step;

import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.target.NodeTargets;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Has one node hand its ranges over to the others and leave the ring. From the decision on it cannot be called back: {@code Recovery}
 * brings it to its end whatever becomes of the plan, takes away what has left and forgets it; its volume is kept. One that loses its volume
 * before that is taken out by another.
 */
public record LeaveRing(NodeId node, long specVersion) implements Step {
    private static final String VOLUME = "volume";

    @Override
    public String name() {
        return "leave " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        if (NodeRemoval.hasBegun(memory)) {
            return new NodeRemoval(view, node).follow(memory, budget);
        }
        if (record == null) {
            String volume = memory.get(VOLUME);
            return new Verdict.Done(
                    List.of(), volume == null ? "not there any more" : "left the ring; volume " + volume + " is kept");
        }
        if (record.hasLeft()) {
            return new Verdict.Wait("has left the ring; its place is given back");
        }
        if (NodeRemoval.isNeeded(view, record)) {
            return new NodeRemoval(view, node).begin(record, budget);
        }
        String task = memory.get(NodeTasks.TASK);
        return task == null || !record.leaving() ? begin(view, budget, record) : await(view, record, task);
    }

    /** Those before it wait for all members to be up, which it never will be again. */
    @Override
    public boolean mayOvertake(View view) {
        NodeRecord record = view.nodes().get(node);
        return record != null && NodeRemoval.isNeeded(view, record);
    }

    private Verdict begin(View view, Budget budget, NodeRecord record) {
        if (record.leaving() && record.task() != null && !isRefused(view, record)) {
            return new Verdict.Do(List.of(), List.of(), "is leaving already", memory(record, record.task()));
        }
        if (!record.joined()) {
            return neverJoined(view) && !record.ownsRanges()
                    ? abandon(record)
                    : new Verdict.Wait("is still joining, and leaves after that");
        }
        Optional<String> closed = budget.beforeTouching(view, record.withTask(null), specVersion)
                .or(() -> record.leaving() ? Optional.empty() : AvailabilityCheck.unsettled(view, record))
                .or(() -> otherWork(record));
        if (closed.isPresent()) {
            return new Verdict.Wait(closed.get());
        }
        NodeTask task = new NodeTask(
                "decommission-" + node.shortName() + "-" + (record.generation() + 1),
                NodeTask.Kind.DECOMMISSION,
                Map.of());
        NodeRecord decided = record.leave(task);
        return new Verdict.Do(
                List.of(new Change.Put(decided)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, decided))),
                "hands its ranges over to the others",
                memory(record, task));
    }

    private static Optional<String> otherWork(NodeRecord record) {
        NodeTask task = record.task();
        return task == null || task.kind() == NodeTask.Kind.DECOMMISSION
                ? Optional.empty()
                : Optional.of("the node is at work: " + task.kind().label());
    }

    /** Its executor, which answers, never saw it NORMAL, and it will not become so by itself. */
    private boolean neverJoined(View view) {
        return PermanentFailure.of(view, node).isPresent()
                && view.status(node)
                        .filter(s -> !s.stages().containsKey(Stage.JOINED))
                        .isPresent();
    }

    private static Verdict abandon(NodeRecord record) {
        NodeRecord gone = record.leave(null).takenAway();
        return new Verdict.Do(
                List.of(new Change.Put(gone)),
                List.of(new Command.Kill(record.allocation().id()), new Command.Forget(record.id())),
                "never joined the ring; ends executor and daemon",
                Map.of(VOLUME, volume(record)));
    }

    private Verdict await(View view, NodeRecord record, String task) {
        Optional<TaskStatus> told = NodeTasks.status(view, node, task);
        if (told.isEmpty()) {
            return new Verdict.Wait(AvailabilityCheck.unsettled(view, record).orElse("the executor begins it"));
        }
        TaskStatus status = told.get();
        return switch (status.state()) {
            case RUNNING -> new Verdict.Wait(NodeTasks.progress(status));
            case DONE -> new Verdict.Wait("has left the ring; its executor is ended");
            case FAILED, ABORTED ->
                new Verdict.Failed(
                        List.of(),
                        Problem.of(
                                ErrorCode.TASK_FAILED,
                                node + " does not leave: " + status.message(),
                                Advice.nodeLogs(node)
                                        .prefix("see ")
                                        .suffix(", then retry the plan, or apply a spec that keeps the node")));
        };
    }

    private boolean isRefused(View view, NodeRecord record) {
        NodeTask task = record.task();
        return view.status(node)
                .map(s -> s.task())
                .filter(t -> task != null && t.id().equals(task.id()))
                .filter(t -> t.state().isOver() && t.state() != TaskStatus.State.DONE)
                .isPresent();
    }

    private static Map<String, String> memory(NodeRecord record, NodeTask task) {
        return Map.of(NodeTasks.TASK, task.id(), VOLUME, volume(record));
    }

    private static String volume(NodeRecord record) {
        return record.allocation().id() + " on " + record.allocation().machine();
    }
}
