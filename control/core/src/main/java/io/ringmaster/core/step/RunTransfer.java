package io.ringmaster.core.step;

import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs one transfer beside one node and follows it to its end. It takes no node down and does not touch the node's
 * task, so that a deploy, a restart or a repair goes on meanwhile, and it needs no daemon.
 *
 * <p>A check that failed waits for those of the other nodes, so that one request names all that fail.
 *
 * <p>The step only decides: {@code Recovery} sends the target under its own rules, and removes the transfer from it
 * when no plan wants it any more.
 *
 * @param transferArgs the arguments of the transfer, see {@link NodeTask#args}
 * @param forSpec whether the transfer is a part of applying a spec, so that a failure keeps the plan for a retry; the
 *     plan of a request ends instead, and releases the operation lock
 */
public record RunTransfer(
        NodeId node, NodeTask.Kind kind, Map<String, String> transferArgs, @StepCodec.OmittedWhenFalse boolean forSpec)
        implements Step {
    private static final String ALLOCATION = "allocation";
    private static final String FAILURE = "failure";

    /** @throws IllegalArgumentException the daemon does this kind of task */
    public RunTransfer {
        if (kind.runsIn() != NodeTask.Place.TRANSFER) {
            throw new IllegalArgumentException(kind.label() + " is no transfer");
        }
        transferArgs = Map.copyOf(transferArgs);
    }

    @Override
    public String name() {
        return kind.label() + " " + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        String failure = memory.get(FAILURE);
        if (failure != null) {
            return isCheckedElsewhere(view) ? new Verdict.Wait(failure) : ended(List.of(), failure);
        }
        Verdict verdict = decide(view, memory);
        return verdict instanceof Verdict.GivenUp end && isCheckedElsewhere(view)
                ? failed(view, end.problem().message(), memory)
                : verdict;
    }

    /** Whether this is a check, and others of the same request are not over. */
    private boolean isCheckedElsewhere(View view) {
        return kind == NodeTask.Kind.BACKUP_CHECK
                && view.nodesOf(node.cluster()).stream()
                        .filter(n -> !n.id().equals(node) && n.launched())
                        .anyMatch(n -> isUnderWay(view, n.id(), n.transfer()));
    }

    private boolean isUnderWay(View view, NodeId other, @Nullable NodeTask check) {
        return check != null
                && check.kind() == kind
                && view.status(other)
                        .map(NodeStatus::transfer)
                        .filter(t -> t.id().equals(check.id()) && t.state().isOver())
                        .isEmpty();
    }

    private Verdict failed(View view, String why, Map<String, String> memory) {
        Map<String, String> more = new HashMap<>(memory);
        more.put(FAILURE, why);
        NodeRecord record = view.nodes().get(node);
        List<Change> over = record == null ? List.of() : List.of(new Change.Put(record.withTransfer(null)));
        return new Verdict.Do(over, List.of(), why, more);
    }

    /** A volume that is gone took what it was to send with it, so a node in another place does not count as done. */
    private Verdict decide(View view, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        Optional<String> gone = gone(record, memory.get(ALLOCATION));
        if (record == null || gone.isPresent()) {
            return ended(List.of(), node + gone.orElseThrow());
        }
        String id = memory.get(NodeTasks.TRANSFER);
        if (id == null) {
            // the generation grows with each decision about the node, so a repeated request gets another id
            return start(record, kind.label() + "-" + node.shortName() + "-" + (record.generation() + 1));
        }
        boolean asked = record.transfer() != null && record.transfer().id().equals(id);
        return asked ? await(view, record, id) : start(record, id);
    }

    /** @param askedAt the allocation of the node when the transfer was requested; null before that */
    private Optional<String> gone(@Nullable NodeRecord record, @Nullable String askedAt) {
        if (record == null) {
            return Optional.of(" is not a part of the cluster any more");
        } else if (askedAt != null && !askedAt.equals(record.allocation().id().value())) {
            return Optional.of(" was replaced during its " + kind.label());
        }
        return record.launched() ? Optional.empty() : Optional.of(" does not run: it leaves, or is being replaced");
    }

    private Verdict start(NodeRecord record, String id) {
        if (record.transfer() != null) {
            return new Verdict.Wait(
                    "the node runs a transfer: " + record.transfer().kind().label());
        }
        return new Verdict.Do(
                List.of(new Change.Put(record.withTransfer(new NodeTask(id, kind, transferArgs)))),
                List.of(),
                "requests " + kind.label(),
                Map.of(
                        NodeTasks.TRANSFER,
                        id,
                        ALLOCATION,
                        record.allocation().id().value()));
    }

    private Verdict await(View view, NodeRecord record, String id) {
        Optional<NodeStatus> reported = view.status(node);
        Optional<TaskStatus> transfer = reported.map(NodeStatus::transfer).filter(t -> t.id().equals(id));
        if (transfer.isEmpty()) {
            boolean current =
                    reported.filter(s -> s.generation() >= record.generation()).isPresent();
            return new Verdict.Wait(
                    current
                            ? "the executor has not started the transfer yet"
                            : AvailabilityCheck.unsettled(view, record).orElseThrow());
        }
        TaskStatus status = transfer.get();
        List<Change> over = List.of(new Change.Put(record.withTransfer(null)));
        return switch (status.state()) {
            case RUNNING -> new Verdict.Wait(NodeTasks.roughProgress(status));
            case DONE -> new Verdict.Done(over, NodeTasks.summary(status));
            case FAILED -> ended(over, kind.label() + " of " + node + " failed: " + status.message());
            case ABORTED -> ended(over, kind.label() + " of " + node + " was stopped: " + status.message());
        };
    }

    private Verdict ended(List<Change> changes, String why) {
        Advice logs = Advice.nodeLogs(node).prefix("see ");
        return forSpec
                ? new Verdict.Failed(
                        changes, Problem.of(ErrorCode.TASK_FAILED, why, logs.suffix(", then retry the plan")))
                : new Verdict.GivenUp(
                        Problem.of(ErrorCode.TASK_FAILED, why, logs.suffix(", then request the operation again")));
    }

    /** A node whose files did not come is not declared to have them. */
    @Override
    public Verdict forced(View view) {
        return kind == NodeTask.Kind.RESTORE_FETCH
                ? new Verdict.Failed(
                        List.of(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                node + " cannot be restored without step '" + name() + "': its rows would be lost",
                                Advice.of("retry the plan, or delete the cluster and restore it again")))
                : Step.super.forced(view);
    }
}
