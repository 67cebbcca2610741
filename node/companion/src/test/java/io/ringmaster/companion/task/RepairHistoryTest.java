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
    void a_span_is_repaired_when_all_of_it_is_and_as_long_ago_as_its_oldest_part() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(new Span(0, 10)), MONDAY);
        assertThat(history.wholly("rides.trips", new Span(2, 12))).isEmpty();
        history.add(TRIPS, List.of(new Span(10, 20)), TUESDAY);
        assertThat(history.wholly("rides.trips", new Span(2, 12))).contains(MONDAY);
        assertThat(history.wholly("rides.trips", new Span(12, 20))).contains(TUESDAY);
        assertThat(history.wholly("rides.drivers", new Span(12, 20))).isEmpty();
        assertThat(history.covered("rides.trips", List.of(new Span(5, 40)))).isEqualTo(15);
    }

    @Test
    void a_later_repair_takes_the_place_of_an_older_one_where_they_overlap() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(new Span(0, 30)), MONDAY);
        history.add(TRIPS, List.of(new Span(10, 20)), TUESDAY);
        assertThat(history.wholly("rides.trips", new Span(10, 20))).contains(TUESDAY);
        assertThat(history.wholly("rides.trips", new Span(0, 10))).contains(MONDAY);
        assertThat(history.wholly("rides.trips", new Span(20, 30))).contains(MONDAY);
    }

    @Test
    void it_is_on_disk_for_the_next_process() {
        history().add(TRIPS, List.of(new Span(0, 10)), MONDAY);
        assertThat(history().wholly("rides.trips", new Span(0, 10))).contains(MONDAY);
    }

    @Test
    void a_damaged_file_means_that_nothing_is_repaired() throws IOException {
        Files.writeString(folder.resolve("repairs.json"), "{\"rides.trips\": [{\"left\": 3, \"right\"");
        assertThat(history().wholly("rides.trips", new Span(0, 10))).isEmpty();
        history().add(TRIPS, List.of(new Span(0, 10)), MONDAY);
        assertThat(history().wholly("rides.trips", new Span(0, 10))).contains(MONDAY);
    }

    @Test
    void it_is_bounded_and_never_tells_a_later_time_than_true() {
        RepairHistory history = history();
        for (int i = 0; i < 500; i++) {
            history.add(TRIPS, List.of(new Span(i, i + 1)), i < 250 ? MONDAY.plusSeconds(i) : TUESDAY.plusSeconds(i));
        }
        assertThat(history.wholly("rides.trips", new Span(0, 500))).contains(MONDAY);
        assertThat(history.wholly("rides.trips", new Span(400, 500)).orElseThrow())
                .isBetween(TUESDAY, TUESDAY.plusSeconds(400));
        for (int i = 0; i < 500; i++) {
            history.add(TRIPS, List.of(new Span(1000 + 2 * i, 1001 + 2 * i)), TUESDAY);
        }
        assertThat(history.covered("rides.trips", List.of(new Span(0, 3000))))
                .as("spans that do not touch cannot become one")
                .isLessThanOrEqualTo(500 + RepairHistory.SPANS_PER_TABLE);
    }

    @Test
    void tables_that_are_gone_are_forgotten() {
        RepairHistory history = history();
        history.add(List.of("rides.trips", "rides.old"), List.of(new Span(0, 10)), MONDAY);
        history.keepOnly(TRIPS);
        assertThat(history.wholly("rides.old", new Span(0, 10))).isEmpty();
        assertThat(history.wholly("rides.trips", new Span(0, 10))).contains(MONDAY);
    }
}
