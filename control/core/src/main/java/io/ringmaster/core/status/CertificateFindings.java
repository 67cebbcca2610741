package io.ringmaster.core.status;

import io.ringmaster.core.identity.ClusterAuthorities;
import io.ringmaster.core.identity.Leaves;
import io.ringmaster.core.safety.ClearTextCheck;
import io.ringmaster.core.safety.StaleDecisionCheck;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that have no certificate for long, whose certificate was not renewed in time, whose daemon is not seen to use
 * the newest one, or whose executor starts them in clear text although the spec asks for TLS.
 */
final class CertificateFindings {
    /** The first certificate arrives seconds after a node asks for it. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private static final String TO_CLIENTS = " to CQL clients";

    private CertificateFindings() {}

    static List<Finding> of(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .flatMap(node -> Stream.concat(
                        clearText(view, node).stream(),
                        view.status(node.id()).map(NodeStatus::tls).stream().flatMap(tls -> Stream.of(
                                        missing(view, node, tls),
                                        unused(node, "", tls.problem()),
                                        unused(node, TO_CLIENTS, tls.cqlProblem()),
                                        ending(view, node, tls.leaf(), "", "other nodes"),
                                        ending(view, node, tls.cql(), TO_CLIENTS, "clients"))
                                .flatMap(Optional::stream))))
                .toList();
    }

    private static Optional<Finding> clearText(View view, NodeRecord node) {
        Optional<Problem> unknown = ClearTextCheck.unknown(view, node)
                .map(kind -> Problem.of(
                        ErrorCode.EXECUTOR_FAILED,
                        "its executor is of an earlier release, which does not know " + kind
                                + ", and starts it in clear text",
                        ClearTextCheck.update(node)));
        return unknown.or(() -> ClearTextCheck.refusal(view, node))
                .or(() -> ClearTextCheck.missing(view, node)
                        .map(kind -> Problem.of(
                                ErrorCode.EXECUTOR_FAILED,
                                "serves without " + kind + ": a server or an executor of an earlier release dropped it",
                                StaleDecisionCheck.whyHeldBack(view, node)
                                        .map(why -> "its target is sent again, but not yet: " + why
                                                + "; a node that does not return can be replaced meanwhile")
                                        .orElse("its target is sent again automatically, and restarts it"))))
                .map(problem -> new Finding(node.id().inCluster(), problem, null));
    }

    /** Since the node waits or, if it runs without a certificate in its file, since it runs. */
    private static Optional<Finding> missing(View view, NodeRecord node, TlsStatus tls) {
        boolean asks = tls.publicKey() != null;
        boolean toNodes = asks && tls.leaf() == null;
        boolean toClients = asks && tls.target() != null && tls.target().encryptsCql() && tls.cql() == null;
        return view.status(node.id())
                .map(NodeStatus::since)
                .filter(since -> (toNodes || toClients) && !view.now().isBefore(since.plus(LONG)))
                .map(since -> new Finding(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.CERTIFICATE_MISSING,
                                "has had no certificate to " + (toNodes ? "other nodes" : "CQL clients") + " since "
                                        + since,
                                toNodes ? whyNone(view, node) : log(view)),
                        since));
    }

    private static String whyNone(View view, NodeRecord node) {
        List<DatacenterName> unknown = ClusterAuthorities.unknown(view, node.cluster(), AuthorityUse.INTERNODE);
        return unknown.isEmpty()
                ? log(view)
                : "the authorities of " + unknown
                        + " are not known here: start their servers or update them, and apply the spec there";
    }

    private static String log(View view) {
        return "look for 'certificate' in the log of the server that leads " + view.datacenter()
                + "; it needs the authority's key in state_directory/authority";
    }

    private static Optional<Finding> unused(NodeRecord node, String which, @Nullable String problem) {
        return Optional.ofNullable(problem)
                .map(why -> new Finding(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.CERTIFICATE_REJECTED,
                                "is not seen to use its newest certificate" + which + ": " + why,
                                Advice.nodeLogs(node.id()).suffix("; a restart uses it")),
                        null));
    }

    private static Optional<Finding> ending(
            View view, NodeRecord node, TlsStatus.@Nullable Leaf certificate, String which, String others) {
        return Optional.ofNullable(certificate)
                .filter(leaf -> !view.now().isBefore(Leaves.overdue(leaf)))
                .map(leaf -> new Finding(
                        node.id().inCluster(),
                        Problem.of(
                                ErrorCode.CERTIFICATE_EXPIRING,
                                view.now().isBefore(leaf.end())
                                        ? "was not given another certificate" + which + "; its own ends at "
                                                + leaf.end()
                                        : "its certificate" + which + " ended at " + leaf.end() + ", and " + others
                                                + " refuse it",
                                log(view)),
                        leaf.end()));
    }
}
