package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.ring.RingMember;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Removes a node from the ring that lost its volume after it started to leave. The node can neither complete nor
 * start again, because Cassandra lets no node join while another leaves. Another NORMAL node of the datacenter
 * removes it.
 */
final class NodeRemoval {
    private static final String REMOVER = "remover";

    private final View view;
    private final NodeId node;

    NodeRemoval(View view, NodeId node) {
        this.view = view;
        this.node = node;
    }

    static boolean hasStarted(Map<String, String> memory) {
        return memory.containsKey(REMOVER);
    }

    /**
     * Whether the executor finds the volume empty, or the pool has lost it.
     */
    static boolean isNeeded(View view, NodeRecord leaving) {
        boolean empty = view.status(leaving.id())
                .filter(s -> s.mode() != OperatingMode.DECOMMISSIONED)
                .map(NodeStatus::problem)
                .filter(p -> p.code() == ErrorCode.MACHINE_LOST)
                .isPresent();
        return leaving.leaving() && leaving.launched() && (empty || LostNode.isVolumeLost(view, leaving.allocation()));
    }

    Verdict start(NodeRecord lost, Budget budget) {
        Optional<String> blocked = LostNode.whyUp(view, lost).or(() -> budget.beforeReplacing(view, lost, false));
        if (blocked.isPresent()) {
            return new Verdict.Wait(
                    "its volume is lost; before another node removes it from the ring: " + blocked.get());
        }
        Optional<NodeRecord> remover = view.nodesOf(node.cluster()).stream()
                .filter(n -> !n.id().equals(node)
                        && n.task() == null
                        && host(n, lost).isPresent())
                .findFirst();
        return remover.map(r -> ask(r, host(r, lost).orElseThrow()))
                .orElseGet(() -> new Verdict.Failed(
                        List.of(),
                        Problem.of(
                                ErrorCode.MACHINE_LOST,
                                node + " lost its volume while it was leaving, and no idle node of " + node.datacenter()
                                        + " can remove it from the ring",
                                "retry the plan once another node of the datacenter is NORMAL and runs no task")));
    }

    private Verdict ask(NodeRecord remover, String host) {
        NodeTask task = new NodeTask(
                "remove-" + node.shortName() + "-" + (remover.generation() + 1),
                NodeTask.Kind.REMOVE,
                Map.of("host", host));
        NodeRecord asked = remover.withTask(task);
        return new Verdict.Do(
                List.of(new Change.Put(asked)),
                List.of(new Command.Apply(remover.allocation(), NodeTargets.of(view, asked))),
                "its volume is lost: " + remover.id().shortName() + " removes it from the ring",
                Map.of(NodeTasks.TASK, task.id(), REMOVER, remover.id().value()));
    }

    /**
     * Follows the removal to its end, also when the record of the lost node is gone: the replicas may still stream
     * what it held.
     */
    Verdict follow(Map<String, String> memory, Budget budget) {
        NodeId by = NodeId.of(Objects.requireNonNull(memory.get(REMOVER), "the removal has started"));
        String id = Objects.requireNonNull(memory.get(NodeTasks.TASK), "the removal has a task");
        NodeRecord remover = view.nodes().get(by);
        NodeRecord lost = view.nodes().get(node);
        if (remover == null || remover.task() == null || !remover.task().id().equals(id)) {
            return lost == null ? new Verdict.Done(List.of(), "is no longer in the ring") : start(lost, budget);
        }
        Optional<TaskStatus> reported = NodeTasks.status(view, by, id);
        if (reported.isEmpty()) {
            return new Verdict.Wait(AvailabilityCheck.unsettled(view, remover)
                    .orElse(by.shortName() + "'s executor has not started the task yet"));
        }
        return switch (reported.get().state()) {
            case RUNNING -> new Verdict.Wait(by.shortName() + ": " + NodeTasks.progress(reported.get()));
            case DONE ->
                lost == null
                        ? new Verdict.Done(
                                over(remover),
                                "lost its volume while it was leaving; " + by.shortName() + " removed it from the ring")
                        : new Verdict.Wait("is removed from the ring; the other nodes must see that");
            case FAILED, ABORTED ->
                new Verdict.Failed(
                        over(remover),
                        Problem.of(
                                ErrorCode.TASK_FAILED,
                                by.shortName() + " cannot remove " + node + " from the ring: "
                                        + reported.get().message(),
                                Advice.nodeLogs(by).prefix("see ").suffix(", then retry the plan")));
        };
    }

    private static List<Change> over(NodeRecord remover) {
        return List.of(new Change.Put(remover.withTask(null)));
    }

    /** The host id of the lost node as reported by {@code beside}, which must be NORMAL. */
    private Optional<String> host(NodeRecord beside, NodeRecord lost) {
        RingMember member = RingMember.of(view, lost);
        return view.status(beside.id()).filter(s -> s.mode() == OperatingMode.NORMAL).map(NodeStatus::ring).stream()
                .flatMap(r -> member.tracesIn(r).stream())
                .flatMap(p -> Stream.ofNullable(p.hostId()))
                .findFirst();
    }
}
