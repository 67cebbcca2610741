package io.ringmaster.simulator.user;

import io.ringmaster.core.lock.OperationLock;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.operation.Repair;
import io.ringmaster.core.policy.UnattendedRepair;
import io.ringmaster.core.step.RepairRanges;
import io.ringmaster.core.step.RunTask;
import io.ringmaster.core.step.Steps;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.world.Keyspaces;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Repairs what is left after the faults: resumes and retries plans, replaces nodes, requests again what was aborted.
 * Failed repairs that were requested automatically are left alone.
 */
public final class Operator {
    private static final Set<NodeTask.Kind> KEEPS_ROWS = Set.of(NodeTask.Kind.COMPARE, NodeTask.Kind.REPLICATE);

    private final World world;
    private final Datacenters datacenters;
    private final UserRequests requests;
    private final RoomForReplacements room;

    public Operator(World world, Datacenters datacenters, UserRequests requests) {
        this.world = world;
        this.datacenters = datacenters;
        this.requests = requests;
        this.room = new RoomForReplacements(world, datacenters, requests);
    }

    public void repair() {
        Workload.CLUSTERS.stream()
                .flatMap(c -> world.removedNodes().deadMembers(c).stream())
                .filter(n -> n.machineUp() || !isReplacedAutomatically(n.id()))
                .map(SimNode::id)
                .toList()
                .forEach(requests::replace);
        Workload.CLUSTERS.forEach(room::make);
        for (Datacenter datacenter : datacenters.all()) {
            datacenter.leaderView().ifPresent(v -> v.machines().values().stream()
                    .filter(Machine::cordoned)
                    .forEach(m -> requests.uncordon(datacenter, m.name())));
            for (ClusterName cluster : Workload.CLUSTERS) {
                datacenter.leaderView().ifPresent(v -> repair(datacenter, v, cluster));
            }
        }
        Workload.CLUSTERS.forEach(this::rebuildMissingRows);
    }

    private boolean isReplacedAutomatically(NodeId node) {
        return datacenters
                .get(node.datacenter())
                .leaderView()
                .filter(v -> v.nodesOf(node.cluster()).stream().noneMatch(n -> n.owesRepair() && !n.id().equals(node)))
                .flatMap(v -> ClusterViews.spec(v, node.cluster()))
                .filter(spec -> spec.replace() != null)
                .isPresent();
    }

    private void repair(Datacenter datacenter, View view, ClusterName cluster) {
        reconcileDeclarations(datacenter, cluster);
        releaseDatacenter(datacenter, view, cluster);
        ClusterRecord record = view.clusters().get(cluster);
        List<Plan> open = ClusterViews.openPlans(view, cluster);
        boolean leaves = ClusterViews.spec(view, cluster)
                .filter(s -> s.datacenter(datacenter.name()).isEmpty())
                .isPresent();
        if (leaves && open.stream().anyMatch(Operator::lacksRowsElsewhere)) {
            requests.ask(
                    datacenter,
                    "keep all datacenters of " + cluster,
                    c -> UserRequests.changed(c, cluster, spec -> withAllDatacenters(cluster, spec), false));
            return;
        }
        for (Plan plan : open) {
            boolean failed = plan.status() == PlanStatus.FAILED && !UnattendedRepair.is(plan);
            if (failed || plan.status() == PlanStatus.PAUSED) {
                PlanVerb verb = isImpossible(view, plan) ? PlanVerb.ABORT : failed ? PlanVerb.RETRY : PlanVerb.RESUME;
                requests.ask(datacenter, verb + " " + plan.id(), c -> c.requests()
                        .control(plan.id(), verb, null, "operator"));
            }
        }
        repairMovedRanges(datacenter, view, cluster, open);
        boolean declared = open.stream().anyMatch(p -> p.request() == null);
        if (record != null && !declared && view.exists(cluster)) {
            boolean aborted = record.deleting() || view.settledSpecVersion(cluster) < record.targetSpecVersion();
            if (aborted) {
                String operation = record.deleting() ? "delete" : "deploy";
                Map<String, String> params = record.deleting()
                        ? Map.of(Delete.DESTROY_DATA, Boolean.toString(record.destroyData()))
                        : Map.of();
                requests.ask(datacenter, operation + " " + cluster, c -> c.requests()
                        .run(operation, cluster, params, "operator", false));
            }
        }
    }

    /**
     * Repairs ranges that nodes took over in plans that were aborted, as the findings advise. Where nodes are replaced
     * automatically, that is automatic too.
     */
    private void repairMovedRanges(Datacenter datacenter, View view, ClusterName cluster, List<Plan> open) {
        boolean automatic = ClusterViews.spec(view, cluster)
                .filter(spec -> spec.replace() != null)
                .isPresent();
        boolean atWork = open.stream()
                .flatMap(p -> p.phases().stream())
                .flatMap(p -> p.steps().stream())
                .anyMatch(s -> !s.status().isOver() && Steps.is(s, RepairRanges.class));
        boolean requested = OperationLock.known(view, cluster).stream()
                .filter(r -> r.operation().equals(Repair.NAME))
                .anyMatch(r -> OperationLock.unfinished(view, r, false).isPresent());
        if (!automatic
                && !atWork
                && !requested
                && view.nodesOf(cluster).stream().anyMatch(NodeRecord::owesRepair)) {
            requests.ask(datacenter, "repair moved ranges of " + cluster, c -> c.requests()
                    .ask(Repair.NAME, cluster, Map.of("dc", datacenter.name().value()), "operator", "", false));
        }
    }

