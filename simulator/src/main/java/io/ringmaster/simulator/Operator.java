package io.ringmaster.simulator;

import io.ringmaster.core.operation.Delete;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What somebody does once the trouble is over: resumes, retries, replaces, asks again for what was aborted. */
final class Operator {
    private final World world;
    private final SimServers servers;

    Operator(World world, SimServers servers) {
        this.world = world;
        this.servers = servers;
    }

    void mend() {
        Workload.CLUSTERS.stream()
                .flatMap(c -> world.dead.of(c).stream())
                .filter(n -> n.machineUp() || !isReplacedByItself(n.allocation.node()))
                .map(n -> n.allocation.node())
                .toList()
                .forEach(servers::replace);
        for (Datacenter datacenter : world.datacenters.values()) {
            view(datacenter).ifPresent(v -> v.machines().values().stream()
                    .filter(Machine::cordoned)
                    .forEach(m -> servers.uncordon(datacenter, m.name())));
            for (ClusterName cluster : Workload.CLUSTERS) {
                view(datacenter).ifPresent(v -> mend(datacenter, v, cluster));
            }
        }
        Workload.CLUSTERS.forEach(this::rebuildWhatLacks);
    }

    private static Optional<View> view(Datacenter datacenter) {
        return datacenter.leader().filter(SimServer::leads).map(SimServer::view);
    }

    private boolean isReplacedByItself(NodeId node) {
        return view(world.datacenter(node.datacenter()))
                .flatMap(v -> SimServers.target(v, node.cluster()))
                .filter(spec -> spec.replace() != null)
                .isPresent();
    }

    private void mend(Datacenter datacenter, View view, ClusterName cluster) {
        reconcileDeclarations(datacenter, cluster);
        letGo(datacenter, view, cluster);
        ClusterRecord record = view.clusters().get(cluster);
        List<Plan> open = SimServers.open(view, cluster);
        for (Plan plan : open) {
            if (plan.status() == PlanStatus.FAILED || plan.status() == PlanStatus.PAUSED) {
                PlanVerb verb = isVain(view, plan)
                        ? PlanVerb.ABORT
                        : plan.status() == PlanStatus.FAILED ? PlanVerb.RETRY : PlanVerb.RESUME;
                servers.ask(datacenter, verb + " " + plan.id(), c -> c.requests()
                        .control(plan.id(), verb, null, "operator"));
            }
        }
        boolean declared = open.stream().anyMatch(p -> p.request() == null);
        if (record != null && !declared && view.exists(cluster)) {
            boolean aborted = record.deleting() || view.settledSpecVersion(cluster) < record.targetSpecVersion();
            if (aborted) {
                String operation = record.deleting() ? "delete" : "deploy";
                Map<String, String> params = record.deleting()
                        ? Map.of(Delete.DESTROY_DATA, Boolean.toString(record.destroyData()))
                        : Map.of();
                servers.ask(datacenter, operation + " " + cluster, c -> c.requests()
                        .run(operation, cluster, params, "operator", false));
            }
        }
    }

    /** It would stream from a datacenter that has left meanwhile. */
    private static boolean isVain(View view, Plan plan) {
        String from = plan.params().get("from");
        return from != null
                && SimServers.target(view, plan.cluster())
                        .filter(s -> s.datacenter(new DatacenterName(from)).isPresent())
                        .isEmpty();
    }

    /** Moves the clients of a datacenter that is to leave, and drops what is kept only there. */
    private void letGo(Datacenter datacenter, View view, ClusterName cluster) {
        boolean leaves = SimServers.target(view, cluster)
                .filter(s -> s.datacenter(datacenter.name).isEmpty())
                .isPresent();
        if (leaves) {
            world.clients.disconnect(cluster, datacenter.name);
            if (world.keyspaces.keepers(cluster, Keyspaces.LEDGER).equals(List.of(datacenter.name))) {
                world.keyspaces.drop(cluster, Keyspaces.LEDGER);
            }
        }
    }

    /** What a user had kept elsewhere, too, and whose rebuild did not come to its end. */
    private void rebuildWhatLacks(ClusterName cluster) {
        boolean idle = world.datacenters.values().stream()
                .flatMap(d -> view(d).stream())
                .allMatch(v -> SimServers.open(v, cluster).isEmpty());
        List<DatacenterName> keepers = world.keyspaces.keepers(cluster, Keyspaces.LEDGER);
        for (DatacenterName keeper : keepers) {
            if (idle
                    && world.keyspaces
                            .lacking(cluster, Keyspaces.LEDGER, keeper)
                            .isPresent()) {
                keepers.stream()
                        .filter(d -> !d.equals(keeper))
                        .findFirst()
                        .ifPresent(d -> servers.rebuild(cluster, keeper, d, Keyspaces.LEDGER));
            }
        }
    }

    /** Two users declared different things while the datacenters were cut off: asks for at least the nodes that are there. */
    private void reconcileDeclarations(Datacenter datacenter, ClusterName cluster) {
        boolean unplanned = datacenter
                .leader()
                .flatMap(s -> s.ask(
                        c -> c.unplannable().stream().anyMatch(u -> u.cluster().equals(cluster))))
                .orElse(false);
        if (unplanned) {
            servers.ask(
                    datacenter,
                    "reconcile " + cluster,
                    c -> SimServers.changed(c, cluster, spec -> withNodesThere(cluster, spec), false));
        }
    }

    private ClusterSpec withNodesThere(ClusterName cluster, ClusterSpec spec) {
        ClusterSpec enough = spec;
        for (DatacenterSpec d : spec.datacenters()) {
            int there = (int) world.nodesOf(cluster).stream()
                    .filter(n -> n.allocation.node().datacenter().equals(d.name()))
                    .mapToInt(n -> n.allocation.node().index())
                    .distinct()
                    .count();
            enough = RandomSpecs.withNodes(enough, d.name(), Math.max(d.nodes(), there));
        }
        return enough;
    }

    /** Replaces specs that no daemon starts with by good ones: that must always mend a cluster. */
    void replaceBadSpecs() {
        for (ClusterName cluster : Workload.CLUSTERS) {
            for (Datacenter datacenter : world.datacenters.values()) {
                boolean bad = view(datacenter)
                        .flatMap(v -> SimServers.target(v, cluster))
                        .filter(RandomSpecs::isRejected)
                        .isPresent();
                if (bad) {
                    servers.ask(
                            datacenter,
                            "mend " + cluster,
                            c -> SimServers.changed(
                                    c,
                                    cluster,
                                    s -> RandomSpecs.with(s, "concurrent_reads", 8 + servers.nextParameter()),
                                    false));
                    break;
                }
            }
        }
    }
}
