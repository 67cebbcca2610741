package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.access.Secret;
import io.ringmaster.server.login.SessionSigner;
import java.net.URI;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SessionCookieTest {
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void a_cookie_is_secure_where_the_browser_has_opened_the_page_by_https() {
        assertThat(SessionCookie.isSecure(true, null, "https://127.0.0.1:8443"))
                .as("at a loopback address")
                .isTrue();
        assertThat(SessionCookie.isSecure(true, null, "http://127.0.0.1:40001"))
                .as("through the tunnel")
                .isFalse();
        assertThat(SessionCookie.isSecure(true, null, null)).as("no browser").isTrue();
        assertThat(SessionCookie.isSecure(false, "https", "http://ringmaster.example"))
                .as("a proxy with TLS")
                .isTrue();
        assertThat(SessionCookie.isSecure(false, null, "http://127.0.0.1:8080")).isFalse();
        assertThat(SessionCookie.isSecure(false, null, null)).isFalse();
    }

    @Test
    void a_session_is_open_until_it_expires() {
        var signer = new SessionSigner(new Secret("0123456789abcdef"));
        var sessions = new SessionCookie(signer, () -> now, URI.create("http://127.0.0.1:8080"));
        var session = signer.issue("anna", "local-admin", now).session();
        now = session.expiresAt().minusMillis(1);
        assertThat(sessions.isOpen(session)).isTrue();
        now = session.expiresAt();
        assertThat(sessions.isOpen(session)).isFalse();
    }
}
