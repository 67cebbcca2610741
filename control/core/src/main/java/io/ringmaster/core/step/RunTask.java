package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.lock.Replacements;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.CleanupCheck;
import io.ringmaster.core.safety.ConnectedClients;
import io.ringmaster.core.safety.RepairCheck;
import io.ringmaster.core.safety.RepairScope;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.safety.SnapshotCheck;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.Preset;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Runs one long task in one node and follows it to its end. When the plan ends before the task, {@code Recovery}
 * removes the task from the target of the node, and the executor stops it.
 *
 * @param taskArgs the arguments of the task, see {@link NodeTask#args}
 * @param forSpec whether the task is a part of applying a spec, so that it does not wait until that spec is settled
 */
public record RunTask(
        NodeId node,
        NodeTask.Kind kind,
        Map<String, String> taskArgs,
        boolean allowSilentPeers,
        @StepCodec.OmittedWhenFalse boolean forSpec)
        implements Step {
    /** The argument of a cleanup, and the parameter of the operation: whether to take a snapshot before. */
    public static final String SNAPSHOT = "snapshot";

    /** The argument of a repair: ranges that the node has repaired with the same value are left out. */
    static final String UNLESS_AFTER = "unless_after";

    /** The argument of a repair: the server's time at the request, which every repair of the task is later than. */
    private static final String REQUESTED_AT = "requested_at";

    /** The argument of a repair: all ranges that the node has a replica of, instead of its primary ones. */
    public static final String REPLICA_RANGES = "replica_ranges";

    /** The argument of a repair: roles are repaired too. */
    public static final String SYSTEM_AUTH = "system_auth";

    /** The argument of a repair: only replicas of the node's datacenter take part. */
    public static final String WITHIN_DATACENTER = "within_dc";

    /** The argument of tasks over tables: only these keyspaces. */
    public static final String KEYSPACES = "keyspaces";

    private static final String STAYING = "staying";
    private static final String NODES = "nodes";

    public RunTask {
        taskArgs = Map.copyOf(taskArgs);
    }

    /** A task of a requested operation. */
    public static RunTask requested(
            NodeId node, NodeTask.Kind kind, Map<String, String> taskArgs, boolean allowSilentPeers) {
        return new RunTask(node, kind, taskArgs, allowSilentPeers, false);
    }

    /** Removes rows of ranges that other nodes own now. */
    public static RunTask cleanupForSpec(NodeId node, Preset preset) {
        return new RunTask(node, NodeTask.Kind.CLEANUP, snapshotOfCleanup(preset), true, true);
    }

    /** In production a cleanup keeps a snapshot of what it removes for some days, if the disk has room for it. */
    public static Map<String, String> snapshotOfCleanup(Preset preset) {
        return preset == Preset.PRODUCTION ? Map.of(SNAPSHOT, "true") : Map.of();
    }

    /**
     * Gives the datacenters that stay every row that this node of a leaving datacenter has.
     *
     * @param since when that was decided; ranges that were repaired for that decision are left out
     */
    public static RunTask repairStaying(NodeId node, List<DatacenterName> staying, Instant since) {
        Map<String, String> args = new TreeMap<>(wholeRepair(since));
        args.put(STAYING, names(staying));
        return forSpec(node, NodeTask.Kind.REPAIR, args);
    }

    /**
     * The arguments of a repair of all ranges that a node has, with all replicas, roles included.
     *
     * @param since when that was decided; ranges that were repaired for that decision are left out
     */
    static Map<String, String> wholeRepair(Instant since) {
        return Map.of(REPLICA_RANGES, "true", SYSTEM_AUTH, "true", UNLESS_AFTER, since.toString());
    }

    /** Checks that the datacenters that stay have the partitions that this node of a leaving datacenter has. */
    public static RunTask compareStaying(NodeId node, List<DatacenterName> staying) {
        return forSpec(node, NodeTask.Kind.COMPARE, Map.of(STAYING, names(staying)));
    }

    private static String names(List<DatacenterName> datacenters) {
        return datacenters.stream().map(DatacenterName::value).collect(Collectors.joining(","));
    }

    /** Takes the replicas of a leaving datacenter out of every keyspace but that of roles, which keeps one there. */
    public static RunTask removeReplicas(NodeId node) {
        return forSpec(
                node,
                NodeTask.Kind.REPLICATE,
                Map.of("datacenter", node.datacenter().value(), NODES, "0"));
    }

    /** A task of the plan of a datacenter that joins a live cluster or leaves it. */
    public static RunTask forSpec(NodeId node, NodeTask.Kind kind, Map<String, String> taskArgs) {
        return new RunTask(node, kind, taskArgs, true, true);
    }

    @Override
    public String name() {
        return (forSpec || taskArgs.containsKey(REPLICA_RANGES) ? kind.label() + " " : "") + node.datacenter() + " "
                + node.shortName();
    }

    /** A repair of the spec keeps no node busy that a replacement has yet to check, and may wait for the dead one. */
    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        boolean starts = forSpec && kind == NodeTask.Kind.REPAIR && !memory.containsKey(NodeTasks.TASK);
        Optional<String> replacing = starts ? OperationLock.replacing(view, node.cluster()) : Optional.empty();
        return replacing.<Verdict>map(Verdict.Wait::new).orElseGet(() -> run(view, budget, memory));
    }

    /** As {@link #next}, also while a node is being replaced. */
    Verdict run(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        if (record != null && forSpec && !record.launched() && record.replaces() != null) {
            return new Verdict.Wait(node.shortName() + " is being replaced" + Replacements.nextStep(view, record));
        }
        if (record == null || !record.launched()) {
            return isOfRestore() ? unrestored(node + " does not run") : new Verdict.Done(List.of(), "already gone");
        }
        if (kind == NodeTask.Kind.CLEANUP && RepairRanges.isAtWork(memory)) {
            return afterOwedRepairs(view, budget, record, memory);
        }
        String task = memory.get(NodeTasks.TASK);
        if (task == null) {
            return start(view, budget, record);
        }
        return kind == NodeTask.Kind.REPAIR && isPaused(view, task)
                ? pause(view, record, task)
                : await(view, budget, record, new NodeTask(task, kind, taskArgs));
    }

    private static boolean isPaused(View view, String task) {
        return view.plans().values().stream()
                .anyMatch(p -> p.status() == PlanStatus.PAUSED && NodeTasks.isWantedBy(p, task));
    }

    /**
     * Only a repair stops when its plan is paused: it records which ranges are repaired, so that a later task
     * continues. Other tasks run to their end.
     */
    private Verdict pause(View view, NodeRecord record, String task) {
        if (record.task() == null || !record.task().id().equals(task)) {
            return new Verdict.Wait(AvailabilityCheck.unsettled(view, record).orElse("paused; no task runs"));
        }
        return stop(view, record, "paused: stops the task", Map.of(NodeTasks.TASK, task));
    }

    /** Takes the task out of the target of its node; a repair that is requested again continues. */
    static Verdict.Do stop(View view, NodeRecord record, String reason, Map<String, String> memory) {
        NodeRecord freed = record.withTask(null);
        return new Verdict.Do(
                List.of(new Change.Put(freed)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, freed))),
                reason,
                memory);
    }

    private Verdict start(View view, Budget budget, NodeRecord record) {
        RepairScope scope = scope(view);
        if (!scope.has(node.datacenter())) {
            return RepairScope.unsure(view, node.cluster())
                    .<Verdict>map(Verdict.Wait::new)
                    .orElseGet(() -> new Verdict.Done(List.of(), "has no replicas of what is repaired"));
        }
        Optional<String> reason = blocked(view, budget, record, scope)
                .or(() -> kindBlocked(view, record))
                .or(() -> AvailabilityCheck.unsettled(view, record))
                .or(() -> Optional.ofNullable(record.task())
                        .filter(t -> !mayInterrupt(t))
                        .map(t -> "the node runs a task: " + t.kind().label()));
        if (reason.isPresent()) {
            return new Verdict.Wait(reason.get());
        }
        return kind == NodeTask.Kind.CLEANUP ? afterOwedRepairs(view, budget, record, Map.of()) : ask(view, record);
    }

    private Optional<String> blocked(View view, Budget budget, NodeRecord record, RepairScope scope) {
        if (forSpec) {
            return Optional.empty();
        }
        return switch (kind) {
            case REPAIR -> budget.beforeRepair(view, record, scope, allowSilentPeers);
            case DRAIN -> budget.beforeRequested(view, record, false, allowSilentPeers);
            // the spec may wait for the room that it makes
            case CLEAR_SNAPSHOTS ->
                record.leaving() ? Optional.of(node.shortName() + " is leaving the ring") : Optional.empty();
            default -> OperationLock.specAtWork(view, node.cluster(), allowSilentPeers);
        };
    }

    /** A repair that a user requests needs the datacenters of its keyspaces; one for safety needs all replicas. */
    private RepairScope scope(View view) {
        if (kind != NodeTask.Kind.REPAIR
                || forSpec
                || taskArgs.containsKey(REPLICA_RANGES)
                || taskArgs.containsKey(SYSTEM_AUTH)) {
            return RepairScope.ALL;
        }
        String names = taskArgs.getOrDefault(KEYSPACES, "");
        return Boolean.parseBoolean(taskArgs.get(WITHIN_DATACENTER))
                ? RepairScope.only(node.datacenter())
                : RepairScope.of(view, node.cluster(), names.isEmpty() ? List.of() : List.of(names.split(",")));
    }

    /**
     * A cleanup repairs what nodes still owe, however late the debt arose: a repair that is requested meanwhile may
     * wait for this plan. A replacement that is not over repairs with its own plan. The step remembers the repair as a
     * transfer, because a server of the former release takes a task in its memory for the cleanup.
     */
    private Verdict afterOwedRepairs(View view, Budget budget, NodeRecord record, Map<String, String> memory) {
        Verdict repair = new RepairRanges(node.cluster(), false, false, Map.of())
                .next(view, budget, renamed(memory, NodeTasks.TRANSFER, NodeTasks.TASK));
        if (repair instanceof Verdict.Done) {
            return memory.isEmpty() ? ask(view, record) : start(view, budget, record);
        }
        return Replacements.repairingFirst(view, node.cluster())
                .filter(why -> memory.isEmpty())
                .<Verdict>map(Verdict.Wait::new)
                .orElseGet(() -> repair instanceof Verdict.Do act
                        ? act.remembering(renamed(act.memory(), NodeTasks.TASK, NodeTasks.TRANSFER))
                        : repair);
    }

    private static Map<String, String> renamed(Map<String, String> memory, String from, String to) {
        Map<String, String> renamed = new TreeMap<>(memory);
        String value = renamed.remove(from);
        if (value != null) {
            renamed.put(to, value);
        }
        return renamed;
    }

    /** A repair may take days, and continues after a task of seconds. */
    private boolean mayInterrupt(NodeTask other) {
        return (kind == NodeTask.Kind.BACKUP_SNAPSHOT || kind == NodeTask.Kind.CLEAR_SNAPSHOTS)
                && SnapshotCheck.mayInterrupt(other);
    }

    /** Why a task of this kind must not start now. */
    private Optional<String> kindBlocked(View view, NodeRecord record) {
        return switch (kind) {
            case CLEANUP -> CleanupCheck.blocked(view, node.cluster());
            case REPAIR ->
                RepairCheck.blocked(view, node)
                        .or(() -> forSpec ? Optional.empty() : OperationLock.replacing(view, node.cluster()));
            case BACKUP_SNAPSHOT -> SnapshotCheck.blocked(view, node.cluster());
            // an executor that does not know the task would refuse every target with it
            case CLEAR_SNAPSHOTS ->
                view.status(node).filter(s -> s.volume() == null).isPresent()
                        ? Optional.of("its executor has not measured the volume yet, or is of an earlier release")
                        : Optional.empty();
            case RESTORE_INDEXES -> Restoration.incompleteElsewhere(view, node.cluster());
            // Cassandra refuses a keyspace with replicas in a datacenter that the node does not see
            case RESTORE_SCHEMA -> new VerifyRing(node.cluster(), record.specVersion()).unseenBy(view, record);
            case REPLICATE -> guardsRemoval() ? ConnectedClients.beforeRemoval(view, node.cluster()) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** The generation grows with each decision about the node, so a repeated request gets another id. */
    private Verdict ask(View view, NodeRecord record) {
        String id = kind.label() + "-" + node.shortName() + "-" + (record.generation() + 1);
        return ask(view, record, new NodeTask(id, kind, kind == NodeTask.Kind.REPAIR ? requested(view) : taskArgs));
    }

    /** A node whose clock differs from that of the server still knows what it repaired later than which request. */
    private Map<String, String> requested(View view) {
        Map<String, String> args = new TreeMap<>(taskArgs);
        args.put(REQUESTED_AT, view.now().toString());
        return args;
    }

    private static Verdict ask(View view, NodeRecord record, NodeTask task) {
        NodeRecord asked = record.withTask(task);
        return new Verdict.Do(
                List.of(new Change.Put(asked)),
                List.of(new Command.Apply(record.allocation(), NodeTargets.of(view, asked))),
                "requests " + task.kind().label(),
                Map.of(NodeTasks.TASK, task.id()));
    }

    private Verdict await(View view, Budget budget, NodeRecord record, NodeTask task) {
        if (record.task() == null) {
            return kind == NodeTask.Kind.REPAIR ? start(view, budget, record) : ask(view, record, task);
        }
        if (!task.id().equals(record.task().id())) {
            return new Verdict.Wait(
                    "the node runs a task: " + record.task().kind().label());
        }
        Optional<TaskStatus> reported = NodeTasks.status(view, node, task.id());
        if (reported.isEmpty()) {
            return new Verdict.Wait(
                    AvailabilityCheck.unsettled(view, record).orElse("the executor has not started the task yet"));
        }
        TaskStatus status = reported.get();
        return switch (status.state()) {
            case RUNNING -> new Verdict.Wait(NodeTasks.progress(status));
            case DONE -> new Verdict.Done(done(view, record), NodeTasks.summary(status));
            case FAILED, ABORTED -> failed(record, status);
        };
    }

    /** A backup ends with its first failure: a failed plan would keep the lock from the next backup. */
    private Verdict failed(NodeRecord record, TaskStatus status) {
        Problem problem = Problem.of(
                ErrorCode.TASK_FAILED,
                kind.label() + " of " + node
                        + (status.state() == TaskStatus.State.ABORTED ? " was stopped" : " failed")
                        + ": " + status.message(),
                advice());
        return kind == NodeTask.Kind.BACKUP_SNAPSHOT
                ? new Verdict.GivenUp(problem)
                : new Verdict.Failed(over(record), problem);
    }

    /** Whether the data of a leaving datacenter depends on this task. */
    private boolean guardsRemoval() {
        return taskArgs.containsKey(STAYING) || (kind == NodeTask.Kind.REPLICATE && "0".equals(taskArgs.get(NODES)));
    }

    private boolean isOfRestore() {
        return restores() || kind == NodeTask.Kind.RESTORE_INDEXES || kind == NodeTask.Kind.RESTORE_BUILDS;
    }

    /** Whether the cluster lacks rows without this task. */
    private boolean restores() {
        return kind == NodeTask.Kind.RESTORE_SCHEMA || kind == NodeTask.Kind.RESTORE_IMPORT;
    }

    private static Verdict unrestored(String why) {
        return new Verdict.Failed(
                List.of(),
                Problem.of(
                        ErrorCode.PLAN_STATE,
                        why,
                        Advice.of("retry the plan, or delete the cluster and restore it again")));
    }

    /** What a removal found missing is mended while the datacenter is a part of the cluster, and compared again. */
    private Advice advice() {
        String again = "name " + node.datacenter() + " in the spec again";
        return switch (guardsRemoval() ? kind : NodeTask.Kind.REPAIR) {
            case COMPARE ->
                Advice.command("repair start " + node.cluster())
                        .prefix(again + "; when that is done, run ")
                        .suffix(", then take it out again");
            case REPLICATE -> Advice.nodeLogs(node).prefix("see ").suffix(", then retry the plan, or " + again);
            default -> Advice.nodeLogs(node).prefix("see ").suffix(", then retry the plan");
        };
    }

    /** Rows that are missing where they should stay are not declared to be there. */
    @Override
    public Verdict forced(View view) {
        if (restores()) {
            return unrestored(node + " cannot be restored without step '" + name() + "': its rows would be lost");
        }
        return guardsRemoval()
                ? new Verdict.Failed(
                        List.of(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                node.datacenter() + " cannot leave without step '" + name() + "': rows could be lost",
                                advice()))
                : Step.super.forced(view);
    }

    /** A rebuild streams each range from one replica, and may miss rows that only the others have. */
    private List<Change> done(View view, NodeRecord record) {
        boolean cleaned = kind == NodeTask.Kind.CLEANUP && !taskArgs.containsKey(KEYSPACES);
        NodeRecord done = record.needsCleanup(record.needsCleanup() && !cleaned);
        return over(kind == NodeTask.Kind.REBUILD ? done.owing(view.now()) : done);
    }

    private static List<Change> over(NodeRecord record) {
        return List.of(new Change.Put(record.withTask(null)));
    }
}
