package io.ringmaster.core.step;

import io.ringmaster.core.desired.NodeChange;
import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.safety.AvailabilityCheck;
import io.ringmaster.core.safety.Budget;
import io.ringmaster.core.safety.ClearTextCheck;
import io.ringmaster.core.safety.Creation;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.safety.Relaunching;
import io.ringmaster.core.safety.StaleDecisionCheck;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Brings one node to a version of the spec: reserves its allocation, launches its executor or sends the new target,
 * and waits until the node is NORMAL with that version and, in a live cluster, until every node here sees it
 * NORMAL. The executor decides whether that takes a restart, because it knows which settings its daemon takes live.
 *
 * <p>A node that the spec has no place for leaves in a later phase and is not changed, unless it is broken: the
 * other nodes wait for it.
 *
 * <p>When a change makes a healthy node fail, the step restores the last good version on the node and then fails.
 * The step does not handle lost messages and crashed executors: {@code Recovery} sends a decided target as often as
 * needed.
 */
public record DeployNode(NodeId node, long specVersion) implements Step {
    static final String STAGE = "stage";
    static final String DECIDED = "decided";
    private static final String PUT_BACK = "put-back";
    private static final String LIVE = "live";
    private static final String CODE = "code";
    private static final String CAUSE = "cause";

    @Override
    public String name() {
        return node.datacenter() + " " + node.shortName();
    }

    @Override
    public Verdict next(View view, Budget budget, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        Optional<SpecRecord> spec = view.spec(node.cluster(), specVersion);
        if (record == null || spec.isEmpty()) {
            return new Verdict.Failed(
                    List.of(), Problem.of(ErrorCode.NODE_UNKNOWN, node + " or its spec is no longer in the store"));
        }
        return switch (memory.getOrDefault(STAGE, "")) {
            case DECIDED -> await(view, budget, record, memory);
            case PUT_BACK -> awaitPutBack(view, record, memory);
            default -> start(view, budget, record, spec.get(), memory);
        };
    }

    /** A permanently failed node must be changed first: the other nodes wait for it. */
    @Override
    public boolean mayOvertake(View view) {
        return trouble(view).isPresent();
    }

    /**
     * A node that became NORMAL before its new target arrived does not receive it while another node is down, and a
     * repair waits for every replica.
     */
    @Override
    public boolean isHeld(View view, Map<String, String> memory) {
        NodeRecord record = view.nodes().get(node);
        return RepairRanges.isAtWork(memory)
                || (record != null
                        && StaleDecisionCheck.whyHeldBack(view, record).isPresent());
    }

    /** The trouble that waiting does not solve. */
    private Optional<Problem> endingTrouble(View view) {
        return PermanentFailure.endingStep(view, node).or(() -> PermanentFailure.refusal(view, node));
    }

    private Optional<Problem> trouble(View view) {
        return PermanentFailure.of(view, node).or(() -> PermanentFailure.refusal(view, node));
    }

    private Verdict start(View view, Budget budget, NodeRecord record, SpecRecord spec, Map<String, String> memory) {
        if (isAsDeclared(view, record, spec)) {
            return finish(view, budget, record);
        }
        if (isToLeave(spec) && record.replaces() == null && trouble(view).isEmpty()) {
            return AvailabilityCheck.unsettled(view, record)
                    .<Verdict>map(Verdict.Wait::new)
                    .orElseGet(() -> new Verdict.Done(List.of(), "not changed: the node leaves the ring"));
        }
        if (PermanentFailure.refusal(view, node).isPresent()) {
            long running = view.status(node).orElseThrow().appliedSpecVersion();
            if (view.spec(node.cluster(), running).isPresent()) {
                // Nothing changes in the node; but other datacenters may wait until it runs what its record says.
                return decide(
                        view,
                        record,
                        running,
                        memory,
                        "did not take version " + record.specVersion() + "; stays at version ");
            }
        }
        // Another datacenter may count the cluster as created because of this node, and a new leader may not have
        // received that yet.
        if (Seeds.created(view, node.cluster()) || record.joined() || serves(view)) {
            boolean takesDown = record.joined()
                    && serves(view)
                    && Seeds.created(view, node.cluster())
                    && !spec.forced()
                    && !NodeChange.of(view, record, spec.spec()).isLive();
            Optional<Verdict> first = RepairFirst.beforeDown(
                    view,
                    budget,
                    node.cluster(),
                    memory,
                    takesDown,
                    () -> budget.beforeTouching(view, record, specVersion));
            if (first.isPresent()) {
                return first.get();
            }
        }
        if (!view.poolSeen()) {
            return new Verdict.Wait("the pool has not reported its machines yet");
        }
        Allocation allocation = record.allocation().withResources(spec.spec().resources());
        AllocationState state = view.allocations().get(allocation.id());
        if (LostNode.beforeCreation(view, record)) {
            return new Verdict.Wait(progress(view, record, state));
        }
        if (state == null && record.joined()) {
            return new Verdict.Failed(List.of(), ReservationFailures.lost(record));
        }
        Optional<String> former = record.launched() ? Optional.empty() : FormerAllocations.inUse(view, record);
        if (former.isPresent()) {
            return new Verdict.Wait(former.get());
        }
        if (state != null && state.status() == AllocationState.Status.FAILED && !record.launched()) {
            return ReservationFailures.failed(view.now(), state, memory)
                    .orElseGet(() -> reserve(record, allocation, memory));
        }
        if (state == null || state.status() == AllocationState.Status.RELEASED) {
            return reserve(record, allocation, memory);
        }
        boolean waits = state.status() == AllocationState.Status.PENDING
                && state.allocation().resources().equals(allocation.resources());
        if (waits || state.status() == AllocationState.Status.UNREACHABLE) {
            return new Verdict.Wait(progress(view, record, state));
        }
        if (state.status() == AllocationState.Status.PENDING && !record.launched()) {
            return reserve(record, allocation, memory);
        }
        if (record.launched() && !view.statuses().containsKey(node)) {
            return new Verdict.Wait(AvailabilityCheck.lastKnown(view, node));
        }
        NodeChange change = NodeChange.of(view, record, spec.spec());
        Map<String, String> decided = Map.of(
                STAGE,
                DECIDED,
                PostChangeCheck.STARTED_AT,
                view.now().toString(),
                LIVE,
                String.valueOf(change.isLive()));
        return decide(view, record.withTimes(state.since(), null), specVersion, decided, "applies version ")
                .changing(change.kind());
    }

