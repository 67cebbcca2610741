package io.ringmaster.simulator.mutation;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.record.SpecRecordBuilder;
import java.util.List;

/** The view from which a controller with a planted bug answers a node that asks for its seeds. */
public final class MutatedSeeds {
    private MutatedSeeds() {}

    public static View read(Mutation plant, View view, ClusterName cluster) {
        return plant == Mutation.PEERS_NOT_AWAITED
                ? view.targetSpec(cluster)
                        .map(s -> view.with(List.of(new Change.Put(ofReported(view, s)))))
                        .orElse(view)
                : view;
    }

    /** The spec without the datacenters that have not reported their nodes. */
    private static SpecRecord ofReported(View view, SpecRecord spec) {
        return SpecRecordBuilder.builder(spec)
                .spec(spec.spec()
                        .withDatacenters(spec.spec().datacenters().stream()
                                .filter(d -> isReported(view, spec.cluster(), d.name()))
                                .toList()))
                .build();
    }

    private static boolean isReported(View view, ClusterName cluster, DatacenterName datacenter) {
        return datacenter.equals(view.datacenter())
                || view.lastPart(datacenter, cluster)
                        .filter(p -> !p.nodes().isEmpty())
                        .isPresent();
    }
}
