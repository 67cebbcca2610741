package io.ringmaster.simulator.mutation;

import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReportClusterPartBuilder;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.request.RequestPart.State;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The reports of other datacenters, as a controller with a planted bug reads them. */
public final class MutatedReports {
    private MutatedReports() {}

    /** @param known the requests that the receiving datacenter has in its store */
    public static DatacenterReport read(Mutation plant, DatacenterReport report, Supplier<Set<RequestId>> known) {
        return switch (plant) {
            case REQUEST_REPLAYED -> withoutEnds(report, known.get());
            case RESTORE_ELSEWHERE_IGNORED -> restored(report);
            default -> report;
        };
    }

    /** Does not read how far a request is elsewhere, when it is received. */
    private static DatacenterReport withoutEnds(DatacenterReport report, Set<RequestId> known) {
        List<ClusterPart> parts = report.clusters().stream()
                .map(c -> with(
                        c,
                        c.requests().stream()
                                .map(r -> known.contains(r.request().id()) ? r : waiting(r))
                                .toList()))
                .toList();
        return report.withClusters(parts);
    }

    /** Every datacenter seems to have imported its rows. */
    private static DatacenterReport restored(DatacenterReport report) {
        return report.withClusters(report.clusters().stream()
                .map(c -> DatacenterReportClusterPartBuilder.builder(c)
                        .restored(true)
                        .build())
                .toList());
    }

    private static RequestRecord waiting(RequestRecord record) {
        RequestPart part = record.part();
        return new RequestRecord(
                record.request(), new RequestPart(State.WAITING, null, part.since(), "planted: not read"));
    }

    private static ClusterPart with(ClusterPart part, List<RequestRecord> requests) {
        return DatacenterReportClusterPartBuilder.builder(part)
                .requests(requests)
                .build();
    }
}