    private boolean serves(View view) {
        return view.status(node).map(s -> s.mode() == OperatingMode.NORMAL).orElse(false);
    }

    /** What the executor at a former place of the node reported is forgotten. */
    private static Verdict reserve(NodeRecord record, Allocation allocation, Map<String, String> memory) {
        boolean moved = !record.launched()
                && record.replaces() == null
                && !record.previousAllocations().isEmpty();
        return new Verdict.Do(
                List.of(),
                moved
                        ? List.of(new Command.Forget(record.id()), new Command.Reserve(allocation))
                        : List.of(new Command.Reserve(allocation)),
                "reserves its allocation on " + allocation.machine(),
                memory);
    }

    /** Persists the new target of the node. Whatever goes wrong from here on, the target is known and sent again. */
    private Verdict.Do decide(View view, NodeRecord record, long version, Map<String, String> memory, String doing) {
        Allocation allocation = record.allocation()
                .withResources(
                        view.spec(node.cluster(), version).orElseThrow().spec().resources());
        boolean takesRanges = !record.joined() && Seeds.created(view, node.cluster());
        NodeRecord same = record.withAllocation(allocation).decide(version);
        NodeRecord decided = takesRanges ? same.owing(view.now()) : same;
        List<Change> changes = Stream.concat(
                        Creation.founding(view, node.cluster()).stream(), Stream.of(new Change.Put(decided)))
                .toList();
        return new Verdict.Do(changes, commands(view.with(changes), record, decided), doing + version, memory);
    }

    /**
     * A new or relaunched executor gets its target from {@code Recovery}, once it answers. So does one whose relaunch
     * must wait.
     */
    private List<Command> commands(View view, NodeRecord before, NodeRecord decided) {
        Allocation allocation = decided.allocation();
        if (!before.launched()) {
            return List.of(
                    new Command.Launch(allocation, NodeTargets.cassandraVersion(view, decided), decided.generation()),
                    new Command.Watch(node, allocation));
        }
        if (Relaunching.isNeeded(view, decided)) {
            return AvailabilityCheck.beforeRelaunch(view, decided).isPresent()
                    ? List.of()
                    : List.of(new Command.Relaunch(
                            allocation, NodeTargets.cassandraVersion(view, decided), decided.generation()));
        }
        Command apply = new Command.Apply(
                allocation, NodeTargets.of(view, decided), StaleDecisionCheck.onlyWhileDown(view, decided));
        AllocationState state = view.allocations().get(allocation.id());
        boolean runs = state != null && state.status() == AllocationState.Status.RUNNING;
        // Only a running allocation is resized: if the volume is lost, a reservation would make an empty one.
        return allocation.equals(before.allocation()) || !runs
                ? List.of(apply)
                : List.of(new Command.Reserve(allocation), apply);
    }

