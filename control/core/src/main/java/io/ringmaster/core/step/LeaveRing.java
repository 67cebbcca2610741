package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.Heirs;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.safety.StaleDecisionCheck;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes one node stream its ranges to the other nodes and leave the ring.
 *
 * <p>The decision is final: {@code Recovery} completes it whatever happens to the plan, releases the allocation
 * once the node has left, and removes its record; the volume is kept. A node that loses its volume before it has
 * left is removed by another node.
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
        if (NodeRemoval.hasStarted(memory)) {
            return new NodeRemoval(view, node).follow(memory, budget);
        }
        if (record == null) {
            String volume = memory.get(VOLUME);
            return new Verdict.Done(
                    List.of(), volume == null ? "already gone" : "left the ring; volume " + volume + " is kept");
        }
        if (record.hasLeft()) {
            return new Verdict.Wait("has left the ring; its allocation is being released");
        }
        if (NodeRemoval.isNeeded(view, record)) {
            return new NodeRemoval(view, node).start(record, budget);
        }
        String task = memory.get(NodeTasks.TASK);
        return task == null || !record.leaving() ? start(view, budget, record) : await(view, record, task);
    }

    /** The steps before this one wait until all members are up: a lost node, or one that failed to leave, is not. */
    @Override
    public boolean mayOvertake(View view) {
        NodeRecord record = view.nodes().get(node);
        return record != null
                && (hasFailedToLeave(view, record)
                        || NodeRemoval.isNeeded(view, record)
                        || LostNode.beforeCreation(view, record));
    }

    /** A node that breaks after this one overtook is changed while the order to leave is held back because of it. */
    @Override
    public boolean isHeld(View view, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        return record != null
                && record.leaving()
                && StaleDecisionCheck.whyHeldBack(view, record).isPresent();
    }

    /** Whether the node was ordered to leave, and Cassandra could not. All other members wait until it has left. */
    static boolean hasFailedToLeave(View view, NodeRecord record) {
        return isStuck(view, record) || (record.leaving() && isRefused(view, record));
    }

    /** Whether the others see it leave, so that none of them may be taken down. */
    private static boolean isStuck(View view, NodeRecord record) {
        return record.leaving()
                && view.status(record.id())
                        .filter(s -> s.mode() == OperatingMode.DECOMMISSION_FAILED)
                        .isPresent();
    }

    private Verdict start(View view, Budget budget, NodeRecord record) {
        if (record.leaving() && record.task() != null && !isRefused(view, record)) {
            return new Verdict.Do(List.of(), List.of(), "is already leaving", memory(record, record.task()));
        }
        if (!record.joined()) {
            Optional<String> seen =
                    LostNode.beforeCreation(view, record) ? LostNode.whyStillInRing(view, record) : Optional.empty();
            if (seen.isPresent()) {
                return new Verdict.Wait(seen.get());
            }
            return (neverJoined(view) && !record.ownsRanges()) || LostNode.beforeCreation(view, record)
                    ? abandon(record)
                    : new Verdict.Wait("is still joining; it leaves once it has joined");
        }
        // a node that was ordered to leave before does so ahead of the datacenters that wait for it
        long version = isStuck(view, record) ? record.specVersion() : specVersion;
        Optional<String> blocked = budget.beforeTouching(view, record.withTask(null), version)
                .or(() -> record.leaving() ? Optional.empty() : AvailabilityCheck.unsettled(view, record))
                .or(() -> otherWork(record));
        if (blocked.isPresent()) {
            return new Verdict.Wait(blocked.get());
        }
        NodeTask task = new NodeTask(
                "decommission-" + node.shortName() + "-" + (record.generation() + 1),
                NodeTask.Kind.DECOMMISSION,
                Map.of());
        NodeRecord decided = record.leave(task);
        return new Verdict.Do(
                Stream.concat(Stream.of(decided), heirs(view, record))
                        .<Change>map(Change.Put::new)
                        .toList(),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, decided))),
                "streams its ranges to the other nodes",
                memory(record, task));
    }

    /** Those that repair the ranges that they take over. A datacenter that leaves as a whole has no ranges any more. */
    private Stream<NodeRecord> heirs(View view, NodeRecord record) {
        boolean stays = view.spec(node.cluster(), specVersion)
                .flatMap(s -> s.spec().datacenter(node.datacenter()))
                .isPresent();
        return stays ? Heirs.of(view, record).stream().map(n -> n.owing(view.now())) : Stream.empty();
    }

    private static Optional<String> otherWork(NodeRecord record) {
        NodeTask task = record.task();
        return task == null || task.kind() == NodeTask.Kind.DECOMMISSION
                ? Optional.empty()
                : Optional.of("the node runs a task: " + task.kind().label());
    }

    /**
     * Whether the executor, which answers, never saw the node NORMAL, and the node cannot become NORMAL without
     * help.
     */
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
                "never joined the ring; stops executor and daemon",
                Map.of(VOLUME, volume(record)));
    }

    private Verdict await(View view, NodeRecord record, String task) {
        Optional<TaskStatus> reported = NodeTasks.status(view, node, task);
        if (reported.isEmpty()) {
            return new Verdict.Wait(StaleDecisionCheck.whyHeldBack(view, record)
                    .map(why -> "the order to leave is held back: " + why)
                    .or(() -> AvailabilityCheck.unsettled(view, record))
                    .orElse("the executor has not started the task yet"));
        }
        TaskStatus status = reported.get();
        return switch (status.state()) {
            case RUNNING -> new Verdict.Wait(NodeTasks.progress(status));
            case DONE -> new Verdict.Wait("has left the ring; its executor is being stopped");
            case FAILED, ABORTED ->
                new Verdict.Failed(
                        List.of(),
                        Problem.of(
                                ErrorCode.TASK_FAILED,
                                node + " does not leave: " + status.message(),
                                Advice.nodeLogs(node).prefix("see ").suffix(", then retry the plan")));
        };
    }

    private static boolean isRefused(View view, NodeRecord record) {
        NodeTask task = record.task();
        return view.status(record.id())
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
