package io.ringmaster.core.operation;

import io.ringmaster.core.placement.NodePlacement;
import io.ringmaster.core.placement.Placement;
import io.ringmaster.core.placement.Placements;
import io.ringmaster.core.request.Turns;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.step.AwaitTurn;
import io.ringmaster.core.step.Breakage;
import io.ringmaster.core.step.DeployNode;
import io.ringmaster.core.step.NodeChange;
import io.ringmaster.core.step.NodeTargets;
import io.ringmaster.core.step.ReconcileNodes;
import io.ringmaster.core.step.ReleaseNode;
import io.ringmaster.core.step.Step;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.step.SyncDatacenter;
import io.ringmaster.core.step.VerifyRing;
import io.ringmaster.core.tokens.Tokens;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Makes this datacenter's part of a cluster what the spec says.
 *
 * <p>A cluster that was never complete holds nothing: all its nodes start at once, with tokens computed beforehand, after every datacenter
 * has placed its own. A live one changes node by node, datacenter after datacenter; nodes that are down come first, so that a good
 * spec can mend what a bad one broke.
 */
public final class Deploy implements Operation {
    public static final String NAME = "deploy";

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
        if (Turns.isStopped(view, cluster)) {
            return refused(Problem.of(
                    ErrorCode.CLUSTER_BUSY,
                    cluster + " is stopped in " + view.datacenter(),
                    "./ringmaster cluster start " + cluster + ", then apply it"));
        }
        if (!view.poolSeen()) {
            return refused(Problem.of(
                    ErrorCode.POOL_UNAVAILABLE,
                    "the pool of " + view.datacenter() + " has not told its picture yet",
                    "try again in a few seconds"));
        }
        ClusterSpec spec = target.get().spec();
        if (spec.datacenter(view.datacenter()).isEmpty()) {
            return refused(new Problem(
                    ErrorCode.DATACENTER_UNKNOWN,
                    "datacenters",
                    cluster + " has no part in " + view.datacenter(),
                    "apply it at the server of one of " + spec.datacenterNames()));
        }
        List<Problem> unsupported = SupportedChanges.problems(view, spec);
        return unsupported.isEmpty() ? draft(view, target.get()) : new Planned.Refused(unsupported);
    }

    private static Planned draft(View view, SpecRecord target) {
        ClusterSpec spec = target.spec();
        ClusterName cluster = spec.name();
        int wanted = spec.datacenter(view.datacenter()).orElseThrow().nodes();
        List<NodeRecord> existing = view.nodesOf(cluster);
        List<NodeRecord> surplus =
                existing.stream().filter(n -> n.id().index() >= wanted).toList();
        List<NodeRecord> kept =
                existing.stream().filter(n -> n.id().index() < wanted).toList();
        List<Problem> grown = Growth.problems(view, kept, spec.resources());
        List<Integer> missing = IntStream.range(0, wanted)
                .filter(i -> kept.stream().noneMatch(n -> n.id().index() == i))
                .boxed()
                .toList();
        Placements placements = Placement.place(view, spec, missing);
        if (!placements.complete() || !grown.isEmpty()) {
            List<Problem> problems = new ArrayList<>(grown);
            problems.addAll(placements.problems());
            return new Planned.Refused(problems);
        }
        List<NodeRecord> placed = place(view, target, kept, placements);
        boolean live = Seeds.created(view, cluster);
        List<NodeRecord> todo = new ArrayList<>(
                kept.stream().filter(n -> !isDone(view, n, spec)).toList());
        todo.sort(Comparator.comparing((NodeRecord n) -> !isBroken(view, n)).thenComparing(NodeRecord::id));
        todo.addAll(placed);
        return new Planned.Draft(
                target.version(),
                placed.stream().<Change>map(Change.Put::new).toList(),
                phases(view, target, live, surplus, todo),
                notes(live, todo, placements));
    }

    private static List<Phase> phases(
            View view, SpecRecord target, boolean live, List<NodeRecord> surplus, List<NodeRecord> todo) {
        ClusterName cluster = target.cluster();
        long version = target.version();
        List<DatacenterName> all = target.spec().datacenterNames();
        List<DatacenterName> others =
                all.stream().filter(d -> !d.equals(view.datacenter())).toList();
        List<DatacenterName> before = all.subList(0, all.indexOf(view.datacenter()));
        List<Phase> phases = new ArrayList<>();
        phases.add(phase("reconciliation", Phase.Strategy.SERIAL, List.of(new ReconcileNodes(cluster))));
        phases.add(phase(
                "sync-datacenter",
                Phase.Strategy.PARALLEL,
                live
                        ? before.stream()
                                .<Step>map(d -> new AwaitTurn(cluster, version, d))
                                .toList()
                        : others.stream()
                                .<Step>map(d -> new SyncDatacenter(cluster, version, d))
                                .toList()));
        phases.add(phase(
                "release",
                Phase.Strategy.PARALLEL,
                surplus.stream().<Step>map(n -> new ReleaseNode(n.id(), false)).toList()));
        phases.add(new Phase(
                "deploy",
                live ? Phase.Strategy.SERIAL : Phase.Strategy.PARALLEL,
                todo.stream()
                        .map(n -> Steps.pending(new DeployNode(n.id(), version), NodeChange.of(view, n, target.spec())))
                        .toList()));
        phases.add(phase("verify", Phase.Strategy.SERIAL, List.of(new VerifyRing(cluster, version))));
        return phases.stream().filter(p -> !p.steps().isEmpty()).toList();
    }

    private static List<NodeRecord> place(
            View view, SpecRecord target, List<NodeRecord> existing, Placements placements) {
        ClusterSpec spec = target.spec();
        int count = placements.nodes().size();
        boolean empty = existing.isEmpty() && !Seeds.created(view, spec.name());
        List<String> tokens = empty
                ? Tokens.forFirstCreation(spec, view.datacenter())
                : Tokens.forJoining(
                        spec,
                        view.datacenter(),
                        existing.stream().flatMap(n -> n.tokens().stream()).toList(),
                        count);
        List<NodeRecord> records = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            NodePlacement placement = placements.nodes().get(i);
            records.add(new NodeRecord(
                    placement.node(),
                    withFreshId(view, placement.chosen().orElseThrow()),
                    placement.rack(),
                    List.of(tokens.get(i)),
                    0,
                    target.version(),
                    0,
                    0,
                    true,
                    false,
                    false,
                    null,
                    null,
                    null));
        }
        return records;
    }

    /** The volume of a cluster that was deleted may still lie there under the plain name; a new node must not come up on it. */
    private static Allocation withFreshId(View view, Allocation allocation) {
        AllocationId id = allocation.id();
        for (int i = 2; view.allocations().containsKey(id); i++) {
            id = new AllocationId(allocation.id() + "-" + i);
        }
        return allocation.withId(id);
    }

    private static boolean isDone(View view, NodeRecord node, ClusterSpec spec) {
        return node.launched()
                && node.goodSpecVersion() == node.specVersion()
                && view.spec(node.id().cluster(), node.specVersion())
                        .map(had -> !NodeTargets.differ(had.spec(), spec))
                        .orElse(false);
    }

    private static boolean isBroken(View view, NodeRecord node) {
        return view.status(node.id()).map(s -> s.mode() != OperatingMode.NORMAL).orElse(true)
                || Breakage.refusal(view, node.id()).isPresent();
    }

    private static List<String> notes(boolean live, List<NodeRecord> todo, Placements placements) {
        List<String> notes = new ArrayList<>();
        if (!todo.isEmpty()) {
            notes.add(
                    live
                            ? "the cluster is live: one node at a time, each seen NORMAL by all before the next"
                            : "the cluster is empty: all nodes start at once");
        }
        placements
                .nodes()
                .forEach(p -> notes.add(
                        p.node().shortName() + " on " + p.chosen().orElseThrow().machine() + ": " + p.why()));
        return notes;
    }

    private static Phase phase(String name, Phase.Strategy strategy, List<Step> steps) {
        return new Phase(name, strategy, steps.stream().map(Steps::pending).toList());
    }

    private static Planned refused(Problem problem) {
        return new Planned.Refused(List.of(problem));
    }
}