    private Verdict await(View view, Budget budget, NodeRecord record, Map<String, String> memory) {
        Optional<Problem> broken = endingTrouble(view);
        if (broken.isPresent()) {
            return giveUp(view, record, broken.get());
        }
        AllocationState state = view.allocations().get(record.allocation().id());
        boolean lost = LostNode.beforeCreation(view, record);
        if (!lost && state != null && state.status() == AllocationState.Status.FAILED) {
            return ReservationFailures.failed(view.now(), state, memory)
                    .orElseGet(() -> new Verdict.Wait(record.allocation().machine() + ": " + state.reason()));
        }
        if (AvailabilityCheck.unsettled(view, record).isPresent()) {
            return new Verdict.Wait(progress(view, record, state));
        }
        Verdict verdict = Seeds.created(view, node.cluster())
                ? new PostChangeCheck(budget).next(view, record, memory)
                : finish(view, budget, record);
        return verdict instanceof Verdict.Done done && Boolean.parseBoolean(memory.get(LIVE))
                ? new Verdict.Done(done.changes(), "live: " + done.summary())
                : verdict;
    }

    private Verdict finish(View view, Budget budget, NodeRecord record) {
        if (Seeds.created(view, node.cluster())) {
            Optional<String> blocked = budget.untilSeen(view, record);
            if (blocked.isPresent()) {
                return new Verdict.Wait(blocked.get());
            }
        }
        return new Verdict.Done(
                record.equals(record.proven()) ? List.of() : List.of(new Change.Put(record.proven())), "NORMAL");
    }

    private Verdict giveUp(View view, NodeRecord record, Problem cause) {
        long good = record.goodSpecVersion();
        if (good == 0 || good == specVersion || view.spec(node.cluster(), good).isEmpty()) {
            return new Verdict.Failed(List.of(), cause);
        }
        String why = (cause.field() == null ? "" : cause.field() + ": ") + cause.message();
        Map<String, String> memory = Map.of(STAGE, PUT_BACK, CODE, cause.code().name(), CAUSE, why);
        return decide(view, record, good, memory, "fails (" + why + "); puts back version ");
    }

    private Verdict awaitPutBack(View view, NodeRecord record, Map<String, String> memory) {
        String cause = memory.getOrDefault(CAUSE, "");
        ErrorCode code = ErrorCode.valueOf(memory.getOrDefault(CODE, ErrorCode.DAEMON_FAILED.name()));
        Optional<Problem> broken = endingTrouble(view);
        if (broken.isPresent()) {
            return new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            code,
                            node + " fails with version " + specVersion + ": " + cause + "; version "
                                    + record.specVersion() + " was put back but fails too: "
                                    + broken.get().message(),
                            Advice.nodeLogs(node).prefix("see ")));
        }
        if (AvailabilityCheck.unsettled(view, record).isEmpty()) {
            return new Verdict.Failed(
                    List.of(),
                    Problem.of(
                            code,
                            node + " fails with version " + specVersion + ": " + cause + "; version "
                                    + record.specVersion() + " was put back and it is NORMAL",
                            "correct the spec and apply it; nothing else was changed"));
        }
        AllocationState state = view.allocations().get(record.allocation().id());
        return new Verdict.Wait("puts back version " + record.specVersion() + ": " + progress(view, record, state));
    }

    private boolean isToLeave(SpecRecord spec) {
        return spec.spec()
                .datacenter(node.datacenter())
                .filter(d -> node.index() < d.nodes())
                .isEmpty();
    }

    private boolean isAsDeclared(View view, NodeRecord record, SpecRecord spec) {
        return record.launched()
                && AvailabilityCheck.unsettled(view, record).isEmpty()
                && view.spec(node.cluster(), record.specVersion())
                        .map(had -> !NodeTargets.differ(had.spec(), spec.spec()))
                        .orElse(false);
    }

    /** Why the executor has not taken the newest target. */
    private static String untaken(View view, NodeRecord record) {
        Optional<String> relaunch =
                Relaunching.isNeeded(view, record) ? AvailabilityCheck.beforeRelaunch(view, record) : Optional.empty();
        return ClearTextCheck.whyNotSent(view, record)
                .or(() ->
                        StaleDecisionCheck.whyHeldBack(view, record).map(why -> "the new target is held back: " + why))
                .or(() -> relaunch.map(why -> "the relaunch waits: " + why))
                .orElse("executor takes the new target");
    }

    private String progress(View view, NodeRecord record, @Nullable AllocationState state) {
        if (LostNode.beforeCreation(view, record)) {
            return LostNode.beforeCreationProblem(view, record).line();
        }
        Optional<NodeStatus> reported = view.status(node);
        if (reported.isPresent()) {
            NodeStatus status = reported.get();
            if (status.problem() != null && status.problem().code() == ErrorCode.SEEDS_UNKNOWN) {
                return status.problem().message();
            }
            return status.generation() < record.generation() ? untaken(view, record) : AvailabilityCheck.doing(status);
        }
        String there = state == null ? "not there" : state.status().name().toLowerCase(Locale.ROOT);
        String detail = state == null || state.reason() == null ? "" : " (" + state.reason() + ")";
        return "executor " + there + detail + "; " + AvailabilityCheck.lastKnown(view, node);
    }
}
