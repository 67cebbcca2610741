package io.ringmaster.core.identity;

import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.command.Command.Certify.CqlLeaf;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.NodeRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The certificates that nodes need now: the first one, one for another address or from another authority, one before
 * the present one ends, and one when there are authorities that the node does not trust yet. The names in it come from
 * the records and the pool, and only the key from the node.
 */
public final class Leaves {
    private static final String LOOPBACK_NETWORK = "127.";
    private static final String LOOPBACK = "127.0.0.1";
    /** Renewals of nodes that started together are spread over this share of a certificate's life. */
    private static final double SPREAD = 1.0 / 12;

    private Leaves() {}

    /** The command that gives the node a certificate, if it needs one and can get it now. */
    public static Optional<Command> due(View view, NodeRecord node) {
        ClusterName cluster = node.id().cluster();
        TlsStatus tls = view.status(node.id()).map(NodeStatus::tls).orElse(null);
        PublicKeyPem key = tls == null ? null : tls.publicKey();
        AuthorityRecord authority =
                ClusterAuthorities.own(view, cluster, AuthorityUse.INTERNODE).orElse(null);
        String address = Endpoints.address(view, node.allocation()).orElse(null);
        if (tls == null || key == null || authority == null || address == null) {
            return Optional.empty();
        }
        LeafProfile profile = LeafProfile.internode(authority.name(), addresses(address));
        List<CertificatePem> trust = ClusterAuthorities.trust(view, cluster, AuthorityUse.INTERNODE);
        boolean due = tls.leaf() == null
                // a node that knows only some of the others could form a ring of its own
                ? ClusterAuthorities.unknown(view, cluster, AuthorityUse.INTERNODE)
                        .isEmpty()
                : isDue(view, node.id(), tls.leaf(), profile, authority.certificate()) || lacks(tls, trust);
        boolean needsCql = needsCql(view, node, tls);
        CqlLeaf cql = needsCql ? cqlLeaf(view, cluster, address).orElse(null) : null;
        boolean cqlDue = cql != null && isDue(view, node.id(), tls.cql(), cql.profile(), cql.authority());
        boolean together = needsCql && takesBothOrNeither(view, node, tls);
        boolean possible = !together || (cql != null && (due || tls.leaf() != null));
        if (!possible || !(due || cqlDue)) {
            return Optional.empty();
        }
        // each on its own, so that neither certificate is renewed again and again because of the other
        return Optional.of(new Command.Certify(
                node.id(),
                node.allocation(),
                key,
                due || together ? profile : null,
                trust,
                cqlDue || together ? cql : null,
                together));
    }

    /**
     * Whether the executor is of the first release with TLS for clients. That one deletes what is not sent, and refuses
     * what comes without a certificate to other nodes. Later ones report the TLS of their target.
     */
    private static boolean takesBothOrNeither(View view, NodeRecord node, TlsStatus tls) {
        return tls.target() == null
                && view.status(node.id()).filter(s -> s.generation() > 0).isPresent();
    }

    private static boolean needsCql(View view, NodeRecord node, TlsStatus tls) {
        return tls.knowsCql()
                && view.spec(node.cluster(), node.specVersion())
                        .filter(s -> s.spec().encryptsCql())
                        .isPresent();
    }

    /** Empty before the authority for clients is made. */
    private static Optional<CqlLeaf> cqlLeaf(View view, ClusterName cluster, String address) {
        return ClusterAuthorities.own(view, cluster, AuthorityUse.CLIENTS)
                .map(clients -> new CqlLeaf(LeafProfile.cql(clients.name(), List.of(address)), clients.certificate()));
    }

    private static boolean isDue(
            View view, NodeId node, TlsStatus.@Nullable Leaf leaf, LeafProfile profile, CertificatePem authority) {
        return leaf == null
                || !leaf.authority().equals(authority.digest())
                || !AddressText.same(leaf.addresses(), profile.hosts())
                || !view.now().isBefore(renewal(leaf, node));
    }

    /** Connections between nodes of one computer come from its loopback address, wherever the nodes listen there. */
    private static Set<String> addresses(String address) {
        return address.startsWith(LOOPBACK_NETWORK) ? Set.of(address, LOOPBACK) : Set.of(address);
    }

    /** What a node trusts beyond that is taken away with its next certificate, never by one of its own. */
    private static boolean lacks(TlsStatus tls, List<CertificatePem> trust) {
        Set<String> missing = trust.stream().map(CertificatePem::digest).collect(Collectors.toCollection(HashSet::new));
        missing.removeAll(tls.trust());
        return !missing.isEmpty();
    }

    /** When every node should have been given another certificate: after five sixths of the life of this one. */
    public static Instant overdue(TlsStatus.Leaf leaf) {
        Duration life = Duration.between(leaf.since(), leaf.end());
        return leaf.since().plus(life.multipliedBy(5).dividedBy(6));
    }

    /** After two thirds of the life, and at another time for each node. */
    static Instant renewal(TlsStatus.Leaf leaf, NodeId node) {
        Duration life = Duration.between(leaf.since(), leaf.end());
        long spread = (long) (life.toMillis() * SPREAD * Math.floorMod(node.hashCode(), 1000) / 1000);
        return leaf.since().plus(life.multipliedBy(2).dividedBy(3)).plusMillis(spread);
    }
}
