package io.ringmaster.model.node;

import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.spec.TlsSpec;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys and certificates by which a node proves who it is to other nodes and to CQL clients. Private keys never
 * leave its machine.
 *
 * @param publicKey that the next certificate is issued for; null while the target asks for no TLS
 * @param leaf the certificate to other nodes, or null before the first
 * @param trust the authorities whose nodes it accepts, by the digest of their certificates, sorted
 * @param problem why the running daemon does not use its newest certificate to other nodes, or null
 * @param cql the certificate to CQL clients, or null
 * @param knowsCql whether the executor knows TLS for CQL clients; earlier releases do not
 * @param target where the target that the node follows asks for TLS; null before the first target, from earlier
 *     releases, and where a later one asks for more than this one knows
 * @param cqlProblem why the running daemon does not use its newest certificate to CQL clients, or null
 * @param loaded the authorities whose nodes the running daemon is proven to accept, sorted as {@code trust}; without a
 *     daemon those of {@code trust}, which the next one reads. Null from earlier releases
 */
public record TlsStatus(
        @Nullable PublicKeyPem publicKey,
        @Nullable Leaf leaf,
        List<String> trust,
        @Nullable String problem,
        @Nullable Leaf cql,
        boolean knowsCql,
        @Nullable TlsSpec target,
        @Nullable String cqlProblem,
        @Nullable List<String> loaded) {
    /** Of an executor that knows TLS, before its first target. */
    public static final TlsStatus UNUSED =
            new TlsStatus(null, null, List.of(), null, null, true, null, null, List.of());

    public TlsStatus {
        trust = List.copyOf(trust);
        loaded = loaded == null ? null : List.copyOf(loaded);
    }

    /** The status of a node that follows a target with this TLS. */
    public TlsStatus following(TlsSpec tls) {
        return new TlsStatus(publicKey, leaf, trust, problem, cql, knowsCql, tls, cqlProblem, loaded);
    }

    /**
     * A certificate of the node.
     *
     * @param serial its serial number in hexadecimal digits
     * @param authority that signed it, by the digest of that certificate
     * @param addresses that it is valid for, sorted
     * @param since when the node received it
     */
    public record Leaf(String serial, String authority, List<String> addresses, Instant since, Instant end) {
        public Leaf {
            addresses = List.copyOf(addresses);
        }
    }
}
