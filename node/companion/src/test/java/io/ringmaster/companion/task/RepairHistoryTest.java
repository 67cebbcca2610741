package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.companion.task.RepairHistory.Replicated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairHistoryTest {
    private static final Instant MONDAY = Instant.parse("2026-11-16T00:00:00Z");
    private static final Instant TUESDAY = Instant.parse("2026-11-17T00:00:00Z");
    private static final List<String> TRIPS = List.of("rides.trips");

    @TempDir
    Path folder;

    private static Replicated range(long left, long right) {
        return range(left, right, "host-0", "host-1");
    }

    private static Replicated range(long left, long right, String... hosts) {
        return new Replicated(new TokenRange(left, right), Set.of(hosts));
    }

    private RepairHistory history() {
        return new RepairHistory(folder.resolve("repairs.json"));
    }

    @Test
    void a_range_is_complete_when_every_part_was_repaired_and_its_time_is_the_oldest() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(range(0, 10)), MONDAY);
        assertThat(history.completeSince("rides.trips", range(2, 12))).isEmpty();
        history.add(TRIPS, List.of(range(10, 20)), TUESDAY);
        assertThat(history.completeSince("rides.trips", range(2, 12))).contains(MONDAY);
        assertThat(history.completeSince("rides.trips", range(12, 20))).contains(TUESDAY);
        assertThat(history.completeSince("rides.drivers", range(12, 20))).isEmpty();
        assertThat(history.covered("rides.trips", List.of(range(5, 40)))).isEqualTo(15);
    }

    @Test
    void a_range_with_a_gap_between_its_repairs_is_not_complete() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(range(0, 10), range(12, 20)), MONDAY);
        assertThat(history.completeSince("rides.trips", range(0, 20))).isEmpty();
    }

    @Test
    void a_later_repair_replaces_an_older_one_where_they_overlap() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(range(0, 30)), MONDAY);
        history.add(TRIPS, List.of(range(10, 20)), TUESDAY);
        assertThat(history.completeSince("rides.trips", range(10, 20))).contains(TUESDAY);
        assertThat(history.completeSince("rides.trips", range(0, 10))).contains(MONDAY);
        assertThat(history.completeSince("rides.trips", range(20, 30))).contains(MONDAY);
    }

    @Test
    void a_repair_counts_only_while_all_replicas_of_the_range_took_part_in_it() {
        RepairHistory history = history();
        history.add(TRIPS, List.of(range(0, 10)), MONDAY);
        assertThat(history.completeSince("rides.trips", range(0, 10, "host-0", "its-replacement")))
                .isEmpty();
        assertThat(history.covered("rides.trips", List.of(range(0, 10, "host-0", "host-1", "newcomer"))))
                .isZero();
        assertThat(history.oldest("rides.trips", List.of(range(0, 10, "newcomer"))))
                .isEmpty();
        assertThat(history().completeSince("rides.trips", range(0, 10, "host-1")))
                .as("one replica less, after a restart")
                .contains(MONDAY);
    }

    @Test
    void merged_ranges_keep_the_replicas_of_both() {
        RepairHistory history = history();
        for (int i = 0; i <= RepairHistory.RANGES_PER_TABLE; i++) {
            history.add(TRIPS, List.of(range(i, i + 1, "host-0", "peer-" + i)), MONDAY);
        }
        assertThat(history.completeSince("rides.trips", range(0, 100, "host-0")))
                .contains(MONDAY);
        assertThat(history.covered("rides.trips", List.of(range(0, 1, "host-0", "peer-1"))))
                .isZero();
    }

    @Test
    void the_history_survives_a_restart() {
        history().add(TRIPS, List.of(range(0, 10)), MONDAY);
        assertThat(history().completeSince("rides.trips", range(0, 10))).contains(MONDAY);
    }

    @Test
    void a_damaged_file_counts_as_no_repair() throws IOException {
        Files.writeString(folder.resolve("repairs.json"), "{\"rides.trips\": [{\"left\": 3, \"right\"");
        assertThat(history().completeSince("rides.trips", range(0, 10))).isEmpty();
        history().add(TRIPS, List.of(range(0, 10)), MONDAY);
        assertThat(history().completeSince("rides.trips", range(0, 10))).contains(MONDAY);
    }

    @Test
    void the_history_is_bounded_and_never_reports_a_later_time_than_the_true_one() {
        RepairHistory history = history();
        for (int i = 0; i < 500; i++) {
            history.add(TRIPS, List.of(range(i, i + 1)), i < 250 ? MONDAY.plusSeconds(i) : TUESDAY.plusSeconds(i));
        }
        assertThat(history.completeSince("rides.trips", range(0, 500))).contains(MONDAY);
        assertThat(history.completeSince("rides.trips", range(400, 500)).orElseThrow())
                .isBetween(TUESDAY, TUESDAY.plusSeconds(400));
        for (int i = 0; i < 500; i++) {
            history.add(TRIPS, List.of(range(1000 + 2 * i, 1001 + 2 * i)), TUESDAY);
        }
        assertThat(history.covered("rides.trips", List.of(range(0, 3000))))
                .as("ranges that are not adjacent cannot be merged")
                .isLessThanOrEqualTo(500 + RepairHistory.RANGES_PER_TABLE);
    }

    @Test
    void dropped_tables_are_removed() {
        RepairHistory history = history();
        history.add(List.of("rides.trips", "rides.old"), List.of(range(0, 10)), MONDAY);
        history.keepOnly(TRIPS);
        assertThat(history.completeSince("rides.old", range(0, 10))).isEmpty();
        assertThat(history.completeSince("rides.trips", range(0, 10))).contains(MONDAY);
    }
}
