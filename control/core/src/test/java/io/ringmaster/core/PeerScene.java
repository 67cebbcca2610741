package io.ringmaster.core;

import io.ringmaster.core.view.Observation;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.DatacenterReportClusterPartBuilder;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.record.SpecRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The report of dc2 on its part of the cluster {@code rides}. */
final class PeerScene {
    private final TreeMap<DatacenterName, Observation<DatacenterReport>> sightings = new TreeMap<>();

    Map<DatacenterName, Observation<DatacenterReport>> sightings() {
        return sightings;
    }

    /** @param spec the version of dc2 */
    void reports(int nodesPlaced, SpecRecord spec, long settled, boolean joined, @Nullable String unplanned) {
        List<NodePart> parts = new ArrayList<>();
        for (int i = 0; i < nodesPlaced; i++) {
            NodeId id = new NodeId(Scene.RIDES, Samples.DC2, i);
            parts.add(new NodePart(
                    id,
                    null,
                    Scene.remoteEndpoint(i),
                    i < 2,
                    joined,
                    OperatingMode.NORMAL,
                    "",
                    joined ? 1L << 30 : null));
        }
        says(new DatacenterReport(
                Samples.DC2,
                List.of(),
                3,
                Scene.NOW,
                List.of(new ClusterPart(
                        Scene.RIDES, spec, joined, false, false, settled, unplanned, parts, List.of()))));
    }

    void node(int index, boolean joined, OperatingMode mode) {
        change(part -> {
            List<NodePart> parts = new ArrayList<>(part.nodes());
            NodePart known = parts.get(index);
            parts.set(index, new NodePart(known.node(), known.storageEndpoint(), known.seed(), joined, mode, "busy"));
            return with(part, parts, part.repaired());
        });
    }

    void repaired(Instant oldest) {
        change(part -> with(part, part.nodes(), oldest));
    }

    void request(RequestRecord record) {
        change(part -> DatacenterReportClusterPartBuilder.builder(part)
                .requests(List.of(record))
                .build());
    }

    void restored() {
        change(part ->
                DatacenterReportClusterPartBuilder.builder(part).restored(true).build());
    }

    /** Its nodes have joined, and the cluster is not created. */
    void uncreated() {
        change(part ->
                DatacenterReportClusterPartBuilder.builder(part).created(false).build());
    }

    void silent() {
        silent(Scene.NOW.minus(Duration.ofMinutes(1)));
    }

    /** @param since the time of its last report */
    void silent(Instant since) {
        Observation<DatacenterReport> known = sightings.get(Samples.DC2);
        sightings.put(Samples.DC2, new Observation<>(known == null ? null : known.last(), since, "unreachable"));
    }

    private void change(UnaryOperator<ClusterPart> how) {
        DatacenterReport report =
                Optional.ofNullable(sightings.get(Samples.DC2).last()).orElseThrow();
        says(new DatacenterReport(
                report.datacenter(),
                report.servers(),
                report.machines(),
                report.at(),
                List.of(how.apply(report.clusters().get(0)))));
    }

    private void says(DatacenterReport report) {
        sightings.put(Samples.DC2, new Observation<>(report, Scene.NOW, null));
    }

    private static ClusterPart with(ClusterPart part, List<NodePart> nodes, @Nullable Instant oldest) {
        return DatacenterReportClusterPartBuilder.builder(part)
                .nodes(nodes)
                .requests(List.of())
                .repaired(oldest)
                .build();
    }
}
