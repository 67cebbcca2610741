package io.ringmaster.simulator.mutation;

import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.safety.Creation;
import io.ringmaster.core.step.AcquireLock;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.Verdict;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.core.step.WriteRoles;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The controller's steps with a planted bug. */
public final class MutatedSteps {
    private MutatedSteps() {}

    public static Function<StepState, Step> of(Mutation plant) {
        return switch (plant) {
            case AVAILABILITY_CHECK_REMOVED,
                    SPEC_CHECK_REMOVED,
                    REQUEST_CHECK_REMOVED,
                    REPLACE_CHECK_REMOVED,
                    PEER_REPORTS_IGNORED,
                    LEAVING_DATACENTER_IGNORED -> state -> withMutatedBudget(Steps.of(state), plant);
            case LOCK_IGNORED -> state -> withoutLock(Steps.of(state));
            case REPLICATION_NOT_REDUCED ->
                state -> skipping(
                        Steps.of(state),
                        r -> r.kind() == NodeTask.Kind.REPLICATE && r.taskArgs().containsValue("0"));
            case CLEANUP_TOO_EARLY -> state -> cleaningUpEarly(Steps.of(state));
            // the last three are planted in the ring, too: the repair would bring the rows that they lose
            case NO_REPAIR_AFTER_REPLACE, REBUILD_FORGOTTEN, CREATED_FORGOTTEN, BROKEN_BOOTSTRAP_SERVES ->
                state -> withoutRepair(Steps.of(state));
            case REPAIR_CHECK_REMOVED -> state -> repairingBeside(Steps.of(state));
            case REBUILD_SKIPPED ->
                state -> skipping(Steps.of(state), r -> r.kind() == NodeTask.Kind.REBUILD && r.forSpec());
            case ROLES_NOT_WRITTEN -> state -> withoutRoles(Steps.of(state));
            case IMPORT_SKIPPED -> state -> skipping(Steps.of(state), r -> r.kind() == NodeTask.Kind.RESTORE_IMPORT);
            case CREATED_TOO_EARLY -> state -> creatingEarly(Steps.of(state));
            case TASK_FAILURE_IGNORED -> state -> MutatedTasks.withoutFailures(Steps.of(state));
            case STEP_THROWS -> state -> throwingInCleanup(Steps.of(state));
            case EMPTY_VOLUME_CREATED -> state -> reservingAgain(Steps.of(state));
            case FORMER_VOLUME_TAKEN -> state -> MutatedPlaces.onFormerVolume(Steps.of(state));
            case QUARANTINE_IGNORED -> state -> MutatedPlaces.withoutQuarantine(Steps.of(state));
            case VOLUME_DESTROYED -> state -> destroyingVolumes(Steps.of(state));
            // Planted in the ring, the nodes, the pool, the store, the reports, the network or the answer with the
            // seeds.
            case NONE,
                    CLIENTS_ADMITTED_EARLY,
                    BOOTSTRAP_NOT_REPEATED,
                    PLANNING_THROWS,
                    REQUEST_REPLAYED,
                    RESTORE_ELSEWHERE_IGNORED,
                    GOSSIP_IGNORED,
                    HINTS_IGNORED,
                    SCHEMA_IGNORED,
                    REPLICATION_UNKNOWN,
                    SOLE_REPLICAS_IGNORED,
                    CLIENTS_IGNORED,
                    ALLOCATION_LEAKED,
                    REPLACED_VOLUME_FORGOTTEN,
                    EPOCH_UNCHECKED,
                    OLDER_EPOCHS_ADMITTED,
                    RELAUNCH_REPEATED,
                    SEED_ADDRESS_NOT_AWAITED,
                    CONDITION_DROPPED,
                    HOSTS_KNOWN_BY_ENDPOINT,
                    FAILED_JOIN_AWAITED,
                    SILENCE_IS_FAILURE,
                    TRUST_NOT_LOADED,
                    FUTURE_REPAIRS_COUNT,
                    REQUEST_KNOWN_BY_TIME,
                    ACT_BEFORE_PERSIST -> Steps::of;
        };
    }

    /** A task keeps the real budget: the mutations concern the steps that start, stop, replace or remove nodes. */
    private static Step withMutatedBudget(Step step, Mutation plant) {
        return step instanceof RunTask
                ? step
                : new MutatedStep(
                        step, (view, budget, memory) -> step.next(view, new MutatedBudget(budget, plant), memory));
    }

    private static Step withoutLock(Step step) {
        return step instanceof AcquireLock
                ? new MutatedStep(
                        step,
                        (view, budget, memory) -> new Verdict.Done(List.of(), "planted: does not wait for the lock"))
                : step;
    }

    private static Step skipping(Step step, Predicate<RunTask> which) {
        return step instanceof RunTask task && which.test(task)
                ? new MutatedStep(step, (view, budget, memory) -> new Verdict.Done(List.of(), "planted: skipped"))
                : step;
    }

    private static Step withoutRoles(Step step) {
        return step instanceof WriteRoles
                ? new MutatedStep(step, (view, budget, memory) -> new Verdict.Done(List.of(), "planted: skipped"))
                : step;
    }

