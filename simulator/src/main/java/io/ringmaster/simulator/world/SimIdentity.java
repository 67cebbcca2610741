package io.ringmaster.simulator.world;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.spec.TlsSpec;
import io.ringmaster.simulator.mutation.Mutation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys and certificates of a node, on its volume, and the authorities whose nodes its running daemon accepts. */
public final class SimIdentity {
    /** Short enough that certificates are renewed in a run. */
    private static final Duration LIFE = Duration.ofMinutes(6);

    private static final int RETRY_MILLIS = 1000;

    private final World world;
    private final SimNode node;
    private int keys = 1;
    private TlsStatus.@Nullable Leaf leaf;
    private TlsStatus.@Nullable Leaf cql;
    /** The authorities in the files. */
    private List<String> trust = List.of();

    /** Those that the daemon has read. */
    private List<String> loaded = List.of();

    SimIdentity(World world, SimNode node) {
        this.world = world;
        this.node = node;
    }

    /** The certificate of an authority, which only that one has. */
    public static CertificatePem certificate(AuthorityName authority) {
        return new CertificatePem("certificate of " + authority);
    }

    /** What the executor reports; null if it does not know TLS, as below the seeds with it. */
    @Nullable
    TlsStatus status(@Nullable NodeTarget target) {
        if (!world.knowsTls()) {
            return null;
        }
        TlsSpec wanted = target == null ? null : target.wantedTls();
        if (wanted == null || wanted.equals(TlsSpec.OFF) || node.left()) {
            return wanted == null ? TlsStatus.UNUSED : TlsStatus.UNUSED.following(wanted);
        }
        boolean early = world.planted() == Mutation.TRUST_NOT_LOADED;
        return new TlsStatus(
                new PublicKeyPem(key()),
                leaf,
                trust,
                null,
                cql,
                true,
                wanted,
                null,
                early || !node.daemon().isUp() ? trust : loaded);
    }

    private String key() {
        return "key " + keys + " of " + node.name();
    }

    /** The executor receives certificates. One for another key than the next one is of no use. */
    public void take(Command.Certify command) {
        if (!command.publicKey().text().equals(key())) {
            return;
        }
        LeafProfile internode = command.profile();
        if (internode != null) {
            leaf = issued(internode);
            trust = command.trust().stream()
                    .map(CertificatePem::digest)
                    .sorted()
                    .toList();
            if (world.planted() != Mutation.TRUST_NOT_LOADED) {
                world.clock().after(world.random().between(50, 2000), this::load);
            }
        }
        if (command.cql() != null) {
            cql = issued(command.cql().profile());
        }
        keys++;
        node.executor().advance();
    }

    private TlsStatus.Leaf issued(LeafProfile profile) {
        return new TlsStatus.Leaf(
                Integer.toHexString(keys),
                certificate(profile.authority()).digest(),
                profile.hosts(),
                world.now(),
                world.now().plus(LIFE));
    }

    /** The daemon reads the files without a restart, once its executor runs and it answers. */
    private void load() {
        if (node.isReleased() || node.left()) {
            return;
        }
        if (node.executor().isUp() && !node.daemon().isSuspended()) {
            loaded = trust;
        } else {
            world.clock().after(RETRY_MILLIS, this::load);
        }
    }

    /** The daemon starts, and reads the files. */
    void started() {
        loaded = trust;
    }

    /** Why no daemon can start for the target. */
    Optional<String> obstacle(NodeTarget target) {
        boolean lacks = (target.requiresInternodeTls() && !fits(leaf))
                || (target.wantedTls().encryptsCql() && !fits(cql));
        return lacks ? Optional.of("waits for its certificate") : Optional.empty();
    }

    private boolean fits(TlsStatus.@Nullable Leaf certificate) {
        String address = node.place().address();
        return certificate != null
                && address != null
                && certificate.addresses().contains(address)
                && world.now().isBefore(certificate.end());
    }

    /** Whether its daemon accepts the other node, if both need TLS between nodes. */
    public boolean accepts(SimNode other) {
        TlsStatus.Leaf shown = other.identity().leaf;
        return leaf == null || shown == null || loaded.contains(shown.authority());
    }

    /** Why its certificates are not those that the target asks for, in the end. */
    public Optional<String> missing(NodeTarget target) {
        return obstacle(target)
                .map(why -> node.name() + " " + why)
                .or(() -> target.requiresInternodeTls() && !loaded.equals(trust)
                        ? Optional.of(node.name() + " has not loaded its newest certificate")
                        : Optional.empty());
    }
}
