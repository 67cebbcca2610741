package io.ringmaster.executor.identity;

import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.identity.EcKeys;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.TlsStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the node to the nodes of its cluster and to CQL clients. Its keys are made here and never leave this
 * machine: a server learns the public half from the status and sends certificates for it. The next key is in memory
 * only; it reaches the disk together with its certificates, so that the files always fit each other.
 *
 * <p>Thread-safe. Nothing is read or made before the first use, which only a node with TLS has.
 */
public final class NodeIdentity {
    private final NodeFiles files;
    private final NodeId node;
    private final Runnable onChange;

    private @Nullable KeyPair next;
    private @Nullable HeldIdentity held;
    private boolean read;
    private @Nullable String unproven;

    /** @param onChange runs after new certificates */
    public NodeIdentity(NodeFiles files, NodeId node, Runnable onChange) {
        this.files = files;
        this.node = node;
        this.onChange = onChange;
    }

    /** What servers need to know to give the node a certificate. */
    public synchronized TlsStatus status() {
        HeldIdentity now = held();
        return new TlsStatus(
                new PublicKeyPem(Pem.text(next().getPublic())),
                now == null ? null : now.node().reported(),
                now == null ? List.of() : now.reportedTrust(),
                unproven,
                now == null || now.cql() == null ? null : now.cql().reported(),
                true,
                null);
    }

    /**
     * Why no daemon can start with the certificates; empty if it can.
     *
     * @param forClients whether it needs one to CQL clients
     */
    public synchronized Optional<String> obstacle(NodeAddress address, boolean forClients) throws IOException {
        HeldIdentity now = held();
        Optional<String> toNodes = obstacle(now == null ? null : now.node(), address);
        return toNodes.isPresent() || !forClients ? toNodes : obstacle(now == null ? null : now.cql(), address);
    }

    private Optional<String> obstacle(@Nullable HeldCertificate certificate, NodeAddress address) throws IOException {
        if (certificate == null) {
            return Optional.of("waits for its certificate from a server of " + node.datacenter());
        }
        if (Instant.now().isAfter(certificate.end())) {
            return Optional.of("waits for a certificate: the last one ended at " + certificate.end());
        }
        return certificate.isFor(InetAddress.getByName(address.advertise()))
                ? Optional.empty()
                : Optional.of("waits for a certificate for " + address.advertise() + ", its address since this launch");
    }

    /**
     * Takes certificates into use. The files change at once; a running daemon follows by {@link CertificateReload}.
     *
     * @return why they are refused, or empty
     */
    public synchronized Optional<Problem> accept(IdentityUpdate update) throws IOException {
        HeldIdentity fresh;
        try {
            fresh = HeldIdentity.of(update, next().getPrivate(), node.cluster(), Instant.now());
        } catch (PemException | CertificateException e) {
            return Optional.of(new Problem(
                    ErrorCode.VERSION_CONFLICT,
                    "chain",
                    "cannot be used: " + e.getMessage(),
                    "read the status and issue a certificate for its public key"));
        }
        fresh.write(files);
        held = fresh;
        read = true;
        next = null;
        Log.info("has certificate " + fresh.node().serial() + ", valid until "
                + fresh.node().end());
        onChange.run();
        return Optional.empty();
    }

    /** The certificates in the files, or null. */
    synchronized @Nullable HeldIdentity held() {
        if (!read) {
            read = true;
            try {
                held = HeldIdentity.read(files, node.cluster(), Instant.now()).orElse(null);
            } catch (IOException | CertificateException e) {
                Log.info("needs another certificate: " + e.getMessage());
            }
        }
        return held;
    }

    /** @param reason why the daemon does not use the certificates of the files, or null once it does */
    synchronized void unproven(@Nullable String reason) {
        unproven = reason;
    }

    private KeyPair next() {
        KeyPair known = next;
        if (known == null) {
            known = EcKeys.generate();
            next = known;
        }
        return known;
    }
}
