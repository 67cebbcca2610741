package io.ringmaster.simulator.invariant;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.KeptVolume;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsSpec;
import io.ringmaster.simulator.datacenter.ClusterViews;
import io.ringmaster.simulator.datacenter.Datacenter;
import io.ringmaster.simulator.datacenter.Datacenters;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether every cluster is as its spec declares, which must be reached after the faults stop. */
public final class Convergence {
    private final World world;
    private final Datacenters datacenters;

    public Convergence(World world, Datacenters datacenters) {
        this.world = world;
        this.datacenters = datacenters;
    }

    /** The first difference between these clusters and their specs; empty if there is none. */
    public Optional<String> missing(List<ClusterName> clusters) {
        for (ClusterName cluster : clusters) {
            Optional<String> missing = missing(cluster);
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    private Optional<String> missing(ClusterName cluster) {
        List<ClusterRecord> records = new ArrayList<>();
        for (Datacenter datacenter : datacenters.all()) {
            Optional<View> view = datacenter.leaderView();
            if (view.isEmpty()) {
                return Optional.of(datacenter.name() + " has no leader");
            }
            Optional<String> open = openPlan(view.get(), cluster);
            if (open.isPresent()) {
                return open;
            }
            if (isNamed(datacenter, cluster)) {
                records.add(view.get().clusters().get(cluster));
            }
            Optional<String> missing = missing(datacenter, view.get(), cluster);
            if (missing.isPresent()) {
                return missing;
            }
        }
        // Nobody misses the rows of a deleted cluster.
        Optional<String> rows =
                world.declarations().isDeclared(cluster) ? world.keyspaces().missingRows(cluster) : Optional.empty();
        if (rows.isPresent()) {
            return rows;
        }
        return records.stream().map(Convergence::declared).distinct().count() <= 1
                ? Optional.empty()
                : Optional.of("the datacenters declare different specs: " + records);
    }

    /** Whether the newest spec that any server knows names the datacenter; true if no server knows one. */
    private boolean isNamed(Datacenter datacenter, ClusterName cluster) {
        return datacenters.all().stream()
                .flatMap(d -> d.electedView().stream())
                .flatMap(v -> ClusterViews.specRecord(v, cluster).stream())
                .max(Comparator.comparingLong(SpecRecord::version))
                .map(s -> s.spec().datacenter(datacenter.name()).isPresent())
                .orElse(true);
    }

    private static List<Object> declared(@Nullable ClusterRecord record) {
        return record == null || record.deleting() ? List.of() : List.of(record.targetSpecVersion());
    }

    private static Optional<String> openPlan(View view, ClusterName cluster) {
        return ClusterViews.openPlans(view, cluster).stream().findFirst().map(Convergence::describe);
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
                        .datacenter(datacenter.name())
                        .isEmpty()) {
            boolean left = world.nodesOf(cluster).stream()
                    .filter(n -> n.datacenter().equals(datacenter.name()))
                    .anyMatch(n -> n.daemon().isUp() || !n.isReleased());
            return nodes.isEmpty() && !left
                    ? volumeLeft(datacenter, record, cluster)
                    : Optional.of(cluster + " is not deleted in " + datacenter.name());
        }
        ClusterSpec spec = view.targetSpec(cluster).orElseThrow().spec();
        int wanted = spec.datacenter(datacenter.name()).orElseThrow().nodes();
        if (!record.created() || nodes.size() != wanted) {
            return Optional.of(cluster + " in " + datacenter.name() + ": created " + record.created() + ", "
                    + nodes.size() + " of " + wanted + " nodes");
        }
        return nodes.stream()
                .filter(n -> !isAsDeclared(datacenter, n, spec))
                .findFirst()
                .map(n -> n.id() + " is not as declared")
                .or(() -> world.roles().difference(spec));
    }

    /** After a delete that destroys data, a volume that the pool can reach, unless nothing proves whose it is. */
    private Optional<String> volumeLeft(Datacenter datacenter, @Nullable ClusterRecord record, ClusterName cluster) {
        if (record == null || !record.deleting() || !record.destroyData()) {
            return Optional.empty();
        }
        return world.nodes(datacenter.name()).values().stream()
                .filter(n -> n.cluster().equals(cluster) && n.machineUp())
                .filter(n -> world.declarations().isOfExisting(n))
                .filter(n -> record.volume(n.allocation().id())
                        .filter(Convergence::isKept)
                        .isEmpty())
                .findFirst()
                .map(n -> "volume " + n.name() + " is left of " + cluster + ", which was deleted with its data");
    }

    private static boolean isKept(KeptVolume volume) {
        return volume.reason() == KeptVolume.Reason.UNKNOWN || volume.dropped() != null;
    }

    private boolean isAsDeclared(Datacenter datacenter, NodeRecord record, ClusterSpec spec) {
        SimNode node = world.nodes(datacenter.name()).get(record.allocation().id());
        return node != null
                && node.mode() == OperatingMode.NORMAL
                && !record.owesRepair()
                && node.executor().isUp()
                && node.place().inForce().equals(spec.resources())
                && node.executor()
                        .appliedConfiguration()
                        .equals(List.of(
                                spec.cassandraVersion(),
                                spec.preset(),
                                spec.resources(),
                                spec.jvm(),
                                spec.cassandraYaml(),
                                spec.tls() == null ? TlsSpec.OFF : spec.tls()))
                && node.executor()
                        .target()
                        .flatMap(t -> node.identity().missing(t))
                        .isEmpty();
    }
}
