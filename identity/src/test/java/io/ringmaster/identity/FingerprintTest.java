package io.ringmaster.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class FingerprintTest {
    private final KeyAndChain leaf = new TestCertificates("control dc1 1").leaf("dc1");

    @Test
    void a_fingerprint_is_read_as_it_is_written() {
        Fingerprint fingerprint = Fingerprint.of(leaf.leaf());
        assertThat(fingerprint.toString()).matches("sha256:[0-9a-f]{64}");
        assertThat(Fingerprint.parse(fingerprint.toString())).isEqualTo(fingerprint);
        assertThat(Fingerprint.of(leaf.leaf().getPublicKey())).isEqualTo(fingerprint);
    }

    @Test
    void the_form_of_openssl_is_read_too() {
        Fingerprint fingerprint = Fingerprint.of(leaf.leaf());
        String openssl = fingerprint.hex().toUpperCase(Locale.ROOT).replaceAll("(..)(?!$)", "$1:");
        assertThat(Fingerprint.parse("SHA256:" + openssl)).isEqualTo(fingerprint);
    }

    @Test
    void anything_else_is_refused() {
        assertThatThrownBy(() -> Fingerprint.parse("md5:00")).hasMessageContaining("starts with sha256:");
        assertThatThrownBy(() -> Fingerprint.parse("sha256:00")).hasMessageContaining("64 hexadecimal digits");
    }
}
