package io.ringmaster.server.read;

import io.ringmaster.core.policy.ScheduledRepair;
import io.ringmaster.core.spec.Age;
import io.ringmaster.core.status.LocalClusterStatus;
import io.ringmaster.core.status.LocalClusterStatus.DatacenterLine;
import io.ringmaster.core.status.LocalClusterStatuses;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.RepairSchedule;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.ClusterStatus.Part;
import io.ringmaster.wire.api.ClusterSummary;
import io.ringmaster.wire.api.Finding;
import io.ringmaster.wire.api.FleetList;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.RepairState;
import io.ringmaster.wire.api.Unanswered;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status of clusters in all datacenters: this datacenter's part from the view, the other parts from their servers
 * or, if those do not answer, from their last reports.
 */
public final class FleetClusterStatuses {
    private final FleetReader fleet;
    private final UnplannedSpecs unplanned;

    public FleetClusterStatuses(FleetReader fleet, UnplannedSpecs unplanned) {
        this.fleet = fleet;
        this.unplanned = unplanned;
    }

    /** @param here the cluster's local status, from the same view */
    public ClusterStatus status(View view, LocalClusterStatus here, Scope scope) {
        var asked = fleet.ask(view, others(here, scope), peer -> peer.status(here.cluster(), Scope.LOCAL));
        var parts = new ArrayList<Part>();
        for (DatacenterLine line : here.datacenters()) {
            ClusterStatus answer = asked.answers().get(line.name());
            if (answer != null && answer.datacenters().size() == 1) {
                parts.add(answer.datacenters().get(0));
            } else if (line.local() || scope == Scope.FLEET) {
                parts.add(part(view, line, asked.unanswered()));
            }
        }
        return assemble(view, here, parts, others(here, scope), asked.answers().values());
    }

    /**
     * The clusters of all datacenters. A cluster that this datacenter knows is shown as known here, with the findings
     * of the others.
     */
    public FleetList<ClusterSummary> list(View view, Scope scope) {
        Set<DatacenterName> others = scope == Scope.LOCAL ? Set.of() : view.knownPeers();
        var asked = fleet.ask(view, others, peer -> peer.clusters(Scope.LOCAL).items());
        var all = new TreeMap<ClusterName, ClusterSummary>();
        view.clusters().keySet().forEach(c -> here(view, c).ifPresent(s -> all.put(c, summary(view, s))));
        asked.answers()
                .values()
                .forEach(list -> list.forEach(c -> all.merge(c.cluster(), c, ClusterSummary::withFindingsOf)));
        return new FleetList<>(List.copyOf(all.values()), asked.unanswered());
    }

    /** The local status of the cluster; empty when this datacenter does not know it. */
    public Optional<LocalClusterStatus> here(View view, ClusterName cluster) {
        return LocalClusterStatuses.of(view, cluster, unplanned.of(cluster));
    }

    /** The summary of the cluster from the view alone. */
    private ClusterSummary summary(View view, LocalClusterStatus here) {
        ClusterSpec spec = spec(view, here);
        List<Plan> open =
                plans(view, here.cluster()).filter(p -> !p.status().isOver()).toList();
        long normal = here.datacenters().stream()
                .filter(d -> d.nodesDeclared() > 0)
                .flatMap(d -> d.nodes().stream())
                .filter(n -> n.mode() == OperatingMode.NORMAL)
                .count();
        List<Finding> findings = FleetFindings.of(view, here);
        int errors = (int) findings.stream()
                .filter(f -> f.severity() == Finding.Severity.ERROR)
                .count();
        return new ClusterSummary(
                here.cluster(),
                Conditions.of(here, open),
                here.specVersion(),
                spec.cassandraVersion(),
                spec.datacenterNames(),
                spec.totalNodes(),
                (int) normal,
                open.stream().map(Plan::id).toList(),
                errors,
                findings.size() - errors,
                findings.isEmpty() ? null : findings.get(0));
    }

    private static ClusterStatus assemble(
            View view,
            LocalClusterStatus here,
            List<Part> parts,
            List<DatacenterName> asked,
            Collection<ClusterStatus> answers) {
        List<NodeState> nodes = parts.stream().flatMap(p -> p.nodes().stream()).toList();
        List<Plan> plans = Stream.concat(
                        plans(view, here.cluster()), answers.stream().flatMap(s -> s.plans().stream()))
                .sorted(Comparator.comparing(Plan::id))
                .toList();
        ClusterSpec spec = spec(view, here);
        List<NodeState> normal = parts.stream()
                .filter(p -> !p.leaves())
                .flatMap(p -> p.nodes().stream())
                .filter(n -> n.mode() == OperatingMode.NORMAL)
                .toList();
        return new ClusterStatus(
                here.cluster(),
                view.now(),
                Conditions.of(here, plans),
                here.specVersion(),
                spec.cassandraVersion(),
                here.created(),
                spec.totalNodes(),
                normal.size(),
                schemaVersions(nodes),
                parts,
                plans,
                normal.stream()
                        .filter(n -> here.created())
                        .map(NodeState::cqlEndpoint)
                        .filter(e -> e != null)
                        .toList(),
                FleetFindings.of(here, parts, answers),
                OperationLocks.of(view, here.cluster(), asked, answers),
                repair(view, spec),
                BackupStates.of(view, spec.name()));
    }

    private static @Nullable RepairState repair(View view, ClusterSpec spec) {
        RepairSchedule schedule = spec.repair();
        return schedule == null
                ? null
                : ScheduledRepair.next(view, spec.name())
                        .map(next -> new RepairState(
                                Age.write(Duration.ofMinutes(schedule.everyMinutes())),
                                schedule.intensity(),
                                next.due(),
                                next.why()))
                        .orElse(null);
    }

    private static Part part(View view, DatacenterLine line, List<Unanswered> unanswered) {
        String silence = unanswered.stream()
                .filter(u -> u.datacenter().equals(line.name()))
                .map(Unanswered::reason)
                .findFirst()
                .orElse(line.silence());
        Observation<DatacenterReport> observation = view.peers().get(line.name());
        return new Part(
                line.name(),
                line.nodesDeclared(),
                line.settledSpecVersion(),
                line.local() ? null : silence,
                observation == null || observation.last() == null ? null : observation.at(),
                line.nodes().stream().map(n -> NodeStates.of(view, n)).toList());
    }

    private static List<DatacenterName> others(LocalClusterStatus here, Scope scope) {
        return here.datacenters().stream()
                .filter(d -> !d.local() && scope == Scope.FLEET)
                .map(DatacenterLine::name)
                .toList();
    }

    /** The unfinished plans, or the last plan if all are finished. */
    private static Stream<Plan> plans(View view, ClusterName cluster) {
        List<Plan> all = view.plans().values().stream()
                .filter(p -> p.cluster().equals(cluster))
                .sorted(Comparator.comparing(Plan::id))
                .toList();
        return all.stream().filter(p -> !p.status().isOver() || p.equals(last(all)));
    }

    private static @Nullable Plan last(List<Plan> plans) {
        return plans.isEmpty() ? null : plans.get(plans.size() - 1);
    }

    private static Map<String, List<String>> schemaVersions(List<NodeState> nodes) {
        var versions = new TreeMap<String, List<String>>();
        for (NodeState node : nodes) {
            if (node.schemaVersion() != null) {
                versions.computeIfAbsent(node.schemaVersion(), v -> new ArrayList<>())
                        .add(node.node().value());
            }
        }
        return versions;
    }

    private static ClusterSpec spec(View view, LocalClusterStatus here) {
        return view.spec(here.cluster(), here.specVersion()).orElseThrow().spec();
    }
}
