package io.ringmaster.core.operation;

import io.ringmaster.core.assess.DeployNotes;
import io.ringmaster.core.assess.NewDatacenter;
import io.ringmaster.core.assess.NewNodes;
import io.ringmaster.core.assess.ResizeCheck;
import io.ringmaster.core.assess.RestoreFit;
import io.ringmaster.core.assess.RestoreNotes;
import io.ringmaster.core.assess.RingChange;
import io.ringmaster.core.assess.ScaleDown;
import io.ringmaster.core.assess.SupportedChanges;
import io.ringmaster.core.desired.NodeChange;
import io.ringmaster.core.desired.NodeTargets;
import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.placement.Placement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.placement.PlacingAgain;
import io.ringmaster.core.safety.PermanentFailure;
import io.ringmaster.core.safety.Restoration;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.AwaitDatacenter;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.LeaveRing;
import io.ringmaster.core.step.ReconcileNodes;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.SyncDatacenter;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.StoredRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Brings this datacenter's part of a cluster to its spec.
 *
 * <p>A cluster that was never complete holds no data: all its nodes start at once, with tokens computed beforehand,
 * after every datacenter has placed its own. A live cluster changes one node at a time, one datacenter at a time. Nodes
 * that are down come first, so that a good spec can fix what a bad one broke, also on a node that is about to leave.
 * Then nodes join and repair the ranges that they took over, the others clean up the ranges that they handed over, and
 * surplus nodes leave, highest index first, whose heirs repair. Last, the nodes of a datacenter that is new to a live
 * cluster stream its rows, and repair them.
 */
