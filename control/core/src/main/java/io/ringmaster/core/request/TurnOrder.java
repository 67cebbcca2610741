package io.ringmaster.core.request;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.stream.Stream;

/** The order in which the datacenters of a live cluster take turns. */
public final class TurnOrder {
    private TurnOrder() {}

    /**
     * Those that the spec names, in its order, then those that it names no more and that still have nodes, by name. Of the latter a silent
     * one is left out: it may have been given up for good, and begins nothing without those before it.
     */
    public static List<DatacenterName> of(View view, SpecRecord spec) {
        List<DatacenterName> named = spec.spec().datacenterNames();
        Stream<DatacenterName> here =
                view.nodesOf(spec.cluster()).isEmpty() ? Stream.empty() : Stream.of(view.datacenter());
        Stream<DatacenterName> elsewhere = view.peers().keySet().stream()
                .filter(d -> view.silence(d).isEmpty())
                .filter(d -> view.lastPart(d, spec.cluster())
                        .filter(p -> isMember(p, spec))
                        .isPresent());
        return Stream.concat(
                        named.stream(),
                        Stream.concat(here, elsewhere)
                                .filter(d -> !named.contains(d))
                                .sorted())
                .toList();
    }

    /** What was deleted under the same name has no part in the ring. */
    private static boolean isMember(ClusterPart part, SpecRecord spec) {
        return !part.deleting()
                && part.spec().isSameCluster(spec)
                && !part.nodes().isEmpty();
    }
}
