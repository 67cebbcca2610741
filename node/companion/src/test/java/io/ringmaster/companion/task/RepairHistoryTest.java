package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.companion.task.RepairHistory.Replicated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepairHistoryTest {
    private static final Instant MONDAY = Instant.parse("2026-11-16T00:00:00Z");
    private static final Instant TUESDAY = Instant.parse("2026-11-17T00:00:00Z");
    private static final TableId TRIPS = TableId.fromString("8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10");
    private static final TableId DRIVERS = TableId.fromString("8f2d1c61-6f0a-11f0-9a4b-1b3c5d7e9f10");
    private static final TableId OLD = TableId.fromString("8f2d1c62-6f0a-11f0-9a4b-1b3c5d7e9f10");

    private static final String NOBODY = "";

    private Instant now = TUESDAY.plus(Duration.ofDays(1));

    @TempDir
    Path folder;

    private static Replicated range(long left, long right) {
        return range(left, right, "host-0", "host-1");
    }

    private static Replicated range(long left, long right, String... hosts) {
        return new Replicated(new TokenRange(left, right), Set.of(hosts));
    }

    private RepairHistory history() {
        return new RepairHistory(folder.resolve("repairs.json"), () -> now);
    }

    @Test
    void a_range_is_complete_when_every_part_was_repaired_and_its_time_is_the_oldest() {
        RepairHistory history = history();
        history.add(List.of(TRIPS), List.of(range(0, 10)), MONDAY, NOBODY);
        assertThat(history.completeSince(TRIPS, range(2, 12), NOBODY)).isEmpty();
        history.add(List.of(TRIPS), List.of(range(10, 20)), TUESDAY, NOBODY);
        assertThat(history.completeSince(TRIPS, range(2, 12), NOBODY)).contains(MONDAY);
        assertThat(history.completeSince(TRIPS, range(12, 20), NOBODY)).contains(TUESDAY);
        assertThat(history.completeSince(DRIVERS, range(12, 20), NOBODY)).isEmpty();
        assertThat(history.covered(TRIPS, List.of(range(5, 40)))).isEqualTo(15);
    }

    @Test
    void a_range_with_a_gap_between_its_repairs_is_not_complete() {
        RepairHistory history = history();
        history.add(List.of(TRIPS), List.of(range(0, 10), range(12, 20)), MONDAY, NOBODY);
        assertThat(history.completeSince(TRIPS, range(0, 20), NOBODY)).isEmpty();
    }

    @Test
    void a_later_repair_replaces_an_older_one_where_they_overlap() {
        RepairHistory history = history();
        history.add(List.of(TRIPS), List.of(range(0, 30)), MONDAY, NOBODY);
        history.add(List.of(TRIPS), List.of(range(10, 20)), TUESDAY, NOBODY);
        assertThat(history.completeSince(TRIPS, range(10, 20), NOBODY)).contains(TUESDAY);
        assertThat(history.completeSince(TRIPS, range(0, 10), NOBODY)).contains(MONDAY);
        assertThat(history.completeSince(TRIPS, range(20, 30), NOBODY)).contains(MONDAY);
    }

    @Test
    void a_repair_counts_only_while_all_replicas_of_the_range_took_part_in_it() {
        RepairHistory history = history();
        history.add(List.of(TRIPS), List.of(range(0, 10)), MONDAY, NOBODY);
        assertThat(history.completeSince(TRIPS, range(0, 10, "host-0", "its-replacement"), NOBODY))
                .isEmpty();
        assertThat(history.covered(TRIPS, List.of(range(0, 10, "host-0", "host-1", "newcomer"))))
                .isZero();
        assertThat(history.oldest(TRIPS, List.of(range(0, 10, "newcomer")))).isEmpty();
        assertThat(history().completeSince(TRIPS, range(0, 10, "host-1"), NOBODY))
                .as("one replica less, after a restart")
                .contains(MONDAY);
    }

    @Test
    void merged_ranges_keep_the_replicas_of_both() {
        RepairHistory history = history();
        for (int i = 0; i <= RepairHistory.RANGES_PER_TABLE; i++) {
            history.add(List.of(TRIPS), List.of(range(i, i + 1, "host-0", "peer-" + i)), MONDAY, NOBODY);
        }
        assertThat(history.completeSince(TRIPS, range(0, 100, "host-0"), NOBODY))
                .contains(MONDAY);
        assertThat(history.covered(TRIPS, List.of(range(0, 1, "host-0", "peer-1"))))
                .isZero();
    }

    @Test
    void the_history_survives_a_restart() {
        history().add(List.of(TRIPS), List.of(range(0, 10)), MONDAY, NOBODY);
        assertThat(history().completeSince(TRIPS, range(0, 10), NOBODY)).contains(MONDAY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "{\"8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10\": [{\"left\": 3, \"right\"",
                "{\"8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10\": [{\"left\": 0, \"right\": 10}]}",
                "{\"8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10\": [{\"left\": 10, \"right\": 0,"
                        + " \"at\": \"2026-11-16T00:00:00Z\"}]}",
                "{\"8f2d1c60-6f0a-11f0-9a4b-1b3c5d7e9f10\": 7}",
                // as a former release wrote it
                "{\"rides.trips\": [{\"left\": 0, \"right\": 10, \"at\": \"2026-11-16T00:00:00Z\","
                        + " \"hosts\": [\"host-0\", \"host-1\"]}]}",
            })
    void a_damaged_file_and_one_with_names_of_tables_count_as_no_repair(String text) throws IOException {
        Files.writeString(folder.resolve("repairs.json"), text);
        assertThat(history().completeSince(TRIPS, range(0, 10), NOBODY)).isEmpty();
        history().add(List.of(TRIPS), List.of(range(0, 10)), MONDAY, NOBODY);
        assertThat(history().completeSince(TRIPS, range(0, 10), NOBODY)).contains(MONDAY);
    }

    @Test
    void names_of_tables_are_gone_at_the_next_repair() throws IOException {
        Path file = folder.resolve("repairs.json");
        Files.writeString(file, "{\"rides.trips\": []}");
        RepairHistory history = history();
        history.keepOnly(List.of(TRIPS));
        history.add(List.of(TRIPS), List.of(range(0, 10)), MONDAY, NOBODY);
        assertThat(Files.readString(file)).contains(TRIPS.toString()).doesNotContain("rides.trips");
    }

    @Test
    void a_repair_in_the_future_proves_nothing_and_is_recorded_again() {
        history().add(List.of(TRIPS), List.of(range(0, 20)), Instant.parse("2030-01-01T00:00:00Z"), NOBODY);
        RepairHistory history = history();
        assertThat(history.completeSince(TRIPS, range(0, 20), NOBODY)).isEmpty();
        assertThat(history.covered(TRIPS, List.of(range(0, 20)))).isZero();
        assertThat(history.oldest(TRIPS, List.of(range(0, 20)))).isEmpty();
        history.add(List.of(TRIPS), List.of(range(0, 10)), TUESDAY, NOBODY);
        assertThat(history().completeSince(TRIPS, range(0, 10), NOBODY)).contains(TUESDAY);
        now = Instant.parse("2031-01-01T00:00:00Z");
        assertThat(history().completeSince(TRIPS, range(0, 20), NOBODY))
                .as("what was wrong then is not believed later")
                .isEmpty();
    }

    @Test
    void a_repair_in_the_future_proves_nothing_once_its_time_has_come() {
        history().add(List.of(TRIPS), List.of(range(0, 20)), Instant.parse("2030-01-01T00:00:00Z"), NOBODY);
        assertThat(history().completeSince(TRIPS, range(0, 20), NOBODY)).isEmpty();
        now = Instant.parse("2031-01-01T00:00:00Z");
        assertThat(history().completeSince(TRIPS, range(0, 20), NOBODY)).isEmpty();
    }

    @Test
    void a_clock_that_was_set_back_disproves_what_was_read_before() {
        RepairHistory history = history();
        history.add(List.of(TRIPS), List.of(range(0, 10)), TUESDAY, NOBODY);
        assertThat(history.completeSince(TRIPS, range(0, 10), NOBODY)).contains(TUESDAY);
        now = MONDAY;
        assertThat(history.completeSince(TRIPS, range(0, 10), NOBODY)).isEmpty();
    }

    @Test
    void the_history_is_bounded_and_never_reports_a_later_time_than_the_true_one() {
        RepairHistory history = history();
        for (int i = 0; i < 500; i++) {
            history.add(
                    List.of(TRIPS),
                    List.of(range(i, i + 1)),
                    i < 250 ? MONDAY.plusSeconds(i) : TUESDAY.plusSeconds(i),
                    NOBODY);
        }
        assertThat(history.completeSince(TRIPS, range(0, 500), NOBODY)).contains(MONDAY);
        assertThat(history.completeSince(TRIPS, range(400, 500), NOBODY).orElseThrow())
                .isBetween(TUESDAY, TUESDAY.plusSeconds(400));
        for (int i = 0; i < 500; i++) {
            history.add(List.of(TRIPS), List.of(range(1000 + 2 * i, 1001 + 2 * i)), TUESDAY, NOBODY);
        }
        assertThat(history.covered(TRIPS, List.of(range(0, 3000))))
                .as("ranges that are not adjacent cannot be merged")
                .isLessThanOrEqualTo(500 + RepairHistory.RANGES_PER_TABLE);
    }

    @Test
    void dropped_tables_are_removed() {
        RepairHistory history = history();
        history.add(List.of(TRIPS, OLD), List.of(range(0, 10)), MONDAY, NOBODY);
        history.keepOnly(List.of(TRIPS));
        assertThat(history.completeSince(OLD, range(0, 10), NOBODY)).isEmpty();
        assertThat(history.completeSince(TRIPS, range(0, 10), NOBODY)).contains(MONDAY);
    }

    @Test
    void what_was_repaired_for_a_request_counts_for_that_alone_whatever_its_time() {
        history().add(List.of(TRIPS), List.of(range(0, 10)), MONDAY, "ours");
        history().add(List.of(TRIPS), List.of(range(10, 20)), TUESDAY, "theirs");
        RepairHistory history = history();
        assertThat(history.completeSince(TRIPS, range(0, 10), "ours")).contains(Instant.MAX);
        assertThat(history.completeSince(TRIPS, range(0, 10), "theirs")).contains(MONDAY);
        assertThat(history.completeSince(TRIPS, range(0, 20), "theirs")).contains(MONDAY);
        assertThat(history.completeSince(TRIPS, range(0, 20), "ours")).contains(TUESDAY);
        assertThat(history.completeSince(TRIPS, range(0, 30), "ours")).isEmpty();
        assertThat(history.completeSince(TRIPS, range(0, 10), NOBODY)).contains(MONDAY);
        history.add(List.of(TRIPS), List.of(range(0, 10)), MONDAY, NOBODY);
        assertThat(history.completeSince(TRIPS, range(0, 10), NOBODY))
                .as("a server that names no request continues none")
                .contains(MONDAY);
    }

    @Test
    void merged_ranges_keep_the_request_of_both() {
        RepairHistory history = history();
        for (int i = 0; i <= 2 * RepairHistory.RANGES_PER_TABLE; i++) {
            history.add(List.of(TRIPS), List.of(range(i, i + 1)), MONDAY, i < 200 ? "ours" : "theirs");
        }
        assertThat(history.completeSince(TRIPS, range(0, 100), "ours")).contains(Instant.MAX);
        assertThat(history.completeSince(TRIPS, range(0, 257), "ours")).contains(MONDAY);
        for (int i = 0; i <= 2 * RepairHistory.RANGES_PER_TABLE; i++) {
            history.add(List.of(DRIVERS), List.of(range(i, i + 1)), MONDAY, "request-" + i % 2);
        }
        assertThat(history.completeSince(DRIVERS, range(0, 257), "request-0")).contains(MONDAY);
        assertThat(history.completeSince(DRIVERS, range(0, 1), "request-0"))
                .as("one that is merged with another is of neither")
                .contains(MONDAY);
    }
}
