package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairHistoryTest {
    private static final Instant MONDAY = Instant.parse("2026-11-16T00:00:00Z");
    private static final Instant TUESDAY = Instant.parse("2026-11-17T00:00:00Z");
    private static final List<String> TRIPS = List.of("rides.trips");

    @TempDir
    Path folder;

    private RepairHistory history() {
        return new RepairHistory(folder.resolve("repairs.json"));
    }

    @Test
    void a_range_is_complete_when_every_part_was_repaired_and_its_time_is_the_oldest() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(new TokenRange(0, 10)), MONDAY);
        assertThat(history.completeSince("rides.trips", new TokenRange(2, 12))).isEmpty();
        history.add(TRIPS, List.of(new TokenRange(10, 20)), TUESDAY);
        assertThat(history.completeSince("rides.trips", new TokenRange(2, 12))).contains(MONDAY);
        assertThat(history.completeSince("rides.trips", new TokenRange(12, 20))).contains(TUESDAY);
        assertThat(history.completeSince("rides.drivers", new TokenRange(12, 20)))
                .isEmpty();
        assertThat(history.covered("rides.trips", List.of(new TokenRange(5, 40))))
                .isEqualTo(15);
    }

    @Test
    void a_later_repair_replaces_an_older_one_where_they_overlap() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(new TokenRange(0, 30)), MONDAY);
        history.add(TRIPS, List.of(new TokenRange(10, 20)), TUESDAY);
        assertThat(history.completeSince("rides.trips", new TokenRange(10, 20))).contains(TUESDAY);
        assertThat(history.completeSince("rides.trips", new TokenRange(0, 10))).contains(MONDAY);
        assertThat(history.completeSince("rides.trips", new TokenRange(20, 30))).contains(MONDAY);
    }

    @Test
    void the_history_survives_a_restart() {
        history().add(TRIPS, List.of(new TokenRange(0, 10)), MONDAY);
        assertThat(history().completeSince("rides.trips", new TokenRange(0, 10)))
                .contains(MONDAY);
    }

    @Test
    void a_damaged_file_counts_as_no_repair() throws IOException {
        Files.writeString(folder.resolve("repairs.json"), "{\"rides.trips\": [{\"left\": 3, \"right\"");
        assertThat(history().completeSince("rides.trips", new TokenRange(0, 10)))
                .isEmpty();
        history().add(TRIPS, List.of(new TokenRange(0, 10)), MONDAY);
        assertThat(history().completeSince("rides.trips", new TokenRange(0, 10)))
                .contains(MONDAY);
    }

    @Test
    void the_history_is_bounded_and_never_reports_a_later_time_than_the_true_one() {
        RepairHistory history = history();
        for (int i = 0; i < 500; i++) {
            history.add(
                    TRIPS, List.of(new TokenRange(i, i + 1)), i < 250 ? MONDAY.plusSeconds(i) : TUESDAY.plusSeconds(i));
        }
        assertThat(history.completeSince("rides.trips", new TokenRange(0, 500))).contains(MONDAY);
        assertThat(history.completeSince("rides.trips", new TokenRange(400, 500))
                        .orElseThrow())
                .isBetween(TUESDAY, TUESDAY.plusSeconds(400));
        for (int i = 0; i < 500; i++) {
            history.add(TRIPS, List.of(new TokenRange(1000 + 2 * i, 1001 + 2 * i)), TUESDAY);
        }
        assertThat(history.covered("rides.trips", List.of(new TokenRange(0, 3000))))
                .as("ranges that are not adjacent cannot be merged")
                .isLessThanOrEqualTo(500 + RepairHistory.RANGES_PER_TABLE);
    }

    @Test
    void dropped_tables_are_removed() {
        RepairHistory history = history();
        history.add(List.of("rides.trips", "rides.old"), List.of(new TokenRange(0, 10)), MONDAY);
        history.keepOnly(TRIPS);
        assertThat(history.completeSince("rides.old", new TokenRange(0, 10))).isEmpty();
        assertThat(history.completeSince("rides.trips", new TokenRange(0, 10))).contains(MONDAY);
    }
}
