package io.ringmaster.authority;

import io.ringmaster.identity.EcKeys;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.PemException;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.UnusableAuthorityException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Authorities whose keys are files of this server. Keys are read for each certificate, so that a directory that was
 * restored counts at once.
 */
public final class Issuer implements Authorities {
    private final AuthorityDirectory directory;
    private final AuthorityName control;
    private final Duration life;
    private final Clock clock;
    private @Nullable Set<Path> former;

    /**
     * @param control the authority of this datacenter's servers and executors
     * @param life how long issued certificates are valid
     */
    public Issuer(AuthorityDirectory directory, AuthorityName control, Duration life, Clock clock) {
        this.directory = directory;
        this.control = control;
        this.life = life;
        this.clock = clock;
    }

    @Override
    public AuthorityName unused(AuthorityName wanted) {
        Set<Path> left = former(wanted);
        AuthorityName name = wanted;
        while (left.contains(directory.file(name))) {
            name = name.next();
        }
        return name;
    }

    /** The files that a former process has left: a number is asked for before this one makes the authority. */
    private synchronized Set<Path> former(AuthorityName wanted) {
        Set<Path> known = former;
        if (known == null) {
            try {
                known = directory.files();
            } catch (IOException e) {
                throw unusable(wanted, e);
            }
            former = known;
        }
        return known;
    }

    @Override
    public AuthorityName newest(AuthorityName wanted) {
        AuthorityName name = wanted;
        while (Files.exists(directory.file(name.next()))) {
            name = name.next();
        }
        return name;
    }

    @Override
    public CertificatePem make(AuthorityName authority) {
        Instant now = clock.now();
        try {
            Optional<KeyAndChain> kept = directory.read(authority, now);
            return pem((kept.isPresent()
                            ? kept.get()
                            : directory.keep(authority, new CertificateWriter().authority(authority, now), now))
                    .leaf());
        } catch (IOException e) {
            throw unusable(authority, e);
        }
    }

    @Override
    public List<CertificatePem> issue(LeafProfile profile, PublicKeyPem publicKey) {
        return List.of(pem(sign(profile, publicKey(publicKey))));
    }

    /**
     * A new key in memory with a certificate, for this server itself.
     *
     * @throws UnusableAuthorityException as {@link #issue}
     */
    public KeyAndChain identity(LeafProfile profile) {
        KeyPair keys = EcKeys.generate();
        return new KeyAndChain(keys.getPrivate(), List.of(sign(profile, keys.getPublic())));
    }

    @Override
    public DoorFiles door(AllocationId allocation) {
        KeyAndChain door = identity(LeafProfile.door(control, allocation));
        return new DoorFiles(Pem.text(door), make(control).text());
    }

    @Override
    public Instant renewal(AllocationId allocation, DoorFiles door) {
        if (!door.servers().equals(make(control).text())) {
            return Instant.MIN;
        }
        try {
            X509Certificate authority =
                    Pem.certificates(door.servers(), DoorFiles.SERVERS).get(0);
            X509Certificate leaf =
                    Pem.keyAndChain(door.identity(), DoorFiles.DOOR).leaf();
            leaf.verify(authority.getPublicKey());
            SpiffeName name = SpiffeName.executor(control.datacenter().value(), allocation.value());
            return SubjectNames.of(leaf).spiffe().filter(name::equals).isPresent() ? renewal(leaf) : Instant.MIN;
        } catch (IOException | GeneralSecurityException e) {
            return Instant.MIN;
        }
    }

    private static Instant renewal(X509Certificate leaf) {
        Instant issued = leaf.getNotBefore().toInstant().plus(CertificateWriter.BACKDATED);
        Duration life = Duration.between(issued, leaf.getNotAfter().toInstant());
        return issued.plus(life.multipliedBy(2).dividedBy(3));
    }

    private X509Certificate sign(LeafProfile profile, PublicKey key) {
        Instant now = clock.now();
        return new CertificateWriter().leaf(read(profile.authority(), now), LeafTemplate.of(profile), key, now, life);
    }

    private KeyAndChain read(AuthorityName authority, Instant now) {
        try {
            return directory
                    .read(authority, now)
                    .orElseThrow(() -> new UnusableAuthorityException(
                            authority,
                            "its key is not here -> restore " + directory.file(authority) + " from the server's backup",
                            null));
        } catch (IOException e) {
            throw unusable(authority, e);
        }
    }

    private static PublicKey publicKey(PublicKeyPem text) {
        try {
            return Pem.publicKey(text.text(), "the public key");
        } catch (PemException e) {
            throw new IllegalArgumentException(ThrowableText.of(e), e);
        }
    }

    private static CertificatePem pem(X509Certificate certificate) {
        return new CertificatePem(Pem.text(certificate));
    }

    private static UnusableAuthorityException unusable(AuthorityName authority, IOException e) {
        return new UnusableAuthorityException(authority, ThrowableText.of(e), e);
    }
}
