package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.server.login.SessionSigner;
import java.net.URI;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessGuardTest {
    private static final String TOKEN = "0123456789abcdef";

    @ParameterizedTest
    @CsvSource({
        "SELF, false, false",
        "OPEN, false, false",
        "SELF_READ, false, true",
        "READ, false, true",
        "CHANGE, true, true",
        "SELF_TOKEN, true, true",
        "PEER, true, true",
    })
    void changes_always_need_the_token_and_reads_do_beyond_loopback(Access access, boolean onLoopback, boolean beyond) {
        assertThat(allows(access, true, false, false)).isEqualTo(!onLoopback);
        assertThat(allows(access, false, false, false)).isEqualTo(!beyond);
        assertThat(allows(access, false, true, false)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"READ, true", "SELF_READ, true", "CHANGE, true", "SELF_TOKEN, false", "PEER, false"})
    void a_session_opens_everything_but_login_codes_and_the_exchange_of_servers(Access access, boolean allowed) {
        assertThat(allows(access, false, false, true)).isEqualTo(allowed);
    }

    @ParameterizedTest
    @CsvSource({
        "Bearer 0123456789abcdef, true",
        "Bearer 0123456789abcdeg, false",
        "Bearer 0123456789abcde, false",
        "Bearer, false",
        "Basic 0123456789abcdef, false",
        "0123456789abcdef, false",
        ", false",
    })
    void only_the_complete_token_in_a_bearer_header_is_accepted(String header, boolean accepted) {
        assertThat(guard(true).isToken(header)).isEqualTo(accepted);
    }

    private static boolean allows(Access access, boolean readsOpen, boolean token, boolean session) {
        return guard(readsOpen).allows(Set.of(access), token, session);
    }

    static AccessGuard guard(boolean readsOpen) {
        var cookie = new SessionCookie(new SessionSigner(TOKEN), Instant::now, URI.create("http://127.0.0.1:8080"));
        return new AccessGuard(TOKEN, "token", readsOpen, cookie);
    }
}
