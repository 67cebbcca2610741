package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

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
    })
    void changes_always_need_the_token_and_reads_do_beyond_loopback(Access access, boolean onLoopback, boolean beyond) {
        assertThat(needsToken(access, true)).isEqualTo(onLoopback);
        assertThat(needsToken(access, false)).isEqualTo(beyond);
    }

    @ParameterizedTest
    @CsvSource({
        "Bearer 0123456789abcdef, true",
        "Bearer 0123456789abcdeg, false",
        "Bearer 0123456789abcde, false",
        "Bearer, false",
        "Basic 0123456789abcdef, false",
        "0123456789abcdef, false",
    })
    void only_the_complete_token_in_a_bearer_header_is_accepted(String header, boolean allowed) {
        assertThat(new AccessGuard(TOKEN, "token", true).allows(Set.of(Access.CHANGE), header))
                .isEqualTo(allowed);
    }

    private static boolean needsToken(Access access, boolean readsOpen) {
        var guard = new AccessGuard(TOKEN, "token", readsOpen);
        assertThat(guard.allows(Set.of(access), "Bearer " + TOKEN)).isTrue();
        return !guard.allows(Set.of(access), null);
    }
}
