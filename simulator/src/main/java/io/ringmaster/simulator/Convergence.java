package io.ringmaster.simulator;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether everything is as declared: what must come about once nothing breaks any more. */
final class Convergence {
    private final World world;

    Convergence(World world) {
        this.world = world;
    }

    /** The first thing that is not as declared, or nothing. */
    Optional<String> missing() {
        for (ClusterName cluster : Workload.CLUSTERS) {
            Optional<String> missing = missing(cluster);
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    private Optional<String> missing(ClusterName cluster) {
        List<ClusterRecord> records = new ArrayList<>();
        for (Datacenter datacenter : world.datacenters.values()) {
            Optional<View> view = datacenter.leader().filter(SimServer::leads).map(SimServer::view);
            if (view.isEmpty()) {
                return Optional.of(datacenter.name + " has no leader");
            }
            Optional<String> open = openPlan(view.get(), cluster);
            if (open.isPresent()) {
                return open;
            }
            if (isMeant(datacenter, cluster)) {
                records.add(view.get().clusters().get(cluster));
            }
            Optional<String> missing = missing(datacenter, view.get(), cluster);
            if (missing.isPresent()) {
                return missing;
            }
        }
        // rows that went with a deleted cluster are missed by nobody
        Optional<String> lacking =
                world.invariants.isDeclared(cluster) ? world.keyspaces.lacking(cluster) : Optional.empty();
        if (lacking.isPresent()) {
            return lacking;
        }
        return records.stream().map(Convergence::declared).distinct().count() <= 1
                ? Optional.empty()
                : Optional.of("the datacenters declare different things: " + records);
    }

    /** Whether the newest spec that is known anywhere, if there is one, names the datacenter. */
    private boolean isMeant(Datacenter datacenter, ClusterName cluster) {
        return world.datacenters.values().stream()
                .flatMap(d -> d.leader().stream())
                .flatMap(s -> SimServers.record(s.view(), cluster).stream())
                .max(Comparator.comparingLong(SpecRecord::version))
                .map(s -> s.spec().datacenter(datacenter.name).isPresent())
                .orElse(true);
    }

    private static List<Object> declared(@Nullable ClusterRecord record) {
        return record == null || record.deleting() ? List.of() : List.of(record.targetSpecVersion());
    }

    private static Optional<String> openPlan(View view, ClusterName cluster) {
        return view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster) && !p.status().isOver())
                .findFirst()
                .map(Convergence::describe);
    }

    private static String describe(Plan plan) {
        List<String> steps = plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> !s.status().isOver() && s.reason() != null)
                .map(s -> s.name() + " " + s.status() + ": " + s.reason() + " since " + s.since())
                .toList();
        return "plan " + plan.id() + " " + plan.operation() + " " + plan.cluster() + " is " + plan.status() + " "
                + steps;
    }

    private Optional<String> missing(Datacenter datacenter, View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        List<NodeRecord> nodes = view.nodesOf(cluster);
        if (record == null
                || record.deleting()
                || view.targetSpec(cluster)
                        .orElseThrow()
                        .spec()
                        .datacenter(datacenter.name)
                        .isEmpty()) {
            boolean left = world.nodesOf(cluster).stream()
                    .filter(n -> n.allocation.node().datacenter().equals(datacenter.name))
                    .anyMatch(n -> n.daemonUp() || n.claim != AllocationState.Status.RELEASED);
            return nodes.isEmpty() && !left
                    ? Optional.empty()
                    : Optional.of(cluster + " is not gone in " + datacenter.name);
        }
        ClusterSpec spec = view.targetSpec(cluster).orElseThrow().spec();
        int wanted = spec.datacenter(datacenter.name).orElseThrow().nodes();
        if (!record.created() || nodes.size() != wanted) {
            return Optional.of(cluster + " in " + datacenter.name + ": created " + record.created() + ", "
                    + nodes.size() + " of " + wanted + " nodes");
        }
        return nodes.stream()
                .filter(n -> !isAsDeclared(datacenter, n, spec))
                .findFirst()
                .map(n -> n.id() + " is not as declared");
    }

    private boolean isAsDeclared(Datacenter datacenter, NodeRecord record, ClusterSpec spec) {
        SimNode node = world.nodes(datacenter.name).get(record.allocation().id());
        return node != null
                && node.mode == OperatingMode.NORMAL
                && node.executorUp
                && node.runningConfiguration()
                        .equals(List.of(
                                spec.cassandraVersion(),
                                spec.preset(),
                                spec.resources(),
                                spec.jvm(),
                                spec.cassandraYaml()));
    }
}
