package io.ringmaster.core.safety;

import io.ringmaster.core.identity.ClusterAuthorities;
import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReport.TrustPart;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.SpecRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A datacenter that joins a created cluster with TLS has an authority that the running nodes do not know. A node of it
 * would be refused by each of them that has not loaded the authority, and lose what that one writes to it. So its first
 * node waits until every node of the others has.
 *
 * <p>A node that is down is awaited, too, while its executor does not answer: its certificate is valid, so it may come
 * back without a server and with the authorities of before.
 */
public final class TrustCheck {
    private TrustCheck() {}

    /** Each authority that is known here, and the first node here that does not accept its nodes. */
    public static List<TrustPart> reported(View view, ClusterName cluster) {
        Stream<TrustPart> internode = ClusterAuthorities.trust(view, cluster, AuthorityUse.INTERNODE).stream()
                .map(ca -> new TrustPart(ca.digest(), missing(view, cluster, ca.digest())));
        Stream<TrustPart> clients = ClusterAuthorities.trust(view, cluster, AuthorityUse.CLIENTS).stream()
                .map(ca -> new TrustPart(ca.digest(), null));
        return Stream.concat(internode, clients).toList();
    }

    private static @Nullable String missing(View view, ClusterName cluster, String authority) {
        return view.nodesOf(cluster).stream()
                .filter(n -> n.joined() || n.launched())
                .filter(n -> !n.hasLeft())
                .flatMap(n -> whyNotLoaded(view, n, authority).map(why -> n.id().shortName() + " " + why).stream())
                .findFirst()
                .orElse(null);
    }

    private static Optional<String> whyNotLoaded(View view, NodeRecord node, String authority) {
        Optional<NodeStatus> status = view.status(node.id());
        if (status.isEmpty()) {
            return Optional.of("has not: its executor does not answer");
        }
        TlsStatus tls = status.get().tls();
        if (tls == null || tls.loaded() == null) {
            return Optional.of(
                    "has an executor of an earlier release, which does not report it: " + ClearTextCheck.update(node));
        }
        if (tls.loaded().contains(authority)) {
            return Optional.empty();
        }
        if (!tls.trust().contains(authority)) {
            return Optional.of("has not received it");
        }
        return Optional.of(
                tls.problem() == null
                        ? "has received it, and is " + status.get().mode()
                        : "is not seen to use its newest certificate: " + tls.problem());
    }

    /** Why no node of this datacenter, which is new to the cluster, may start; empty for any other node. */
    static Optional<String> beforeFirstNode(View view, NodeRecord node) {
        ClusterName cluster = node.cluster();
        Optional<ClusterSpec> spec =
                view.targetSpec(cluster).map(SpecRecord::spec).filter(ClusterSpec::requiresInternodeTls);
        boolean isFirst = !node.launched()
                && Seeds.created(view, cluster)
                && view.nodesOf(cluster).stream().noneMatch(NodeRecord::joined);
        if (spec.isEmpty() || !isFirst) {
            return Optional.empty();
        }
        for (AuthorityUse use : ClusterAuthorities.uses(spec.get())) {
            Optional<String> reason = unknown(view, cluster, use);
            if (reason.isPresent()) {
                return reason;
            }
        }
        return ClusterAuthorities.members(view, cluster).stream()
                .flatMap(member -> untrusted(view, cluster, member).stream())
                .findFirst();
    }

    private static Optional<String> unknown(View view, ClusterName cluster, AuthorityUse use) {
        if (ClusterAuthorities.own(view, cluster, use).isEmpty()) {
            return Optional.of(noAuthority(view.datacenter(), cluster, use));
        }
        return ClusterAuthorities.unknown(view, cluster, use).stream()
                .findFirst()
                .map(d -> noAuthority(d, cluster, use));
    }

    private static String noAuthority(DatacenterName datacenter, ClusterName cluster, AuthorityUse use) {
        return datacenter + " has no authority for " + use.label() + " of " + cluster + " yet";
    }

    private static Optional<String> untrusted(View view, ClusterName cluster, DatacenterName member) {
        Optional<String> silence = view.silence(member);
        if (silence.isPresent()) {
            return silence.map(s -> s + "; its nodes must trust those of " + view.datacenter() + " first");
        }
        List<TrustPart> trust =
                view.lastPart(member, cluster).map(ClusterPart::trust).orElse(List.of());
        if (trust.isEmpty()) {
            return Optional.of("the server of " + member
                    + " does not report which authorities its nodes trust: it is of" + " an earlier release");
        }
        return ClusterAuthorities.own(view, cluster).stream()
                .flatMap(own -> untrusted(view, member, own, trust).stream())
                .findFirst();
    }

    private static Optional<String> untrusted(
            View view, DatacenterName member, AuthorityRecord own, List<TrustPart> trust) {
        String authority = "the authority of " + view.datacenter() + " for "
                + own.name().use().label();
        Optional<TrustPart> part = trust.stream()
                .filter(t -> t.authority().equals(own.certificate().digest()))
                .findFirst();
        return part.isEmpty()
                ? Optional.of("the server of " + member + " has not received " + authority)
                : Optional.ofNullable(part.get().missing())
                        .map(why -> "every node must load " + authority + ": " + member + " " + why);
    }
}
