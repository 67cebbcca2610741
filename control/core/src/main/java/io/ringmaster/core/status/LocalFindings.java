package io.ringmaster.core.status;

import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.status.LocalClusterStatus.DatacenterLine;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.status.LocalClusterStatus.NodeLine;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.AutomaticReplacement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the problems of a cluster, most severe first, each with the next step. */
final class LocalFindings {
    private final View view;
    private final ClusterName cluster;
    private final List<Finding> findings = new ArrayList<>();

    private LocalFindings(View view, ClusterName cluster) {
        this.view = view;
        this.cluster = cluster;
    }

    static List<Finding> of(
            View view,
            ClusterName cluster,
            List<DatacenterLine> datacenters,
            List<String> schemas,
            List<Problem> unplanned) {
        LocalFindings all = new LocalFindings(view, cluster);
        all.plans();
        unplanned.forEach(all::unplanned);
        all.pool();
        datacenters.stream()
                .filter(DatacenterLine::local)
                .flatMap(d -> d.nodes().stream())
                .forEach(all::node);
        all.unrepaired();
        all.findings.addAll(AbsenceFindings.of(view, cluster));
        all.findings.addAll(CertificateFindings.of(view, cluster));
        all.findings.addAll(RoomFindings.of(view, cluster));
        all.findings.addAll(new ClientFindings(view, cluster).all());
        all.findings.addAll(new RoleFindings(view, cluster).all());
        DepartedFindings.of(view, cluster).ifPresent(all.findings::add);
        all.findings.addAll(new BackupFindings(view, cluster).all());
        Optional.ofNullable(view.poolWarnings().get(cluster))
                .ifPresent(warning -> all.add(view.datacenter().value(), warning, null));
        all.rings();
        if (schemas.size() > 1) {
            all.add(
                    cluster.value(),
                    Problem.of(
                            ErrorCode.DAEMON_FAILED,
                            "nodes report " + schemas.size()
                                    + " schema versions; they agree within seconds unless nodes"
                                    + " cannot reach each other"),
                    null);
        }
        all.namesakes();
        datacenters.stream().filter(d -> d.silence() != null).forEach(all::peer);
        return all.findings;
    }

    private void plans() {
        for (Plan plan : view.plans().values()) {
            if (!plan.cluster().equals(cluster)) {
                continue;
            }
            Problem problem = plan.problem();
            if (plan.status() == PlanStatus.FAILED && problem != null) {
                add(
                        plan.id().value(),
                        new Problem(
                                problem.code(),
                                problem.field(),
                                "plan " + plan.id() + " failed: " + problem.message(),
                                after(problem.nextStep(), Advice.retryPlan(plan.id()))),
                        null);
            } else if (plan.status() == PlanStatus.PAUSED) {
                add(
                        plan.id().value(),
                        Problem.of(
                                ErrorCode.PLAN_STATE, "plan " + plan.id() + " is paused", Advice.resumePlan(plan.id())),
                        null);
            }
        }
    }

    /** Names the version and its author: where two specs were declared separately, it may be the one that won. */
    private void unplanned(Problem problem) {
        String version = view.targetSpec(cluster)
                .map(s -> "version " + s.version() + ", applied by " + s.appliedBy() + " at " + s.appliedIn() + ",")
                .orElse("the newest version");
        String advice = problem.code().kind() == ErrorCode.Kind.USER
                ? "apply a spec that every datacenter can plan"
                : "it is tried again automatically";
        add(
                view.datacenter().value(),
                new Problem(
                        problem.code(),
                        problem.field(),
                        version + " cannot be planned here: " + problem.message(),
                        after(problem.nextStep(), Advice.of(advice))),
                null);
    }

    private static Advice after(@Nullable Advice first, Advice then) {
        return first == null ? then : first.and("; ", then);
    }

