package io.ringmaster.core.step;

import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.target.NodeTargets;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The way out of the ring for a node whose volume is lost after it began to leave: it can neither go on nor begin anew, because Cassandra
 * lets nobody join beside one that leaves. A node beside it that serves takes it out.
 */
final class NodeRemoval {
    private static final String REMOVER = "remover";

    private final View view;
    private final NodeId node;

    NodeRemoval(View view, NodeId node) {
        this.view = view;
        this.node = node;
    }

    static boolean hasBegun(Map<String, String> memory) {
        return memory.containsKey(REMOVER);
    }

    /** Its executor finds the volume empty, or the pool, which has told its picture, knows nothing of its place any more. */
    static boolean isNeeded(View view, NodeRecord leaving) {
        boolean empty = view.status(leaving.id())
                .filter(s -> s.mode() != OperatingMode.DECOMMISSIONED)
                .map(NodeStatus::problem)
                .filter(p -> p.code() == ErrorCode.MACHINE_LOST)
                .isPresent();
        boolean gone = view.poolSeen()
                && !view.allocations().containsKey(leaving.allocation().id());
        return leaving.leaving() && leaving.launched() && (empty || gone);
    }

    Verdict begin(NodeRecord lost, Budget budget) {
        Optional<String> closed = LostNode.whyUp(view, lost).or(() -> budget.beforeReplacing(view, lost, false));
        if (closed.isPresent()) {
            return new Verdict.Wait("its volume is lost; before others take it out of the ring: " + closed.get());
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
                                node + " lost its volume while it left, and no idle node of " + node.datacenter()
                                        + " sees it that could take it out of the ring",
                                "retry the plan when another one is there")));
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
                "its volume is lost: " + remover.id().shortName() + " takes it out of the ring",
                Map.of(RunTask.TASK, task.id(), REMOVER, remover.id().value()));
    }

    /** What becomes of it, also when nothing is stored of the lost node any more: what it held may still stream. */
    Verdict follow(Map<String, String> memory, Budget budget) {
        NodeId by = NodeId.of(Objects.requireNonNull(memory.get(REMOVER), "the removal has started"));
        String id = memory.get(RunTask.TASK);
        NodeRecord remover = view.nodes().get(by);
        NodeRecord lost = view.nodes().get(node);
        if (remover == null || remover.task() == null || !remover.task().id().equals(id)) {
            return lost == null ? new Verdict.Done(List.of(), "is in the ring no more") : begin(lost, budget);
        }
        Optional<TaskStatus> told = view.status(by).map(NodeStatus::task).filter(t -> t.id().equals(id));
        if (told.isEmpty()) {
            return new Verdict.Wait(
                    AvailabilityCheck.unsettled(view, remover).orElse(by.shortName() + "'s executor begins it"));
        }
        return switch (told.get().state()) {
            case RUNNING -> new Verdict.Wait(by.shortName() + ": " + RunTask.progress(told.get()));
            case DONE ->
                lost == null
                        ? new Verdict.Done(
                                over(remover),
                                "lost its volume while it left; " + by.shortName() + " took it out of the ring")
                        : new Verdict.Wait("is taken out of the ring; the others must see it gone");
            case FAILED, ABORTED ->
                new Verdict.Failed(
                        over(remover),
                        Problem.of(
                                ErrorCode.TASK_FAILED,
                                by.shortName() + " cannot take " + node + " out of the ring: "
                                        + told.get().message(),
                                Advice.nodeLogs(by).prefix("see ").suffix(", then retry the plan")));
        };
    }

    private static List<Change> over(NodeRecord remover) {
        return List.of(new Change.Put(remover.withTask(null)));
    }

    /** The lost node's host id, as this one, which serves, tells it. */
    private Optional<String> host(NodeRecord beside, NodeRecord lost) {
        String endpoint = Seeds.endpoint(lost.allocation());
        return view.status(beside.id()).filter(s -> s.mode() == OperatingMode.NORMAL).map(NodeStatus::ring).stream()
                .flatMap(r -> r.peers().stream())
                .filter(p -> p.endpoint().equals(endpoint))
                .map(RingView.PeerSeen::hostId)
                .findFirst();
    }
}
