package io.ringmaster.core.step;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.spec.Size;
import io.ringmaster.core.target.NodeTargets;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Has one node do long work and follows it to its end. When the plan ends before the work does, {@code Recovery} takes the task from
 * the node's target, and the executor stops it.
 *
 * @param taskArgs see {@link NodeTask#args}
 * @param forSpec it is a part of bringing a spec about, so that it does not wait until that is settled
 */
public record RunTask(
        NodeId node, NodeTask.Kind kind, Map<String, String> taskArgs, boolean allowSilentPeers, boolean forSpec)
        implements Step {
    static final String TYPE = "run-task";
    /** In the memory of a step: the task that it wants done. */
    public static final String TASK = "task";

    private static final String ARGUMENT = "task.";
    private static final String FOR_SPEC = "for_spec";

    public RunTask {
        taskArgs = Map.copyOf(taskArgs);
    }

    /** Asked for by a request. */
    public RunTask(NodeId node, NodeTask.Kind kind, Map<String, String> taskArgs, boolean allowSilentPeers) {
        this(node, kind, taskArgs, allowSilentPeers, false);
    }

    /** Removes the rows of ranges that others took over. */
    public static RunTask cleanupForSpec(NodeId node) {
        return new RunTask(node, NodeTask.Kind.CLEANUP, Map.of(), true, true);
    }

    /** Brings a datacenter that joins a live cluster its part of the data, or takes it away before it leaves. */
    public static RunTask forSpec(NodeId node, NodeTask.Kind kind, Map<String, String> taskArgs) {
        return new RunTask(node, kind, taskArgs, true, true);
    }

    static RunTask of(NodeId node, Map<String, String> args) {
        Map<String, String> taskArgs = new TreeMap<>();
        args.forEach((name, value) -> {
            if (name.startsWith(ARGUMENT)) {
                taskArgs.put(name.substring(ARGUMENT.length()), value);
            }
        });
        return new RunTask(
                node,
                NodeTask.Kind.valueOf(Steps.arg(args, "kind")),
                taskArgs,
                Boolean.parseBoolean(args.get("allow_silent_peers")),
                Boolean.parseBoolean(args.get(FOR_SPEC)));
    }

    @Override
    public String type() {
        return TYPE;
    }

    @Override
    public Map<String, String> args() {
        Map<String, String> args = new TreeMap<>();
        taskArgs.forEach((name, value) -> args.put(ARGUMENT + name, value));
        args.put("node", node.value());
        args.put("kind", kind.name());
        args.put("allow_silent_peers", Boolean.toString(allowSilentPeers));
        if (forSpec) {
            args.put(FOR_SPEC, "true");
        }
        return args;
    }

    @Override
    public String name() {
        return (forSpec ? kind.label() + " " : "") + node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        if (record != null && forSpec && !record.launched() && record.replaces() != null) {
            return new Verdict.Wait(node.shortName() + " is being replaced");
        }
        if (record == null || !record.launched()) {
            return new Verdict.Done(List.of(), "not there any more");
        }
        String task = memory.get(TASK);
        if (task == null) {
            return begin(view, record);
        }
        return kind == NodeTask.Kind.REPAIR && isPaused(view, task)
                ? pause(view, record, task)
                : await(view, record, new NodeTask(task, kind, taskArgs));
    }

    /** Whether the plan wants this task, now or when it is resumed. */
    public static boolean isWantedBy(Plan plan, String task) {
        return !plan.status().isOver()
                && plan.phases().stream()
                        .flatMap(p -> p.steps().stream())
                        .filter(s -> !s.status().isOver())
                        .anyMatch(s -> task.equals(s.memory().get(TASK)));
    }

    private static boolean isPaused(View view, String task) {
        return view.plans().values().stream().anyMatch(p -> p.status() == PlanStatus.PAUSED && isWantedBy(p, task));
    }

    /** A repair knows what is repaired already, so that it can end now and go on as another task later. Other work goes on to its end. */
    private Verdict pause(View view, NodeRecord record, String task) {
        if (record.task() == null || !record.task().id().equals(task)) {
            return new Verdict.Wait(
                    AvailabilityCheck.unsettled(view, record).orElse("paused; nothing runs in the node"));
        }
        NodeRecord freed = record.withTask(null);
        return new Verdict.Do(
                List.of(new Change.Put(freed)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, freed))),
                "paused: ends it in the node",
                Map.of(TASK, task));
    }

    private Verdict begin(View view, NodeRecord record) {
        boolean needsAll = kind == NodeTask.Kind.DRAIN || kind == NodeTask.Kind.REPAIR;
        Optional<String> turn = needsAll
                ? AvailabilityCheck.ONE_AT_A_TIME.beforeRequested(view, record, false, allowSilentPeers)
                : forSpec ? Optional.empty() : OperationLock.specAtWork(view, node.cluster(), allowSilentPeers);
        Optional<String> reason = turn.or(() -> AvailabilityCheck.unsettled(view, record))
                .or(() -> record.task() == null
                        ? Optional.empty()
                        : Optional.of(
                                "the node is at work: " + record.task().kind().label()));
        if (reason.isPresent()) {
            return new Verdict.Wait(reason.get());
        }
        // The generation grows with each decision about the node, so that asking again is another task.
        NodeTask task =
                new NodeTask(kind.label() + "-" + node.shortName() + "-" + (record.generation() + 1), kind, taskArgs);
        return ask(view, record, task);
    }

    private static Verdict ask(View view, NodeRecord record, NodeTask task) {
        NodeRecord asked = record.withTask(task);
        return new Verdict.Do(
                List.of(new Change.Put(asked)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, asked))),
                "asks for " + task.kind().label(),
                Map.of(TASK, task.id()));
    }

    private Verdict await(View view, NodeRecord record, NodeTask task) {
        if (record.task() == null) {
            return kind == NodeTask.Kind.REPAIR ? begin(view, record) : ask(view, record, task);
        }
        if (!task.equals(record.task())) {
            return new Verdict.Wait(
                    "the node is at work: " + record.task().kind().label());
        }
        Optional<TaskStatus> told = view.status(node).map(s -> s.task()).filter(t -> t.id().equals(task.id()));
        if (told.isEmpty()) {
            return new Verdict.Wait(AvailabilityCheck.unsettled(view, record).orElse("the executor begins it"));
        }
        TaskStatus status = told.get();
        return switch (status.state()) {
            case RUNNING -> new Verdict.Wait(progress(status));
            case DONE -> new Verdict.Done(done(record), summary(status));
            case FAILED, ABORTED ->
                new Verdict.Failed(
                        over(record),
                        Problem.of(
                                ErrorCode.TASK_FAILED,
                                kind.label() + " of " + node
                                        + (status.state() == TaskStatus.State.ABORTED ? " was ended" : " failed")
                                        + ": " + status.message(),
                                Advice.nodeLogs(node).prefix("see ").suffix(", then retry the plan")));
        };
    }

    private List<Change> done(NodeRecord record) {
        boolean cleaned = kind == NodeTask.Kind.CLEANUP && !taskArgs.containsKey("keyspaces");
        return over(record.needsCleanup(record.needsCleanup() && !cleaned));
    }

    private static List<Change> over(NodeRecord record) {
        return List.of(new Change.Put(record.withTask(null)));
    }

    /** {@code compact: 42 % of 1.2 GiB: rides.locations}. */
    static String progress(TaskStatus status) {
        String share = status.total() <= 0
                ? ""
                : 100 * Math.min(status.done(), status.total()) / status.total() + " % of " + amount(status) + ": ";
        return status.kind().label() + ": " + share + status.message();
    }

    private static String amount(TaskStatus status) {
        return status.unit().equals("bytes") ? Size.text(status.total()) : status.total() + " " + status.unit();
    }

    private static String summary(TaskStatus status) {
        Instant ended = status.endedAt() == null ? status.startedAt() : status.endedAt();
        return status.message() + " in " + PostChangeCheck.seconds(Duration.between(status.startedAt(), ended));
    }
}