    private void pool() {
        if (!view.poolSeen()) {
            add(
                    view.datacenter().value(),
                    Problem.of(
                            ErrorCode.POOL_UNAVAILABLE,
                            "the pool of " + view.datacenter() + " does not answer now"
                                    + (view.poolProblem() == null ? "" : ": " + view.poolProblem())),
                    null);
        }
        for (NodeRecord node : view.nodesOf(cluster)) {
            AllocationState state = view.allocations().get(node.allocation().id());
            if (LostNode.beforeCreation(view, node)) {
                add(
                        node.id().inCluster(),
                        LostNode.beforeCreationProblem(view, node),
                        state == null ? null : state.since());
            } else if (LostNode.isVolumeLost(view, node.allocation()) && node.joined() && !node.hasLeft()) {
                add(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.MACHINE_LOST,
                                "its volume on " + node.allocation().machine() + " is gone",
                                Advice.replaceNode(node.id())
                                        .prefix("bring the machine back, or ")
                                        .suffix("; an empty volume is never put in its place automatically")),
                        null);
            } else if (state == null) {
                if (view.poolSeen() && node.launched() && !node.joined()) {
                    add(node.id().inCluster(), allocationGone(node), null);
                }
            } else if (node.launched() && machineIsLost(node)) {
                add(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.MACHINE_LOST,
                                lost(node),
                                bringBack(state)
                                        .and("; if it is gone for good: ", Advice.replaceNode(node.id()))
                                        .suffix(automaticReplacement(node))),
                        lostSince(node, state));
            } else if (node.launched() && state.status() == AllocationState.Status.FAILED) {
                add(
                        node.id().inCluster(),
                        Problem.of(
                                codeOf(state.problem()),
                                node.allocation().machine() + ": " + state.reason(),
                                triedAgain(state.problem())),
                        state.since());
            } else if (node.launched() && state.status() == AllocationState.Status.PENDING) {
                add(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.POOL_UNAVAILABLE,
                                "its allocation on " + node.allocation().machine() + " waits: " + state.reason(),
                                triedAgain(state.problem())),
                        state.since());
            } else if (node.launched() && state.status() == AllocationState.Status.EXITED) {
                add(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.EXECUTOR_FAILED,
                                "its executor exited" + (state.reason() == null ? "" : ": " + state.reason()),
                                "it is launched again automatically"),
                        state.since());
            }
        }
    }

    /** The allocation of a node that holds no rows is gone: a new one may take its place at any time. */
    private Problem allocationGone(NodeRecord node) {
        Advice again = Advice.of(
                machineIsLost(node)
                        ? "bring the machine back, and the node starts there with an empty volume"
                        : "it is reserved again automatically");
        return Problem.of(
                ErrorCode.MACHINE_LOST,
                "it has not joined, and its allocation on " + node.allocation().machine() + " is gone",
                node.ownsRanges() ? again.and("; if it does not return: ", Advice.replaceNode(node.id())) : again);
    }

    /** Each try of the pool to launch its executor again changes the allocation: the node was lost before. */
    private Instant lostSince(NodeRecord node, AllocationState state) {
        Observation<NodeStatus> executor = view.statuses().get(node.id());
        if (node.lostSince() != null) {
            return node.lostSince();
        }
        return executor == null || executor.silence() == null ? state.since() : executor.at();
    }

    private String lost(NodeRecord node) {
        MachineName machine = node.allocation().machine();
        return view.machines().containsKey(machine)
                ? "the pool has lost contact with " + machine + "; this node may still run"
                : machine + " is lost, and this node with it";
    }

    /** With the pool's own advice, because only the pool knows how its machines are brought back. */
    private static Advice bringBack(AllocationState state) {
        Advice advice = Advice.of("bring the machine back, and the node starts again with its volume");
        Problem problem = state.problem();
        return problem == null || problem.nextStep() == null ? advice : advice.and("; ", problem.nextStep());
    }

    private static Advice triedAgain(@Nullable Problem problem) {
        Advice advice = Advice.of("it is retried automatically");
        return problem == null || problem.nextStep() == null
                ? advice
                : problem.nextStep().and("; ", advice);
    }

    private String automaticReplacement(NodeRecord node) {
        AutomaticReplacement policy =
                view.targetSpec(cluster).map(s -> s.spec().replace()).orElse(null);
        if (policy == null || node.lostSince() == null) {
            return "";
        }
        return LostNode.unrepaired(view, node)
                .map(n ->
                        "; it is not replaced automatically before " + n.id().shortName() + " has repaired its ranges")
                .orElse("; it is replaced automatically if it is not back by "
                        + node.lostSince().plus(Duration.ofMinutes(policy.afterMinutes())));
    }

    /** The pool itself answers here: a node that it cannot start is an error, not an outage of the pool. */
    private static ErrorCode codeOf(@Nullable Problem problem) {
        return problem == null || problem.code() == ErrorCode.POOL_UNAVAILABLE
                ? ErrorCode.EXECUTOR_FAILED
                : problem.code();
    }

    private boolean machineIsLost(NodeRecord node) {
        return LostNode.isMachineAway(view, node.allocation());
    }

    private void node(NodeLine node) {
        NodeStatus status = view.status(node.node()).orElse(null);
        NodeRecord record = view.nodes().get(node.node());
        boolean lost = record != null && status == null && machineIsLost(record);
        if (record == null || !record.launched() || lost) {
            return;
        }
        if (status != null && status.problem() != null) {
            add(node.node().inCluster(), status.problem(), status.since());
        } else if (record.joined() && node.mode() != OperatingMode.NORMAL && !isLeaving(record, node.mode())) {
            add(
                    node.node().inCluster(),
                    notNormal(
                            status == null ? ErrorCode.EXECUTOR_FAILED : ErrorCode.DAEMON_FAILED,
                            "is " + node.mode().with(node.activity()),
                            record,
                            node.mode()),
                    node.since());
        } else if (record.leaving()
                && node.mode() == OperatingMode.NORMAL
                && workOn(record.id()).isEmpty()) {
            add(
                    node.node().inCluster(),
                    Problem.of(
                            ErrorCode.PLAN_STATE,
                            "leaves the ring as soon as it sees every member up, although no plan waits for it",
                            "bring the members back that are down; a node that was ordered to leave cannot be kept"),
                    node.since());
        }
    }

    /** While a step works on the node, there is nothing for a person to do. */
    private Problem notNormal(ErrorCode code, String message, NodeRecord record, OperatingMode mode) {
        return workOn(record.id())
                .map(plan -> Problem.of(code, message + "; plan " + plan + " works on it"))
                .orElseGet(() -> Problem.of(code, message, nextStep(record, mode)));
    }

    private Optional<PlanId> workOn(NodeId node) {
        return view.plans().values().stream()
                .filter(p -> p.status() == PlanStatus.RUNNING && p.cluster().equals(cluster))
                .filter(p -> p.phases().stream()
                        .flatMap(phase -> phase.steps().stream())
                        .anyMatch(
                                s -> (s.status() == StepState.Status.RUNNING || s.status() == StepState.Status.WAITING)
                                        && s.node().filter(node::equals).isPresent()))
                .map(Plan::id)
                .findFirst();
    }

    /** A node that a user stopped or drained has nothing in its log that would help. */
    private static Advice nextStep(NodeRecord record, OperatingMode mode) {
        if (!record.run() && !record.evacuating()) {
            return Advice.startCluster(record.id().cluster());
        }
        return mode == OperatingMode.DRAINED ? Advice.restartNode(record.id()) : Advice.nodeLogs(record.id());
    }

    /** Nodes that owe a repair, where no plan is left that repairs. */
    private void unrepaired() {
        boolean atWork = view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .flatMap(p -> p.phases().stream())
                .flatMap(p -> p.steps().stream())
                .anyMatch(s -> !s.status().isOver() && Steps.is(s, RepairRanges.class));
        view.nodesOf(cluster).stream()
                .filter(n -> !atWork && n.owesRepair() && !n.leaving())
                .forEach(n -> add(
                        n.id().inCluster(),
                        Problem.of(
                                ErrorCode.PLAN_STATE,
                                "owes a repair: it took over ranges, was restored from a backup, or was away for longer"
                                        + " than others kept writes for it, and may lack rows that other replicas have;"
                                        + " until it has repaired its ranges, no other node here is replaced"
                                        + " automatically",
                                Advice.repair(cluster)),
                        n.owesRepairSince()));
    }

    private static boolean isLeaving(NodeRecord record, OperatingMode mode) {
        return record.leaving() && (mode == OperatingMode.LEAVING || mode == OperatingMode.DECOMMISSIONED);
    }

    private void rings() {
        for (NodeRecord node : view.nodesOf(cluster)) {
            RingView ring = view.status(node.id()).map(NodeStatus::ring).orElse(null);
            if (ring != null) {
                ring.members().stream()
                        .filter(p -> !p.alive())
                        .forEach(p -> add(
                                node.id().inCluster(),
                                Problem.of(
                                        ErrorCode.DAEMON_FAILED,
                                        "sees " + p.endpoint() + " of " + datacenter(p) + " as down"),
                                null));
            }
        }
    }

    /** A node that started while the other one was down knows it from its own volume, without a datacenter. */
    private static String datacenter(RingView.PeerSeen peer) {
        return peer.datacenter().isEmpty() ? "a datacenter that it has not learned" : peer.datacenter();
    }

    /** Another cluster of this name in another datacenter. Neither gets the other's specs, requests or seeds. */
    private void namesakes() {
        SpecRecord own = view.targetSpec(cluster).orElseThrow();
        view.peers().keySet().stream()
                .filter(d -> view.lastPart(d, cluster)
                        .filter(p -> !p.deleting() && !own.isSameCluster(p.spec()))
                        .isPresent())
                .forEach(d -> add(
                        d.value(),
                        Problem.of(
                                ErrorCode.CLUSTER_EXISTS,
                                d + " has another cluster of the name " + cluster,
                                "delete one of the two, or keep the servers of the two datacenters apart"),
                        null));
    }

    private void peer(DatacenterLine line) {
        add(
                line.name().value(),
                Problem.of(
                        ErrorCode.PEER_UNREACHABLE,
                        "the server of " + line.name() + " does not answer: " + line.silence(),
                        "its nodes keep serving; start the server or fix the network"),
                line.silentSince());
    }

    private void add(String subject, Problem problem, @Nullable Instant since) {
        findings.add(new Finding(subject, problem, since));
    }
}