    /** A cleanup sees no other node for which it would have to wait. */
    private static Step cleaningUpEarly(Step step) {
        return step instanceof RunTask task && task.kind() == NodeTask.Kind.CLEANUP
                ? new MutatedStep(step, (view, budget, memory) -> {
                    Verdict verdict = step.next(alone(view, task.node()), budget, memory);
                    return verdict instanceof Verdict.Do act ? withTargets(view, task.node(), act) : verdict;
                })
                : step;
    }

    private static Step throwingInCleanup(Step step) {
        return step instanceof RunTask task && task.kind() == NodeTask.Kind.CLEANUP
                ? new MutatedStep(step, (view, budget, memory) -> {
                    throw new IllegalStateException("planted");
                })
                : step;
    }

    private static View alone(View view, NodeId node) {
        return view.with(view.nodesOf(node.cluster()).stream()
                .filter(n -> !n.id().equals(node))
                .<Change>map(n -> new Change.Remove(n.key()))
                .toList());
    }

    /** The target is made from the whole view. */
    private static Verdict.Do withTargets(View view, NodeId node, Verdict.Do act) {
        View after = view.with(act.changes());
        NodeRecord asked = Objects.requireNonNull(after.nodes().get(node), "it has a record");
        return new Verdict.Do(
                act.changes(),
                List.of(new Command.Apply(asked.allocation(), NodeTargets.of(after, asked))),
                act.reason(),
                act.memory(),
                act.change());
    }

    /** Nodes count as repaired that are not. */
    private static Step withoutRepair(Step step) {
        return step instanceof RepairRanges repair
                ? new MutatedStep(
                        step,
                        (view, budget, memory) -> new Verdict.Done(
                                view.nodesOf(repair.cluster()).stream()
                                        .filter(NodeRecord::owesRepair)
                                        .<Change>map(n -> new Change.Put(n.repaired(view.now())))
                                        .toList(),
                                "planted: skipped"))
                : step;
    }

    /** A step that repairs sees no repair of another node, nor that one may not have ended. */
    private static Step repairingBeside(Step step) {
        if (step instanceof RunTask task && task.kind() == NodeTask.Kind.REPAIR) {
            return new MutatedStep(
                    step,
                    (view, budget, memory) -> step.next(
                            alone(view, task.node().cluster(), task.node().value()), budget, memory));
        }
        return step instanceof RepairRanges repair
                ? new MutatedStep(
                        step,
                        (view, budget, memory) -> step.next(
                                alone(view, repair.cluster(), memory.getOrDefault("node", "")), budget, memory))
                : step;
    }

    /** The view in which every node but the repairing one has its newest target, and no task. */
    private static View alone(View view, ClusterName cluster, String repairing) {
        List<NodeRecord> others = view.nodesOf(cluster).stream()
                .filter(n -> !n.id().value().equals(repairing))
                .toList();
        var statuses = view.statuses();
        for (NodeRecord node : others) {
            Optional<Observation<NodeStatus>> idle =
                    Optional.ofNullable(statuses.get(node.id())).map(s -> idle(node, s));
            statuses = idle.isPresent() ? statuses.plus(node.id(), idle.get()) : statuses;
        }
        List<Change> idle = others.stream()
                .<Change>map(n ->
                        new Change.Put(NodeRecordBuilder.builder(n).task(null).build()))
                .toList();
        return ViewBuilder.builder(view.with(idle)).statuses(statuses).build();
    }

    private static Observation<NodeStatus> idle(NodeRecord node, Observation<NodeStatus> seen) {
        NodeStatus last = seen.last();
        return last == null
                ? seen
                : new Observation<>(
                        NodeStatusBuilder.builder(last)
                                .generation(node.generation())
                                .task(null)
                                .build(),
                        seen.at(),
                        seen.silence());
    }

    /** Reserves an empty volume where the volume of a member is lost. */
    private static Step reservingAgain(Step step) {
        if (!(step instanceof DeployNode deploy)) {
            return step;
        }
        return new MutatedStep(step, (view, budget, memory) -> {
            Verdict verdict = step.next(view, budget, memory);
            boolean lost =
                    verdict instanceof Verdict.Failed failed && failed.problem().code() == ErrorCode.MACHINE_LOST;
            return lost ? reserveAgain(view, deploy.node(), memory) : verdict;
        });
    }

    private static Verdict reserveAgain(View view, NodeId node, Map<String, String> memory) {
        var allocation = Objects.requireNonNull(view.nodes().get(node), "the step found its record")
                .allocation();
        return new Verdict.Do(
                List.of(), List.of(new Command.Reserve(allocation)), "planted: reserves an empty volume", memory);
    }

    /** Marks the cluster as created where its own nodes have joined, whatever is missing elsewhere. */
    private static Step creatingEarly(Step step) {
        if (!(step instanceof VerifyRing verify)) {
            return step;
        }
        return new MutatedStep(step, (view, budget, memory) -> {
            Verdict verdict = step.next(view, budget, memory);
            List<Change> created = Creation.complete(view, verify.cluster());
            boolean early = verdict instanceof Verdict.Wait
                    && !created.isEmpty()
                    && view.nodesOf(verify.cluster()).stream().allMatch(NodeRecord::joined);
            return early ? new Verdict.Do(created, List.of(), "planted: created early", memory) : verdict;
        });
    }

    private static Step destroyingVolumes(Step step) {
        return step instanceof ReleaseNode release ? new ReleaseNode(release.node(), true) : step;
    }
}
