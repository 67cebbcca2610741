package io.ringmaster.simulator.world;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.TlsStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of a node to other nodes, the authorities that it was given, and those that its daemon has loaded. A
 * node in clear text has none of them.
 */
final class SimIdentity {
    /** No history is that long: certificates are not renewed here. */
    private static final Duration LIFE = Duration.ofDays(30);

    private final String name;
    private int key = 1;
    private TlsStatus.@Nullable Leaf leaf;
    private List<String> trust = List.of();
    private @Nullable List<String> loaded;

    /** @param name of the allocation */
    SimIdentity(String name) {
        this.name = name;
    }

    /** Keys are words in a simulation. */
    static CertificatePem certificate(AuthorityName authority) {
        return new CertificatePem("certificate of " + authority);
    }

    private PublicKeyPem next() {
        return new PublicKeyPem("key " + key + " of " + name);
    }

    /** @return false for a certificate to a former key, as a deposed leader sends it late */
    boolean accept(Command.Certify update, Instant now) {
        if (!update.publicKey().equals(next()) || update.profile() == null) {
            return false;
        }
        key++;
        leaf = new TlsStatus.Leaf(
                String.valueOf(key),
                certificate(update.profile().authority()).digest(),
                update.profile().hosts(),
                now,
                now.plus(LIFE));
        trust = update.trust().stream().map(CertificatePem::digest).sorted().toList();
        return true;
    }

    /** Whether a daemon at this address can start with the certificate. */
    boolean isFor(@Nullable String address) {
        return leaf != null && address != null && leaf.addresses().contains(address);
    }

    void daemonStarts() {
        loaded = leaf == null ? null : trust;
    }

    void daemonEnds() {
        loaded = null;
    }

    /** Whether the daemon has files that it has not read. */
    boolean isStale() {
        return loaded != null && !loaded.equals(trust);
    }

    /** Whether the running daemon takes the certificate of the other one. */
    boolean accepts(SimIdentity other) {
        return loaded == null || other.leaf == null || loaded.contains(other.leaf.authority());
    }

    TlsStatus status(@Nullable NodeTarget target) {
        if (target == null || !target.requiresInternodeTls()) {
            return target == null ? TlsStatus.UNUSED : TlsStatus.UNUSED.following(target.wantedTls());
        }
        return new TlsStatus(
                next(),
                leaf,
                trust,
                null,
                null,
                true,
                target.wantedTls(),
                null,
                Objects.requireNonNullElse(loaded, trust));
    }
}