public final class Deploy implements Operation {
    public static final String NAME = Plan.DEPLOY;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "make the cluster what its spec says";
    }

    @Override
    public List<Param> params() {
        return List.of();
    }

    @Override
    public Planned plan(View view, ClusterName cluster, Map<String, String> params) {
        ClusterRecord record = view.clusters().get(cluster);
        Optional<SpecRecord> target = view.targetSpec(cluster);
        if (record == null || target.isEmpty() || !view.exists(cluster)) {
            return refused(Problem.of(ErrorCode.CLUSTER_UNKNOWN, "no cluster '" + cluster + "' is declared here"));
        }
        if (record.deleting()) {
            return refused(Problem.of(
                    ErrorCode.CLUSTER_BUSY, cluster + " is being deleted", "wait for its delete plan to end"));
        }
        if (OperationLock.isStopped(view, cluster)) {
            return refused(Problem.of(
                    ErrorCode.CLUSTER_BUSY,
                    cluster + " is stopped in " + view.datacenter(),
                    Advice.startCluster(cluster).suffix(", then apply it")));
        }
        if (!view.poolSeen()) {
            return refused(Problem.of(ErrorCode.POOL_UNAVAILABLE, view.poolUnseen(), "try again in a few seconds"));
        }
        ClusterSpec spec = target.get().spec();
        boolean named = spec.datacenter(view.datacenter()).isPresent();
        if (!named && view.nodesOf(cluster).isEmpty()) {
            return refused(new Problem(
                    ErrorCode.DATACENTER_UNKNOWN,
                    "datacenters",
                    "the spec of " + cluster + " does not name " + view.datacenter(),
                    "apply it at the server of one of " + spec.datacenterNames()));
        }
        List<Problem> unsupported = SupportedChanges.problems(view, spec);
        if (!unsupported.isEmpty()) {
            return new Planned.Refused(unsupported);
        }
        return named ? draft(view, target.get()) : LeavingDatacenter.plan(view, target.get());
    }

    private static Planned draft(View view, SpecRecord target) {
        ClusterSpec spec = target.spec();
        int wanted = spec.datacenter(view.datacenter()).orElseThrow().nodes();
        PlacingAgain again = PlacingAgain.of(
                view,
                spec,
                view.nodesOf(spec.name()).stream()
                        .filter(n -> n.id().index() < wanted)
                        .toList());
        if (!again.problems().isEmpty()) {
            return new Planned.Refused(again.problems());
        }
        List<Change> moved =
                again.records().stream().<Change>map(Change.Put::new).toList();
        Planned planned = draft(view.with(moved), target, wanted);
        return planned instanceof Planned.Draft draft
                ? new Planned.Draft(
                        draft.specVersion(),
                        Stream.concat(moved.stream(), draft.changes().stream()).toList(),
                        draft.phases(),
                        Stream.concat(again.notes().stream(), draft.notes().stream())
                                .toList())
                : planned;
    }

    private static Planned draft(View view, SpecRecord target, int wanted) {
        ClusterSpec spec = target.spec();
        ClusterName cluster = spec.name();
        boolean live = Seeds.created(view, cluster);
        List<NodeRecord> nodes = view.nodesOf(cluster);
        List<NodeRecord> kept =
                nodes.stream().filter(n -> n.id().index() < wanted).toList();
        List<NodeRecord> surplus =
                nodes.stream().filter(n -> n.id().index() >= wanted).toList();
        List<Integer> missing = IntStream.range(0, wanted)
                .filter(i -> kept.stream().noneMatch(n -> n.id().index() == i))
                .boxed()
                .toList();
        Placements placements = Placement.place(view, spec, missing);
        List<Problem> problems = new ArrayList<>(leavingProblems(kept));
        problems.addAll(ResizeCheck.problems(view, kept, spec.resources()));
        problems.addAll(placements.problems());
        problems.addAll(RestoreFit.problems(view, target));
        problems.addAll(RestoreFit.rackProblems(view, target, kept, placements));
        problems.addAll(live ? ScaleDown.problems(view, spec) : EarlyScaleDown.problems(view, spec));
        if (!problems.isEmpty()) {
            return new Planned.Refused(problems);
        }
        List<NodeRecord> placed = NewNodes.of(view, target, placements);
        boolean holdsData = live && !Seeds.lacksData(view, cluster);
        boolean rangesMove = holdsData && !placed.isEmpty();
        List<NodeRecord> needsCleanup = Stream.concat(kept.stream(), placed.stream())
                .filter(n -> n.needsCleanup() || (rangesMove && n.joined()))
                .toList();
        List<NodeRecord> todo = new ArrayList<>(
                kept.stream().filter(n -> !isDone(view, n, spec)).toList());
        todo.sort(Comparator.comparing((NodeRecord n) -> !isBroken(view, n)).thenComparing(NodeRecord::id));
        todo.addAll(placed);
        todo.addAll(leaving(surplus).stream()
                .filter(n -> !leavesFirst(n, live) && !isDone(view, n, spec))
                .toList());
        Stream<NodeRecord> marked =
                needsCleanup.stream().filter(n -> !placed.contains(n)).map(n -> n.needsCleanup(true));
        List<NodeRecord> all = Stream.concat(kept.stream(), placed.stream())
                .sorted(Comparator.comparing(NodeRecord::id))
                .toList();
        List<Phase> phases = new ArrayList<>(phases(view, target, surplus, todo, needsCleanup));
        phases.addAll(phases.size() - 1, RestorePhases.of(view, target, all)); // CQL opens in the last one
        if (!live) {
            phases.addAll(RolePhases.created(view, target));
        }
        return new Planned.Draft(
                target.version(),
                Stream.concat(Stream.concat(placed.stream(), marked), unrestored(view, target))
                        .<Change>map(Change.Put::new)
                        .toList(),
                phases,
                Stream.concat(
                                DeployNotes.of(
                                        view,
                                        target,
                                        todo,
                                        placements,
                                        new RingChange(view, kept, holdsData ? placed : List.of(), leaving(surplus)))
                                        .stream(),
                                RestoreNotes.of(view, target, all).stream())
                        .toList());
    }

    /** A plan of a cluster that is being restored looks at each node again before the data here counts as complete. */
    private static Stream<StoredRecord> unrestored(View view, SpecRecord target) {
        return Stream.ofNullable(view.clusters().get(target.cluster()))
                .filter(record ->
                        record.restored() && Restoration.of(view, target).isPresent())
                .map(record -> record.restored(false));
    }

    /** A node that is leaving must have left before another node can take its index. */
    private static List<Problem> leavingProblems(List<NodeRecord> kept) {
        return kept.stream()
                .filter(NodeRecord::leaving)
                .map(n -> Problem.of(
                        ErrorCode.CLUSTER_BUSY,
                        n.id() + " is leaving the ring, which cannot be stopped",
                        "wait until it has left, then apply the spec again"))
                .toList();
    }

    private static List<NodeRecord> leaving(List<NodeRecord> surplus) {
        return surplus.stream()
                .filter(n -> n.launched() || n.leaving() || n.ownsRanges())
                .toList();
    }

    /** Before the creation a node that never joined has nothing to hand over, and the others would wait for it. */
    private static boolean leavesFirst(NodeRecord surplus, boolean live) {
        return surplus.leaving() || (!live && !surplus.joined());
    }

    private static List<Phase> phases(
            View view,
            SpecRecord target,
            List<NodeRecord> surplus,
            List<NodeRecord> todo,
            List<NodeRecord> needsCleanup) {
        ClusterName cluster = target.cluster();
        long version = target.version();
        boolean live = Seeds.created(view, cluster);
        List<NodeRecord> leaving = leaving(surplus);
        List<NodeRecord> leavesFirst =
                leaving.stream().filter(n -> leavesFirst(n, live)).toList();
        Stream<NodeRecord> unlaunched = surplus.stream().filter(n -> !leaving.contains(n));
        List<Phase> phases = new ArrayList<>();
        phases.add(Steps.phase("reconciliation", Phase.Strategy.SERIAL, Stream.of(new ReconcileNodes(cluster))));
        phases.add(Steps.phase(SyncDatacenter.PHASE, Phase.Strategy.PARALLEL, otherDatacenters(view, target, live)));
        phases.add(
                Steps.phase("release", Phase.Strategy.PARALLEL, unlaunched.map(n -> new ReleaseNode(n.id(), false))));
        phases.add(new Phase(
                "deploy",
                live ? Phase.Strategy.SERIAL : Phase.Strategy.PARALLEL,
                Stream.concat(
                                todo.stream().map(n -> pending(view, n, target, leaving)),
                                // the other nodes wait until it has left; if it is lost meanwhile, it waits for them
                                leavesFirst.stream().map(n -> Steps.pending(new LeaveRing(n.id(), version))))
                        .toList()));
        Optional<DatacenterName> source = NewDatacenter.source(view, target);
        boolean joins = todo.stream().anyMatch(n -> !n.joined());
        boolean owesRepair = view.nodesOf(cluster).stream().anyMatch(NodeRecord::owesRepair);
        // the rows of a new datacenter are streamed later
        if (live && source.isEmpty() && (joins || owesRepair || !needsCleanup.isEmpty())) {
            phases.add(RepairRanges.phase(cluster, false));
        }
        Phase cleanup = Steps.phase(
                "cleanup",
                Phase.Strategy.SERIAL,
                needsCleanup.stream()
                        .map(n -> RunTask.cleanupForSpec(n.id(), target.spec().preset())));
        if (source.isEmpty()) {
            // before any node leaves: rows that it hands over must not meet older copies that a node kept after a
            // handover
            phases.add(cleanup);
        }
        if (live && source.isEmpty()) {
            phases.addAll(RolePhases.live(view, target));
        }
        phases.add(Steps.phase(
                "leave",
                Phase.Strategy.SERIAL,
                leaving.stream()
                        .filter(n -> !leavesFirst.contains(n))
                        .sorted(Comparator.comparing(NodeRecord::id).reversed())
                        .map(n -> new LeaveRing(n.id(), version))));
        // after every node has left: a node that is not rebuilt hands over ranges without their rows
        source.ifPresent(from -> phases.addAll(NewDatacenter.phases(view, target, from)));
        if (source.isPresent()) {
            phases.add(RepairRanges.phase(cluster, false));
            phases.add(cleanup); // which waits for that repair
        } else if (live && !leaving.isEmpty()) {
            phases.add(RepairRanges.phase(cluster, true));
        }
        phases.add(Steps.phase("verify", Phase.Strategy.SERIAL, Stream.of(new VerifyRing(cluster, version))));
        return phases.stream().filter(p -> !p.steps().isEmpty()).toList();
    }

    private static StepState pending(View view, NodeRecord node, SpecRecord target, List<NodeRecord> leaving) {
        Step step = new DeployNode(node.id(), target.version());
        return leaving.contains(node)
                ? Steps.pending(step, "no change unless it cannot start: it leaves the ring later in this plan")
                : Steps.pending(step, NodeChange.of(view, node, target.spec()));
    }

    /**
     * A live cluster changes one datacenter at a time; an empty one starts when all datacenters have placed their
     * nodes.
     */
    private static Stream<Step> otherDatacenters(View view, SpecRecord target, boolean live) {
        List<DatacenterName> all = target.spec().datacenterNames();
        ClusterName cluster = target.cluster();
        return live
                ? all.subList(0, all.indexOf(view.datacenter())).stream()
                        .map(d -> new AwaitDatacenter(cluster, target.version(), d))
                : all.stream()
                        .filter(d -> !d.equals(view.datacenter()))
                        .map(d -> new SyncDatacenter(cluster, target.version(), d));
    }

    /** Whether the node has been NORMAL with the configuration of this spec. */
    static boolean isDone(View view, NodeRecord node, ClusterSpec spec) {
        return node.launched()
                && node.goodSpecVersion() == node.specVersion()
                && view.spec(node.id().cluster(), node.specVersion())
                        .map(had -> !NodeTargets.differ(had.spec(), spec))
                        .orElse(false);
    }

    private static boolean isBroken(View view, NodeRecord node) {
        return view.status(node.id()).map(s -> s.mode() != OperatingMode.NORMAL).orElse(true)
                || PermanentFailure.refusal(view, node.id()).isPresent();
    }

    private static Planned refused(Problem problem) {
        return new Planned.Refused(List.of(problem));
    }
}
