package io.ringmaster.server.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.access.Secret;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SessionSignerTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    private final SessionSigner signer = new SessionSigner(new Secret("0123456789abcdef"));
    private final SessionSigner.Issued anna = signer.issue("anna.b@example-1", "dc1-aaaaaaaa", NOW);

    @Test
    void cookie_and_key_together_are_a_session_until_it_expires() {
        assertThat(signer.check(anna.cookie(), anna.key(), NOW)).contains(anna.session());
        assertThat(anna.session().who()).isEqualTo("anna.b@example-1");
        assertThat(anna.session().credential()).isEqualTo("dc1-aaaaaaaa");
        Instant end = anna.session().expiresAt();
        assertThat(end).isEqualTo("2026-01-02T15:04:05Z");
        assertThat(signer.check(anna.cookie(), anna.key(), end.minusMillis(1))).isPresent();
        assertThat(signer.check(anna.cookie(), anna.key(), end)).isEmpty();
    }

    @Test
    void a_bound_session_needs_its_secret_after_the_key() {
        SessionSigner.Issued bound = signer.bound(anna, "secret");
        assertThat(bound.key()).isEqualTo(anna.key());
        assertThat(signer.check(bound.cookie(), anna.key() + "secret", NOW)).contains(bound.session());
        assertThat(signer.check(bound.cookie(), anna.key(), NOW)).isEmpty();
        assertThat(signer.check(anna.cookie(), anna.key() + "secret", NOW)).isEmpty();
    }

    @Test
    void one_half_alone_or_halves_of_two_sessions_are_none() {
        var other = signer.issue("anna.b@example-1", "dc1-aaaaaaaa", NOW);
        assertThat(signer.check(anna.cookie(), null, NOW)).isEmpty();
        assertThat(signer.check(anna.cookie(), "", NOW)).isEmpty();
        assertThat(signer.check(null, anna.key(), NOW)).isEmpty();
        assertThat(signer.check(anna.cookie(), other.key(), NOW)).isEmpty();
        assertThat(signer.check(other.cookie(), anna.key(), NOW)).isEmpty();
    }

    @Test
    void a_changed_name_end_or_signature_is_refused() {
        String cookie = anna.cookie();
        String end = cookie.substring(0, cookie.indexOf('.'));
        String later = Long.toString(Long.parseLong(end) + Duration.ofDays(1).toSeconds());
        char last = cookie.charAt(end.length() + 43) == 'A' ? 'B' : 'A';
        String signature = cookie.substring(0, end.length() + 43) + last + cookie.substring(end.length() + 44);
        for (String wrong : new String[] {
            cookie.replace("anna", "root"),
            cookie.replace("dc1-aaaaaaaa", "local-admin"),
            cookie.replace(end, later),
            signature,
            cookie + "x",
            "",
            "..",
            "1.2.3"
        }) {
            assertThat(wrong).isNotEqualTo(cookie);
            assertThat(signer.check(wrong, anna.key(), NOW)).as(wrong).isEmpty();
        }
    }

    @Test
    void every_server_with_the_token_accepts_it_and_none_with_another_token() {
        assertThat(new SessionSigner(new Secret("0123456789abcdef")).check(anna.cookie(), anna.key(), NOW))
                .isPresent();
        assertThat(new SessionSigner(new Secret("0123456789abcdeg")).check(anna.cookie(), anna.key(), NOW))
                .isEmpty();
    }
}
