package io.ringmaster.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.identity.EcKeys;
import io.ringmaster.identity.Fingerprint;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.Pem;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.AuthoritiesContract;
import io.ringmaster.ports.DoorFiles;
import io.ringmaster.ports.FakeClock;
import io.ringmaster.ports.UnusableAuthorityException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IssuerTest extends AuthoritiesContract {
    private static final Duration LIFE = Duration.ofDays(30);
    private static final LeafProfile SERVER = LeafProfile.server(CONTROL, List.of("127.0.0.1", "localhost"));

    private final FakeClock clock = new FakeClock();

    @TempDir
    Path state;

    private Path directory() {
        return state.resolve("authority");
    }

    private Issuer issuer() {
        return new Issuer(new AuthorityDirectory(directory()), CONTROL, LIFE, clock);
    }

    @Override
    protected Authorities open() {
        return issuer();
    }

    @Override
    protected PublicKeyPem publicKey() {
        return new PublicKeyPem(Pem.text(EcKeys.generate().getPublic()));
    }

    @Test
    void only_the_owner_can_read_the_keys() throws IOException {
        issuer().make(CONTROL);
        issuer().make(INTERNODE);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                .isEqualTo("rwx------");
        try (var files = Files.list(directory())) {
            assertThat(files)
                    .map(file -> file.getFileName() + " " + permissions(file))
                    .containsExactlyInAnyOrder("control.dc1.1.pem rw-------", "internode.rides.dc1.1.pem rw-------");
        }
    }

    @Test
    void a_number_whose_key_a_former_process_has_left_is_not_used_again() {
        Issuer first = issuer();
        assertThat(first.unused(INTERNODE)).isEqualTo(INTERNODE);
        first.make(INTERNODE);
        assertThat(first.unused(INTERNODE)).as("at each repetition").isEqualTo(INTERNODE);
        assertThat(issuer().unused(INTERNODE)).isEqualTo(AuthorityName.internode(RIDES, DC1, 2));
        assertThat(issuer().newest(INTERNODE)).isEqualTo(INTERNODE);
        issuer().make(INTERNODE.next());
        assertThat(issuer().newest(INTERNODE)).isEqualTo(INTERNODE.next());
        assertThat(issuer().unused(INTERNODE)).isEqualTo(AuthorityName.internode(RIDES, DC1, 3));
        AuthorityName clients = AuthorityName.clients(RIDES, DC1, 1);
        assertThat(issuer().unused(clients)).isEqualTo(clients);
    }

    @Test
    void a_directory_that_cannot_be_read_stops_no_server_and_is_named_when_a_number_is_needed() throws IOException {
        Files.writeString(directory(), "a file");
        Issuer issuer = issuer();
        assertThatThrownBy(() -> issuer.unused(INTERNODE))
                .isInstanceOf(UnusableAuthorityException.class)
                .hasMessageContaining(directory() + ": cannot be read");
        Files.delete(directory());
        assertThat(issuer.unused(INTERNODE)).isEqualTo(INTERNODE);
    }

    private static String permissions(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_key_that_others_can_read_is_refused_with_the_command_that_repairs_it() throws IOException {
        issuer().make(CONTROL);
        Path file = directory().resolve("control.dc1.1.pem");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> issuer().make(CONTROL))
                .isInstanceOf(UnusableAuthorityException.class)
                .hasMessageContainingAll("control dc1 1", "rw-r--r--", "chmod 600 " + file);
    }

    @Test
    void a_damaged_file_is_named_and_never_replaced() throws IOException {
        issuer().make(CONTROL);
        Path file = directory().resolve("control.dc1.1.pem");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() / 2));
        assertThatThrownBy(() -> issuer().make(CONTROL))
                .isInstanceOf(UnusableAuthorityException.class)
                .hasMessageContainingAll(file.toString(), "is cut off", "-> restore it from the server's backup");
        assertThatThrownBy(() -> issuer().issue(SERVER, publicKey())).hasMessageContaining("is cut off");
        assertThat(file).hasContent(text.substring(0, text.length() / 2));
    }

    @Test
    void a_lost_key_says_what_to_restore() throws IOException {
        issuer().make(CONTROL);
        Path file = directory().resolve("control.dc1.1.pem");
        Files.delete(file);
        assertThatThrownBy(() -> issuer().issue(SERVER, publicKey()))
                .hasMessageContaining("restore " + file + " from the server's backup");
    }

    @Test
    void a_leaf_lives_as_configured_and_never_longer_than_its_authority() throws IOException {
        issuer().make(CONTROL);
        X509Certificate leaf = issuer().identity(SERVER).leaf();
        assertThat(leaf.getNotAfter().toInstant()).isEqualTo(clock.now().plus(LIFE));
        assertThat(leaf.getNotBefore().toInstant()).isEqualTo(clock.now().minus(Duration.ofHours(2)));
        X509Certificate authority = certificate();
        clock.advance(Duration.ofDays(5 * 365 - 1));
        assertThat(issuer().identity(SERVER).leaf().getNotAfter()).isEqualTo(authority.getNotAfter());
    }

    @Test
    void a_door_is_replaced_after_two_thirds_of_its_life() {
        issuer().make(CONTROL);
        DoorFiles door = issuer().door(ALLOCATION);
        Instant renewal = clock.now().plus(LIFE.multipliedBy(2).dividedBy(3));
        assertThat(issuer().renewal(ALLOCATION, door)).isEqualTo(renewal);
        clock.advance(LIFE.plusDays(1));
        assertThat(issuer().renewal(ALLOCATION, door)).as("after its end").isEqualTo(renewal);
    }

    private X509Certificate certificate() throws IOException {
        return Pem.certificates(directory().resolve("control.dc1.1.pem")).get(0);
    }

    @Test
    void an_authority_that_has_ended_issues_nothing() {
        issuer().make(CONTROL);
        clock.advance(Duration.ofDays(5 * 365 + 1));
        assertThatThrownBy(() -> issuer().issue(SERVER, publicKey()))
                .isInstanceOf(UnusableAuthorityException.class)
                .hasMessageContaining("its certificate ended at");
    }

    @Test
    void a_certificate_belongs_to_the_key_that_it_was_asked_for() throws IOException {
        issuer().make(CONTROL);
        PublicKeyPem key = publicKey();
        String text = issuer().issue(SERVER, key).get(0).text();
        assertThat(Fingerprint.of(Pem.certificates(text, "chain").get(0)))
                .isEqualTo(Fingerprint.of(Pem.publicKey(key.text(), "key")));
        KeyAndChain own = issuer().identity(SERVER);
        assertThat(Pem.keyAndChain(Pem.text(own), "own", clock.now())).isEqualTo(own);
    }

    @Test
    void anything_but_a_public_key_is_refused() {
        issuer().make(CONTROL);
        assertThatThrownBy(() -> issuer().issue(SERVER, new PublicKeyPem("rides")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must hold one PUBLIC KEY");
    }
}
