package io.ringmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OriginGuardTest {
    private final OriginGuard guard = new OriginGuard(
            AccessGuardTest.authentication(Instant::now),
            URI.create("http://Ringmaster.example:8080"),
            List.of("page.example"));

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, true",
        "10.77.1.254, true",
        "[::1], true",
        "localhost, true",
        "ringmaster.example, true",
        "page.example, true",
        "evil.example, false",
        "page.example.evil.example, false",
        "x.page.example, false",
        "page.example., false",
        "127.0.0.1.evil.example, false",
        "localhost.evil.example, false",
        "'', false",
    })
    void addresses_localhost_and_configured_names_are_known_and_compared_exactly(String host, boolean known) {
        assertThat(guard.knows(host)).isEqualTo(known);
    }
}
