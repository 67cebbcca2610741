package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairTaskTest {
    private static final Instant NOON = Instant.parse("2026-11-16T12:00:00Z");

    /** The server's clock is right. */
    @ParameterizedTest
    @CsvSource({"0", "-24", "24"})
    void a_repair_is_no_younger_than_it_is_whatever_the_clock_of_the_node_says(int hoursAhead) {
        Instant first = RepairTask.countsSince(NOON.plus(Duration.ofHours(hoursAhead)), NOON);
        assertThat(first).isBefore(NOON.plus(Duration.ofHours(1)));
    }

    @ParameterizedTest
    @CsvSource({"0", "24"})
    void a_repair_is_as_old_as_its_request_unless_the_clock_of_the_node_is_behind(int hoursAhead) {
        Instant requested = NOON.minusSeconds(1);
        assertThat(RepairTask.countsSince(NOON.plus(Duration.ofHours(hoursAhead)), requested))
                .isEqualTo(requested);
    }

    @Test
    void a_server_of_a_former_release_leaves_it_to_the_clock_of_the_node() {
        assertThat(RepairTask.countsSince(NOON, Instant.MAX)).isEqualTo(NOON);
    }

    @Test
    void without_an_age_only_what_was_repaired_for_the_request_is_left_out() {
        Duration none = Duration.ZERO;
        assertThat(RepairTask.isYoung(Instant.MAX, NOON, none)).isTrue();
        assertThat(RepairTask.isYoung(NOON, NOON, none)).isFalse();
        Duration hour = Duration.ofHours(1);
        assertThat(RepairTask.isYoung(NOON.minus(Duration.ofMinutes(59)), NOON, hour))
                .isTrue();
        assertThat(RepairTask.isYoung(NOON.minus(hour), NOON, hour)).isFalse();
    }

    @Test
    void it_pauses_as_long_as_the_intensity_says() {
        assertThat(RepairTask.pauseAfter(Duration.ofSeconds(10), 1)).isZero();
        assertThat(RepairTask.pauseAfter(Duration.ofSeconds(10), 0.5)).isEqualTo(Duration.ofSeconds(10));
        assertThat(RepairTask.pauseAfter(Duration.ofSeconds(10), 0.1)).isEqualTo(Duration.ofSeconds(90));
    }
}
