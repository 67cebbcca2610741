package io.ringmaster.executor.identity;

import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.log.Log;
import io.ringmaster.host.FileTree;
import io.ringmaster.identity.EcKeys;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.TlsStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the node to the nodes of its cluster and to CQL clients. Its keys are made here and never leave this
 * machine: a server learns the public half from the status and sends certificates for it. The next key is in memory
 * only; it reaches the disk together with its certificates. Each file has its certificate and the key of that, so that
 * one that is damaged or cannot be renewed leaves the other in use.
 *
 * <p>Thread-safe. Nothing is read or made before the first use, which only a node with TLS has.
 */
public final class NodeIdentity {
    private final NodeFiles files;
    private final NodeId node;
    private final Runnable onChange;
    private final InstantSource clock;

    private @Nullable KeyPair next;
    private @Nullable HeldIdentity held;
    private @Nullable HeldCertificate cql;
    private boolean read;
    private @Nullable String unproven;
    private @Nullable String unprovenToClients;
    private @Nullable List<String> loaded;
    private boolean left;

    /** @param onChange runs after new certificates */
    public NodeIdentity(NodeFiles files, NodeId node, Runnable onChange) {
        this(files, node, onChange, InstantSource.system());
    }

    NodeIdentity(NodeFiles files, NodeId node, Runnable onChange, InstantSource clock) {
        this.files = files;
        this.node = node;
        this.onChange = onChange;
        this.clock = clock;
    }

    /** What servers need to know to give the node a certificate. */
    public synchronized TlsStatus status() {
        if (left) {
            return TlsStatus.UNUSED;
        }
        HeldIdentity now = held();
        HeldCertificate toClients = cql();
        List<String> trust = now == null ? List.of() : now.reportedTrust();
        return new TlsStatus(
                new PublicKeyPem(Pem.text(next().getPublic())),
                now == null ? null : now.node().reported(),
                trust,
                unproven,
                toClients == null ? null : toClients.reported(),
                true,
                null,
                unprovenToClients,
                loaded == null ? trust : loaded);
    }

    /** The node has left the ring for good: its keys and certificates are deleted, since its volume may be kept. */
    public synchronized void leave() {
        if (left) {
            return;
        }
        left = true;
        held = null;
        cql = null;
        next = null;
        try {
            FileTree.delete(files.identity());
        } catch (IOException e) {
            Log.error("cannot delete " + files.identity() + ", which holds a key", e);
        }
    }

    /**
     * Why no daemon can start with the certificates; empty if it can.
     *
     * @param forClients whether it needs one to CQL clients
     */
    public synchronized Optional<String> obstacle(NodeAddress address, boolean forClients) throws IOException {
        HeldIdentity now = held();
        Optional<String> toNodes = obstacle(now == null ? null : now.node(), address);
        return toNodes.isPresent() || !forClients ? toNodes : obstacle(cql(), address);
    }

    private Optional<String> obstacle(@Nullable HeldCertificate certificate, NodeAddress address) throws IOException {
        if (certificate == null) {
            return Optional.of("waits for its certificate from a server of " + node.datacenter());
        }
        if (clock.instant().isAfter(certificate.end())) {
            return Optional.of("waits for a certificate: the last one ended at " + certificate.end());
        }
        return certificate.isFor(InetAddress.getByName(address.advertise()))
                ? Optional.empty()
                : Optional.of("waits for a certificate for " + address.advertise() + ", its address since this launch");
    }

    /**
     * Takes certificates into use. The files change at once; a running daemon follows by {@link CertificateReload}. A
     * certificate that is refused or missing leaves the former one in use, and the other one is taken.
     *
     * @return why one is refused, or empty
     */
    public synchronized Optional<Problem> accept(IdentityUpdate update) throws IOException {
        if (left) {
            return Optional.of(
                    Problem.of(ErrorCode.VERSION_CONFLICT, node + " has left the ring and needs no certificate"));
        }
        PrivateKey key = next().getPrivate();
        Instant now = clock.instant();
        HeldIdentity freshToNodes = null;
        HeldCertificate freshToClients = null;
        Problem refusal = null;
        try {
            boolean expected = !update.chain().isEmpty() || update.cql().isEmpty();
            freshToNodes = expected ? HeldIdentity.of(update, key, node.cluster(), now) : null;
        } catch (PemException | CertificateException e) {
            refusal = refusal("chain", e);
        }
        try {
            freshToClients = update.cql().isEmpty() ? null : CqlCertificates.of(update.cql(), key, now);
        } catch (PemException | CertificateException e) {
            refusal = refusal == null ? refusal("cql", e) : refusal;
        }
        held();
        if (freshToNodes != null) {
            next = null;
            freshToNodes.write(files);
            held = freshToNodes;
            unproven = null;
            taken("", freshToNodes.node());
        }
        if (freshToClients != null) {
            next = null;
            CqlCertificates.write(freshToClients, files);
            cql = freshToClients;
            unprovenToClients = null;
            taken("for CQL clients ", freshToClients);
        }
        return Optional.ofNullable(refusal);
    }

    private void taken(String which, HeldCertificate certificate) {
        Log.info("has certificate " + which + certificate.serial() + ", valid until " + certificate.end());
        onChange.run();
    }

    private static Problem refusal(String field, Exception e) {
        return new Problem(
                ErrorCode.VERSION_CONFLICT,
                field,
                "cannot be used: " + ThrowableText.of(e),
                "read the status and issue a certificate for its public key");
    }

    /** The certificate to other nodes in the files, or null. */
    synchronized @Nullable HeldIdentity held() {
        if (!read) {
            read = true;
            try {
                held = HeldIdentity.read(files, node.cluster(), clock.instant()).orElse(null);
            } catch (IOException | CertificateException e) {
                Log.info("needs another certificate: " + ThrowableText.of(e));
            }
            try {
                cql = CqlCertificates.read(files, clock.instant()).orElse(null);
            } catch (IOException | CertificateException e) {
                Log.info("needs another certificate for CQL clients: " + ThrowableText.of(e));
            }
        }
        return held;
    }

    /** The certificate to CQL clients in its file, or null. */
    synchronized @Nullable HeldCertificate cql() {
        held();
        return cql;
    }

    /** @param reason why the daemon does not use the certificate to other nodes of the file, or null once it does */
    synchronized void unproven(@Nullable String reason) {
        unproven = reason;
    }

    /** @param reason the same of the certificate to CQL clients */
    synchronized void unprovenToClients(@Nullable String reason) {
        unprovenToClients = reason;
    }

    /** @param trust the authorities that the running daemon accepts, as reported; null while none runs */
    synchronized void loaded(@Nullable List<String> trust) {
        loaded = trust;
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