    /** The plan streams from a datacenter that has left the cluster. */
    private static boolean isImpossible(View view, Plan plan) {
        String from = plan.params().get("from");
        return from != null
                && ClusterViews.spec(view, plan.cluster())
                        .filter(s -> s.datacenter(new DatacenterName(from)).isPresent())
                        .isEmpty();
    }

    /** The removal of a datacenter stopped because rows would be lost. */
    private static boolean lacksRowsElsewhere(Plan plan) {
        return plan.status() == PlanStatus.FAILED
                && plan.phases().stream()
                        .flatMap(p -> p.steps().stream())
                        .filter(s -> s.status() == StepState.Status.FAILED)
                        .flatMap(s -> Steps.readable(s).stream())
                        .anyMatch(s -> s instanceof RunTask task && task.forSpec() && KEEPS_ROWS.contains(task.kind()));
    }

    private ClusterSpec withAllDatacenters(ClusterName cluster, ClusterSpec spec) {
        return withExistingNodes(cluster, RandomSpecs.withAllDatacenters(spec, world.random()));
    }

    /** Disconnects the clients of a datacenter that leaves, and drops the keyspace whose only replicas are there. */
    private void releaseDatacenter(Datacenter datacenter, View view, ClusterName cluster) {
        boolean leaves = ClusterViews.spec(view, cluster)
                .filter(s -> s.datacenter(datacenter.name()).isEmpty())
                .isPresent();
        if (leaves) {
            world.clients().disconnect(cluster, datacenter.name());
            if (world.keyspaces().datacentersOf(cluster, Keyspaces.LEDGER).equals(List.of(datacenter.name()))) {
                world.keyspaces().drop(cluster, Keyspaces.LEDGER);
            }
        }
    }

    /** Repeats the rebuild of a keyspace that a user extended and whose rebuild did not complete. */
    private void rebuildMissingRows(ClusterName cluster) {
        boolean idle = datacenters.all().stream()
                .flatMap(d -> d.leaderView().stream())
                .allMatch(v -> ClusterViews.openPlans(v, cluster).isEmpty());
        List<DatacenterName> replicas = world.keyspaces().datacentersOf(cluster, Keyspaces.LEDGER);
        for (DatacenterName replica : replicas) {
            if (idle
                    && world.keyspaces()
                            .missingRows(cluster, Keyspaces.LEDGER, replica)
                            .isPresent()) {
                replicas.stream()
                        .filter(d -> !d.equals(replica))
                        .findFirst()
                        .ifPresent(d -> requests.rebuild(cluster, replica, d, Keyspaces.LEDGER));
            }
        }
    }

    /**
     * After conflicting specs on two sides of a partition, declares at least the nodes that exist, also in a datacenter
     * that the spec cannot remove yet.
     */
    private void reconcileDeclarations(Datacenter datacenter, ClusterName cluster) {
        List<Problem> problems = datacenter
                .ask(c -> c.unplannable().stream()
                        .filter(u -> u.cluster().equals(cluster))
                        .flatMap(u -> u.problems().stream())
                        .toList())
                .orElse(List.of());
        if (!problems.isEmpty()) {
            boolean unsupported = problems.stream().anyMatch(p -> p.code() == ErrorCode.SPEC_CHANGE_UNSUPPORTED);
            requests.ask(
                    datacenter,
                    "reconcile " + cluster,
                    c -> UserRequests.changed(
                            c,
                            cluster,
                            spec -> withExistingNodes(
                                    cluster, unsupported ? withExistingDatacenters(cluster, spec) : spec),
                            false));
        }
    }

    private ClusterSpec withExistingDatacenters(ClusterName cluster, ClusterSpec spec) {
        ClusterSpec all = RandomSpecs.withAllDatacenters(spec, world.random());
        return all.withDatacenters(all.datacenters().stream()
                .filter(d -> spec.datacenter(d.name()).isPresent() || existing(cluster, d.name()) > 0)
                .toList());
    }

    private ClusterSpec withExistingNodes(ClusterName cluster, ClusterSpec spec) {
        ClusterSpec enough = spec;
        for (DatacenterSpec d : spec.datacenters()) {
            enough = RandomSpecs.withNodes(enough, d.name(), Math.max(d.nodes(), existing(cluster, d.name())));
        }
        return enough;
    }

    /** As many nodes as the highest index needs: one before it may never have been launched. */
    private int existing(ClusterName cluster, DatacenterName datacenter) {
        return world.nodesOf(cluster).stream()
                .filter(n -> n.datacenter().equals(datacenter))
                .mapToInt(n -> n.id().index() + 1)
                .max()
                .orElse(0);
    }

    /** Replaces specs that prevent a start by good ones, which must always fix a cluster. */
    public void replaceBadSpecs() {
        for (ClusterName cluster : Workload.CLUSTERS) {
            for (Datacenter datacenter : datacenters.all()) {
                boolean bad = datacenter
                        .leaderView()
                        .flatMap(v -> ClusterViews.spec(v, cluster))
                        .filter(s -> RandomSpecs.isRejected(s)
                                && s.datacenter(datacenter.name()).isPresent())
                        .isPresent();
                if (bad) {
                    requests.ask(
                            datacenter,
                            "fix spec of " + cluster,
                            c -> UserRequests.changed(
                                    c,
                                    cluster,
                                    s -> RandomSpecs.with(s, "concurrent_reads", 8 + requests.nextParameter()),
                                    false));
                    break;
                }
            }
        }
    }
}
