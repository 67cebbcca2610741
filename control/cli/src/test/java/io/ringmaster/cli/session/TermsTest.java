package io.ringmaster.cli.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.cli.terminal.Abilities;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class TermsTest {
    @Test
    void times_are_read_in_hours_minutes_and_seconds() {
        assertThat(new Durations().convert("90")).isEqualTo(Duration.ofSeconds(90));
        assertThat(new Durations().convert("1m30s")).isEqualTo(Duration.ofSeconds(90));
        assertThat(new Durations().convert("1h")).isEqualTo(Duration.ofHours(1));
        assertThat(new Durations().convert("77.8ms")).isEqualTo(Duration.ofNanos(77_800_000));
        assertThat(new Durations().convert("300ms")).isEqualTo(Duration.ofMillis(300));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "5 m", "-1s", "1d", "ms", "7.8s", "1.0001ms"})
    void an_invalid_time_is_refused(String text) {
        assertThatThrownBy(() -> new Durations().convert(text)).isInstanceOf(TypeConversionException.class);
    }

    @Test
    void only_a_terminal_with_a_movable_cursor_is_redrawn() {
        Map<String, String> xterm = Map.of("TERM", "xterm-256color");
        assertThat(Abilities.of(xterm, true, 120, false)).isEqualTo(new Abilities(true, true, 120));
        assertThat(Abilities.of(xterm, false, 120, false)).isEqualTo(new Abilities(false, false, 100));
        assertThat(Abilities.of(Map.of("TERM", "dumb"), true, 80, false)).isEqualTo(new Abilities(false, false, 80));
        assertThat(Abilities.of(Map.of("TERM", "xterm", "NO_COLOR", "1"), true, 80, false)
                        .colour())
                .isFalse();
        assertThat(Abilities.of(xterm, true, 80, true).colour()).isFalse();
    }
}
