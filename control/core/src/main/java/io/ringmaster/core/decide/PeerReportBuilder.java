package io.ringmaster.core.decide;

import io.ringmaster.core.assess.RepairAges;
import io.ringmaster.core.identity.ClusterAuthorities;
import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.safety.ClearTextCheck;
import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.safety.StaleDecisionCheck;
import io.ringmaster.core.safety.TrustCheck;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.DatacenterReportClusterPartBuilder;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds this datacenter's report to its peers. */
public final class PeerReportBuilder {
    private PeerReportBuilder() {}

    public static DatacenterReport of(View view, Collection<ClusterPart> parts) {
        return new DatacenterReport(
                view.datacenter(),
                view.serverUrls(),
                view.machines().size(),
                view.now(),
                List.copyOf(parts),
                List.copyOf(view.apiTokens().values()));
    }

    /** The report on one cluster; empty if no cluster of this name is declared here. */
    public static Optional<ClusterPart> part(View view, ClusterName name, @Nullable UnplannableSpec unplanned) {
        ClusterRecord cluster = view.clusters().get(name);
        return cluster == null
                ? Optional.empty()
                : view.targetSpec(name).map(spec -> part(view, cluster, spec, unplanned));
    }

    /** Whether two reports differ only in their time, so that peers need no new one. */
    public static boolean equalExceptTime(DatacenterReport one, DatacenterReport other) {
        return one.withTime(Instant.EPOCH).equals(other.withTime(Instant.EPOCH));
    }

    /** The part of a report that must survive a restart: everything but the present state of nodes. */
    public static DatacenterReport persistent(DatacenterReport report) {
        List<ClusterPart> parts = report.clusters().stream()
                .map(c -> DatacenterReportClusterPartBuilder.builder(c)
                        .unplanned(null)
                        .trust(List.of())
                        .nodes(c.nodes().stream()
                                .map(n -> new NodePart(
                                        n.node(),
                                        n.hostId(),
                                        n.storageEndpoint(),
                                        n.seed(),
                                        n.joined(),
                                        OperatingMode.UNKNOWN,
                                        "",
                                        null))
                                .toList())
                        .build())
                .toList();
        return report.withClusters(parts);
    }

    private static ClusterPart part(
            View view, ClusterRecord cluster, SpecRecord spec, @Nullable UnplannableSpec unplanned) {
        return new ClusterPart(
                cluster.name(),
                spec,
                cluster.created() && !cluster.deleting(),
                cluster.restored() && !cluster.deleting(),
                cluster.deleting(),
                cluster.destroyData(),
                view.settledSpecVersion(cluster.name()),
                unplanned == null
                        ? null
                        : String.join(
                                "; ",
                                unplanned.problems().stream().map(Problem::line).toList()),
                view.nodesOf(cluster.name()).stream()
                        .filter(n -> !n.hasLeft())
                        .map(n -> part(view, spec, n))
                        .toList(),
                view.requests().values().stream()
                        .filter(r -> r.request().cluster().equals(cluster.name()))
                        .toList(),
                RepairAges.here(view, cluster.name()).orElse(null),
                authority(view, cluster, AuthorityUse.INTERNODE),
                authority(view, cluster, AuthorityUse.CLIENTS),
                TrustCheck.reported(view, cluster.name()));
    }

    private static List<AuthorityRecord> authority(View view, ClusterRecord cluster, AuthorityUse use) {
        return ClusterAuthorities.own(view, cluster.name(), use).stream().toList();
    }

    /**
     * A node that has not applied its newest target is about to change and is not reported NORMAL, unless it waits for
     * another node's change. One that is to leave does so as soon as it sees every member up.
     */
    private static NodePart part(View view, SpecRecord spec, NodeRecord node) {
        Optional<NodeStatus> status = view.status(node.id());
        boolean settled = status.filter(s -> s.generation() >= node.generation()
                                && s.appliedSpecVersion() == node.specVersion()
                                && s.appliedRestarts() >= node.restarts())
                        .isPresent()
                && ClearTextCheck.missing(view, node).isEmpty();
        boolean aboutToChange = (!settled || node.leaving())
                && status.map(s -> s.mode() == OperatingMode.NORMAL).orElse(false)
                && !StaleDecisionCheck.isOutOfTurn(view, node);
        return new NodePart(
                node.id(),
                node.hostId(),
                Endpoints.forOthers(view, node).orElse(null),
                Seeds.isDesignated(spec.spec(), node.id()),
                node.joined(),
                aboutToChange
                        ? OperatingMode.UNKNOWN
                        : status.map(NodeStatus::mode).orElseGet(() -> silentMode(view, node)),
                aboutToChange
                        ? NodePart.APPLYING
                        : status.map(NodeStatus::activity).orElse("its executor does not answer"),
                status.map(NodeStatus::ring).map(RingView::loadBytes).orElse(null));
    }

    /** A launched joining node may join before its executor reports; on a machine that is gone it cannot. */
    private static OperatingMode silentMode(View view, NodeRecord node) {
        boolean joins = node.launched() && !node.joined() && !LostNode.isMachineAway(view, node.allocation());
        return joins ? OperatingMode.LAUNCHED : OperatingMode.UNKNOWN;
    }
}
