package io.ringmaster.core.lock;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.DatacenterReport.ClusterPart;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The order in which the datacenters of a live cluster take turns. */
public final class DatacenterOrder {
    private DatacenterOrder() {}

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

    /** Why a datacenter earlier in the order has not settled a version yet; empty when it has. */
    public static Optional<String> whyNotSettled(
            View view, ClusterName cluster, long specVersion, DatacenterName earlier) {
        Optional<String> silence = view.silence(earlier);
        if (silence.isPresent()) {
            return Optional.of(silence.get() + "; its turn comes first");
        }
        long settled = settledSpecVersion(view, cluster, earlier);
        if (settled >= specVersion) {
            return Optional.empty();
        }
        String unplanned =
                view.lastPart(earlier, cluster).map(ClusterPart::unplanned).orElse(null);
        return Optional.of("it is the turn of " + earlier + ", which stands at version " + settled + " of "
                + specVersion + (unplanned == null ? "" : " and cannot plan: " + unplanned));
    }

    /** The newest version that the datacenter reported as settled; 0 when it reported none. */
    public static long settledSpecVersion(View view, ClusterName cluster, DatacenterName datacenter) {
        return view.lastPart(datacenter, cluster)
                .map(ClusterPart::settledSpecVersion)
                .orElse(0L);
    }
}
