package io.ringmaster.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemTest {
    private final Instant now = Instant.now();
    private final TestCertificates authority = new TestCertificates("control dc1 1");
    private final KeyAndChain leaf = authority.leaf("dc1");

    @TempDir
    Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("door.pem"), text);
    }

    private void refused(String text, String... parts) throws IOException {
        Path file = file(text);
        assertThatThrownBy(() -> Pem.keyAndChain(file, now))
                .isInstanceOf(PemException.class)
                .hasMessageStartingWith(file + ": ")
                .hasMessageContainingAll(parts);
    }

    @Test
    void keys_and_certificates_are_read_as_they_were_written() throws IOException {
        var written = new KeyAndChain(leaf.key(), List.of(leaf.leaf(), authority.certificate()));
        Path file = file("# made by a test\n" + Pem.text(written));
        assertThat(Pem.keyAndChain(file, now)).isEqualTo(written);
        assertThat(Pem.certificates(file)).isEqualTo(written.chain());
        assertThat(Pem.publicKey(Pem.text(leaf.leaf().getPublicKey()), "a status"))
                .isEqualTo(leaf.leaf().getPublicKey());
    }

    @Test
    void a_file_that_is_cut_off_anywhere_is_refused() throws IOException {
        String text = Pem.text(leaf);
        for (int length = 0; length < text.length() - 1; length += 29) {
            refused(text.substring(0, length), "door.pem");
        }
        refused(text.substring(0, text.length() - 30), "is cut off: the end of CERTIFICATE is missing");
        refused(text.substring(0, 60), "is cut off: the end of PRIVATE KEY is missing");
        refused("", "holds no certificate");
    }

    @Test
    void a_damaged_certificate_is_refused() throws IOException {
        String text = Pem.text(leaf);
        int certificate = text.indexOf("BEGIN CERTIFICATE") + 40;
        refused(text.substring(0, certificate) + "!" + text.substring(certificate + 1), "is damaged", "not Base64");
        refused(text.substring(0, certificate) + text.substring(certificate + 4), "is damaged");
    }

    @Test
    void the_key_of_another_certificate_is_refused() throws IOException {
        refused(
                Pem.text(authority.leaf("dc1").key()) + Pem.text(leaf.leaf()),
                "its private key belongs to another certificate");
    }

    @Test
    void a_chain_in_the_wrong_order_is_refused() throws IOException {
        TestCertificates stranger = new TestCertificates("control dc2 1");
        refused(
                Pem.text(new KeyAndChain(leaf.key(), List.of(leaf.leaf(), stranger.certificate()))),
                "its certificate 1 is not signed by its certificate 2");
    }

    @Test
    void a_leaf_that_has_ended_is_refused() throws IOException {
        Instant end = now.minusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
        KeyAndChain ended = authority.leaf("dc1", end.minusSeconds(60), Duration.ofSeconds(60));
        refused(Pem.text(ended), "its certificate ended at " + end, "the clock of this computer says " + now);
    }

    @Test
    void a_leaf_that_has_not_started_points_at_the_clock() throws IOException {
        KeyAndChain early = authority.leaf("dc1", now.plusSeconds(60), Duration.ofHours(1));
        refused(Pem.text(early), "its certificate starts at ", "check the clock");
    }

    @Test
    void a_key_is_needed_once() throws IOException {
        refused(Pem.text(leaf.leaf()), "must hold one PRIVATE KEY (PKCS#8), and holds 0");
        refused(Pem.text(leaf.key()) + Pem.text(leaf), "and holds 2");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        Path missing = directory.resolve("none.pem");
        assertThatThrownBy(() -> Pem.keyAndChain(missing, now)).hasMessage(missing + ": there is no such file");
    }

    @Test
    void a_directory_is_read_in_the_order_of_its_files() throws IOException {
        TestCertificates other = new TestCertificates("control dc2 1");
        Files.writeString(directory.resolve("dc2.pem"), Pem.text(other.certificate()));
        Files.writeString(directory.resolve("dc1.pem"), Pem.text(authority.certificate()));
        Files.writeString(directory.resolve("notes.txt"), "none");
        assertThat(Pem.certificatesIn(directory)).containsExactly(authority.certificate(), other.certificate());
        assertThat(Pem.certificatesIn(directory.resolve("none"))).isEmpty();
        Path bad = Files.writeString(directory.resolve("dc3.pem"), "none");
        assertThatThrownBy(() -> Pem.certificatesIn(directory)).hasMessageStartingWith(bad + ": ");
        List<String> left = new ArrayList<>();
        assertThat(Pem.certificatesIn(directory, e -> left.add(e.getMessage())))
                .containsExactly(authority.certificate(), other.certificate());
        assertThat(left).singleElement().asString().startsWith(bad + ": ");
    }

    @Test
    void texts_never_show_the_key() {
        assertThat(leaf.toString()).isEqualTo("key of CN=dc1");
    }
}
