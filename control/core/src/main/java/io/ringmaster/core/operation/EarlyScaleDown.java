package io.ringmaster.core.operation;

import io.ringmaster.core.safety.LostNode;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.DatacenterSpec;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether a cluster that was never created can do without nodes that its spec no longer names. One that was not
 * launched, or was lost before it joined, never joins. Any other one would be in the ring when clients are admitted,
 * who may need it as a replica before it has left.
 */
final class EarlyScaleDown {
    private EarlyScaleDown() {}

    /** One problem for each datacenter that cannot have fewer nodes yet. */
    static List<Problem> problems(View view, ClusterSpec spec) {
        return spec.datacenters().stream()
                .flatMap(d ->
                        mayJoin(view, spec, d)
                                .filter(n -> n.index() >= d.nodes())
                                .findFirst()
                                .map(n -> problem(d, n))
                                .stream())
                .toList();
    }

    /** In another datacenter only nodes that joined count; that server checks the rest itself. */
    private static Stream<NodeId> mayJoin(View view, ClusterSpec spec, DatacenterSpec datacenter) {
        return datacenter.name().equals(view.datacenter())
                ? view.nodesOf(spec.name()).stream()
                        .filter(n -> n.launched() && !LostNode.beforeCreation(view, n))
                        .map(NodeRecord::id)
                : view.lastPart(datacenter.name(), spec.name()).stream()
                        .flatMap(p -> p.nodes().stream())
                        .filter(NodePart::joined)
                        .map(NodePart::node);
    }

    private static Problem problem(DatacenterSpec datacenter, NodeId node) {
        return new Problem(
                ErrorCode.OPERATION_UNSAFE,
                "datacenters." + datacenter.name() + ".nodes",
                node.shortName() + " has joined the ring or may still join it, and can leave only a complete cluster",
                "keep " + (node.index() + 1) + " nodes until the cluster is created");
    }
}
