package io.ringmaster.core.status;

import io.ringmaster.core.identity.Leaves;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.NodeRecord;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Nodes whose certificate was not renewed in time, or whose daemon does not use the newest one. */
final class CertificateFindings {
    private CertificateFindings() {}

    static List<Finding> of(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(node -> view.status(node.id()).map(NodeStatus::tls).stream()
                        .flatMap(tls -> Stream.concat(unused(node, tls).stream(), ending(view, node, tls).stream())))
                .toList();
    }

    private static Optional<Finding> unused(NodeRecord node, TlsStatus tls) {
        return Optional.ofNullable(tls.problem())
                .map(why -> new Finding(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.CERTIFICATE_REJECTED,
                                "does not use its newest certificate: " + why,
                                Advice.nodeLogs(node.id()).suffix("; a restart uses it")),
                        null));
    }

    private static Optional<Finding> ending(View view, NodeRecord node, TlsStatus tls) {
        return Stream.of(Optional.ofNullable(tls.leaf()), Optional.ofNullable(tls.cql()))
                .flatMap(Optional::stream)
                .min(Comparator.comparing(TlsStatus.Leaf::end))
                .filter(leaf -> !view.now().isBefore(Leaves.overdue(leaf)))
                .map(leaf -> new Finding(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.CERTIFICATE_EXPIRING,
                                view.now().isBefore(leaf.end())
                                        ? "was not given another certificate; its own ends at " + leaf.end()
                                        : "its certificate ended at " + leaf.end() + ", and other nodes refuse it",
                                "look for 'certificate' in the log of the server that leads " + view.datacenter()
                                        + "; it needs the authority's key in state_directory/authority"),
                        leaf.end()));
    }
}
