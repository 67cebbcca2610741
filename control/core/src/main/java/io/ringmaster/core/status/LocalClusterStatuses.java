package io.ringmaster.core.status;

import io.ringmaster.core.assess.Ownership;
import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.status.LocalClusterStatus.DatacenterLine;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.status.LocalClusterStatus.NodeLine;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the status of a cluster, for people, from a view. */
public final class LocalClusterStatuses {
    private final View view;
    private final ClusterName cluster;
    private final ClusterSpec spec;

    private LocalClusterStatuses(View view, ClusterName cluster, ClusterSpec spec) {
        this.view = view;
        this.cluster = cluster;
        this.spec = spec;
    }

    /**
     * @param unplanned why its newest spec cannot be planned here now; empty when it can
     * @return empty if the cluster is unknown, or deleted with nothing left
     */
    public static Optional<LocalClusterStatus> of(View view, ClusterName cluster, List<Problem> unplanned) {
        ClusterRecord record = view.clusters().get(cluster);
        Optional<SpecRecord> target = view.targetSpec(cluster);
        if (record == null || target.isEmpty() || !view.exists(cluster)) {
            return Optional.empty();
        }
        return Optional.of(
                new LocalClusterStatuses(view, cluster, target.get().spec()).status(record, target.get(), unplanned));
    }

    private LocalClusterStatus status(ClusterRecord record, SpecRecord target, List<Problem> unplanned) {
        List<DatacenterLine> named =
                spec.datacenters().stream().map(d -> line(d.name(), d.nodes())).toList();
        List<DatacenterLine> datacenters =
                Stream.concat(named.stream(), leaving(target)).toList();
        List<String> schemas = schemas();
        List<Finding> findings = LocalFindings.of(view, cluster, datacenters, schemas, unplanned);
        boolean all = named.stream()
                .allMatch(d -> d.nodes().size() >= d.nodesDeclared()
                        && d.nodes().stream().allMatch(n -> n.mode() == OperatingMode.NORMAL));
        return new LocalClusterStatus(
                cluster,
                target.version(),
                Seeds.created(view, cluster),
                record.deleting(),
                all && schemas.size() == 1 && !record.deleting(),
                schemas,
                datacenters,
                findings);
    }

    private DatacenterLine line(DatacenterName name, int nodes) {
        return name.equals(view.datacenter()) ? here(nodes) : there(name, nodes);
    }

    /** The datacenters that the spec no longer names and where nodes are left, as far as is known here. */
    private Stream<DatacenterLine> leaving(SpecRecord target) {
        return Stream.concat(Stream.of(view.datacenter()), view.peers().keySet().stream())
                .distinct()
                .sorted()
                .filter(name -> spec.datacenter(name).isEmpty())
                .filter(name -> name.equals(view.datacenter())
                        || view.lastPart(name, cluster)
                                .filter(part -> target.isSameCluster(part.spec()))
                                .filter(part -> !isLost(name))
                                .isPresent())
                .map(name -> line(name, 0))
                .filter(line -> !line.nodes().isEmpty());
    }

    /** Whether a datacenter is silent, so that its last report stays, and the nodes here see no member of it. */
    private boolean isLost(DatacenterName name) {
        List<List<PeerSeen>> rings = view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .map(RingView::members)
                .filter(members -> !members.isEmpty())
                .toList();
        return view.silence(name).isPresent()
                && !rings.isEmpty()
                && rings.stream().flatMap(List::stream).noneMatch(m -> m.datacenter()
                        .equals(name.value()));
    }

    private DatacenterLine here(int nodes) {
        Map<NodeId, SortedMap<String, Double>> ownership = ownership();
        return new DatacenterLine(
                view.datacenter(),
                true,
                nodes,
                view.settledSpecVersion(cluster),
                null,
                null,
                view.nodesOf(cluster).stream()
                        .filter(n -> !n.hasLeft())
                        .map(n -> line(n, ownership))
                        .toList());
    }

    private DatacenterLine there(DatacenterName name, int nodes) {
        Observation<DatacenterReport> observation = view.peers().get(name);
        Optional<ClusterPart> part = view.lastPart(name, cluster);
        return new DatacenterLine(
                name,
                false,
                nodes,
                part.map(ClusterPart::settledSpecVersion).orElse(0L),
                observation == null ? "has not answered yet" : observation.silence(),
                observation == null || observation.silence() == null ? null : observation.at(),
                part.map(ClusterPart::nodes).orElse(List.of()).stream()
                        .map(n -> line(n, observation != null && observation.silence() != null))
                        .toList());
    }

