package io.ringmaster.core.lock;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.SpecRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The order in which the datacenters of a live cluster apply a spec and run operations. */
public final class DatacenterOrder {
    private DatacenterOrder() {}

    /**
     * The datacenters of the spec, in its order, then, by name, those that the spec no longer names and that still
     * have nodes. Among the latter a silent one is left out: it may be gone for good, and it starts nothing before
     * the datacenters ahead of it.
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

    /** Whether the peer has nodes in this ring; a deleted cluster of the same name is another one. */
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
            return Optional.of(silence.get() + "; " + earlier + " applies version " + specVersion + " first");
        }
        long settled = settledSpecVersion(view, cluster, earlier);
        if (settled >= specVersion) {
            return Optional.empty();
        }
        String unplanned =
                view.lastPart(earlier, cluster).map(ClusterPart::unplanned).orElse(null);
        return Optional.of(earlier + " applies version " + specVersion + " first; it has settled "
                + (settled == 0 ? "none" : "version " + settled)
                + (unplanned == null ? "" : " and cannot plan: " + unplanned));
    }

    /** The newest version that the datacenter reported as settled; 0 when it reported none. */
    public static long settledSpecVersion(View view, ClusterName cluster, DatacenterName datacenter) {
        return view.lastPart(datacenter, cluster)
                .map(ClusterPart::settledSpecVersion)
                .orElse(0L);
    }
}
