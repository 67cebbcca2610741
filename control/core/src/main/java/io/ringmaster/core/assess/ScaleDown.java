package io.ringmaster.core.assess;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether nodes that a spec no longer names can leave a live cluster: each replica needs a node of its own. */
public final class ScaleDown {
    private ScaleDown() {}

    /** Why nodes cannot leave, by datacenter; empty if they can, or if none leaves. */
    public static List<Problem> problems(View view, ClusterSpec spec) {
        List<Problem> problems = new ArrayList<>();
        for (DatacenterSpec datacenter : spec.datacenters()) {
            if (joined(view, spec.name(), datacenter.name()) > datacenter.nodes()) {
                whyNot(view, spec.name(), datacenter)
                        .ifPresent(why -> problems.add(new Problem(
                                ErrorCode.OPERATION_UNSAFE,
                                "datacenters." + datacenter.name() + ".nodes",
                                datacenter.nodes() + " are too few: " + why,
                                "keep more nodes, or first ALTER the keyspace to fewer replicas")));
            }
        }
        return problems;
    }

    private static long joined(View view, ClusterName cluster, DatacenterName datacenter) {
        return datacenter.equals(view.datacenter())
                ? view.nodesOf(cluster).stream()
                        .filter(n -> n.ownsRanges() && !n.leaving())
                        .count()
                : view.lastPart(datacenter, cluster).map(ClusterPart::nodes).orElse(List.of()).stream()
                        .filter(NodePart::joined)
                        .count();
    }

    private static Optional<String> whyNot(View view, ClusterName cluster, DatacenterSpec datacenter) {
        Replication replication = Replication.of(view, cluster, datacenter.name());
        if (!datacenter.name().equals(view.datacenter())) {
            return replication.whyNotWith(datacenter.nodes());
        }
        List<NodeRecord> staying = view.nodesOf(cluster).stream()
                .filter(n -> !n.leaving() && n.id().index() < datacenter.nodes())
                .toList();
        return replication
                .whyNotWith(datacenter.nodes())
                .or(() -> replication.whyNotOver(
                        (int) staying.stream().map(NodeRecord::rack).distinct().count()));
    }
}