    private NodeLine line(NodePart part, boolean silent) {
        return new NodeLine(
                part.node(),
                null,
                null,
                part.hostId(),
                part.storageEndpoint(),
                null,
                part.seed(),
                silent ? OperatingMode.UNKNOWN : part.mode(),
                silent ? "was " + part.mode() + " in the last report" : part.activity(),
                null,
                Map.of(),
                null,
                new TreeMap<>(),
                null,
                null,
                0,
                null);
    }

    /** The effective ownership of the members by keyspace. */
    private Map<NodeId, SortedMap<String, Double>> ownership() {
        List<NodeRecord> members = view.nodesOf(cluster).stream()
                .filter(n -> n.ownsRanges() && !n.hasLeft())
                .toList();
        Map<NodeId, SortedMap<String, Double>> ownership = new TreeMap<>();
        Ownership.of(view, cluster).byKeyspace(members).forEach((keyspace, shares) -> {
            for (int i = 0; i < members.size(); i++) {
                ownership
                        .computeIfAbsent(members.get(i).id(), n -> new TreeMap<>())
                        .put(keyspace, shares.get(i));
            }
        });
        return ownership;
    }

    private NodeLine line(NodeRecord node, Map<NodeId, SortedMap<String, Double>> ownership) {
        Optional<NodeStatus> status = view.status(node.id());
        RingView ring = status.map(NodeStatus::ring).orElse(null);
        return new NodeLine(
                node.id(),
                node.rack(),
                node.allocation().machine(),
                node.hostId(),
                Endpoints.of(view, node).orElse(null),
                Seeds.lacksData(view, cluster) ? null : contactPoint(node),
                Seeds.isDesignated(spec, node.id()),
                status.map(NodeStatus::mode)
                        .orElse(node.launched() && node.joined() ? OperatingMode.UNKNOWN : OperatingMode.DOWN),
                status.map(NodeStatus::activity).orElseGet(() -> silentActivity(node)),
                status.map(NodeStatus::since).orElse(observedAt(node)),
                stages(node, status),
                ring == null ? null : ring.loadBytes(),
                ownership.getOrDefault(node.id(), new TreeMap<>()),
                ring == null ? null : ring.releaseVersion(),
                ring == null ? null : ring.schemaVersion(),
                status.map(NodeStatus::appliedSpecVersion).orElse(0L),
                status.map(NodeStatus::problem).orElse(null));
    }

    private @Nullable String contactPoint(NodeRecord node) {
        return Endpoints.address(view, node.allocation())
                .map(a -> Endpoints.endpoint(a, node.allocation().ports().nativeTransport()))
                .orElse(null);
    }

    private @Nullable Instant observedAt(NodeRecord node) {
        Observation<NodeStatus> observation = view.statuses().get(node.id());
        return observation == null ? null : observation.at();
    }

    /** The activity of a node that does not report, from the pool and from the executor's silence. */
    private String silentActivity(NodeRecord node) {
        AllocationState state = view.allocations().get(node.allocation().id());
        if (state == null) {
            return view.poolSeen() ? "no allocation yet" : "the pool has not reported yet";
        }
        String detail = state.reason() == null ? "" : ": " + state.reason();
        Observation<NodeStatus> observation = view.statuses().get(node.id());
        String silence =
                observation == null || observation.silence() == null ? "" : "; silent: " + observation.silence();
        return "executor " + state.status().name().toLowerCase(Locale.ROOT) + detail + silence;
    }

    /**
     * The start-up stages of the newest start. An executor that reports a LAUNCH stage has restarted since the launch
     * that the record holds.
     */
    private static Map<Stage, Instant> stages(NodeRecord node, Optional<NodeStatus> status) {
        Map<Stage, Instant> stages =
                new TreeMap<>(status.map(NodeStatus::stages).orElse(Map.of()));
        if (stages.containsKey(Stage.LAUNCH)) {
            return stages;
        }
        if (node.reservedAt() != null) {
            stages.put(Stage.OFFER, node.reservedAt());
        }
        if (node.launchedAt() != null) {
            stages.put(Stage.LAUNCH, node.launchedAt());
        }
        return stages;
    }

    private List<String> schemas() {
        TreeSet<String> versions = new TreeSet<>();
        for (NodeRecord node : view.nodesOf(cluster)) {
            view.status(node.id()).map(NodeStatus::ring).ifPresent(ring -> {
                versions.add(ring.schemaVersion());
                ring.members().stream().filter(p -> p.isNormal()).forEach(p -> versions.add(p.schemaVersion()));
            });
        }
        return new ArrayList<>(versions);
    }
}
