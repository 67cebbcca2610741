package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.BackupSchedule;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.Keep;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackupFieldTest {
    private static final long MIB = 1L << 20;
    private static final String FULL = "{to: main, every: 6h, keep: {last: 4, daily: 7}, bandwidth: 100MiB/s}";

    private static ParsedSpec parse(String backup) {
        return ClusterSpecs.parse(ClusterSpecsTest.RIDES + "\nbackup: " + backup + "\n");
    }

    private static ClusterSpec spec(String backup) {
        return ((ParsedSpec.Valid) parse(backup)).spec();
    }

    @Test
    void a_schedule_is_read_and_written_back() {
        assertThat(spec(FULL).backup()).isEqualTo(new BackupSchedule("main", 360, new Keep(4, 7), 100 * MIB));
        assertThat(ClusterSpecs.parse(SpecText.write(spec(FULL)))).isEqualTo(new ParsedSpec.Valid(spec(FULL)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{to: main, every: 1h}", "{to: main, every: 1h, bandwidth: 0MiB/s}"})
    void without_keep_and_bandwidth_all_are_kept_and_nothing_is_limited(String backup) {
        assertThat(spec(backup).backup()).isEqualTo(new BackupSchedule("main", 60, null, 0));
        assertThat(ClusterSpecs.parse(SpecText.write(spec(backup)))).isEqualTo(new ParsedSpec.Valid(spec(backup)));
    }

    @Test
    void without_days_the_newest_are_kept() {
        assertThat(spec("{to: main, every: 365d, keep: {last: 1}}").backup())
                .isEqualTo(new BackupSchedule("main", 365 * 24 * 60, new Keep(1, 0), 0));
    }

    @Test
    void without_a_schedule_backups_run_only_on_request() {
        assertThat(((ParsedSpec.Valid) ClusterSpecs.parse(ClusterSpecsTest.RIDES))
                        .spec()
                        .backup())
                .isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{every: 6h} | backup.to",
                "{to: ../main, every: 6h} | backup.to",
                "{to: main} | backup.every",
                "{to: main, every: 59m} | backup.every",
                "{to: main, every: 366d} | backup.every",
                "{to: main, every: daily} | backup.every",
                "{to: main, every: 6h, keep: {daily: 7}} | backup.keep.last",
                "{to: main, every: 6h, keep: {last: 0}} | backup.keep.last",
                "{to: main, every: 6h, keep: {last: 4, daily: -1}} | backup.keep.daily",
                "{to: main, every: 6h, keep: {last: 4, weekly: 5}} | backup.keep.weekly",
                "{to: main, every: 6h, bandwidth: 100MiB} | backup.bandwidth",
                "{to: main, every: 6h, bandwidth: -1MiB/s} | backup.bandwidth",
                "{to: main, every: 6h, bandwidth: fast} | backup.bandwidth",
                "{to: main, every: 6h, keys: x} | backup.keys"
            })
    void problems_are_reported_by_field(String backup, String field) {
        assertThat(parse(backup).problems()).singleElement().satisfies(p -> assertThat(p.field())
                .isEqualTo(field));
    }

    @Test
    void it_may_change_at_any_time_and_no_node_restarts() {
        SpecDiff diff = SpecDiff.between(spec(FULL), spec("{to: other, every: 1d}"));
        assertThat(diff.changes()).singleElement().satisfies(c -> {
            assertThat(c.line())
                    .isEqualTo("backup: to main every 6h, keep last 4, daily 7, bandwidth 100MiB/s"
                            + " -> to other every 1d");
            assertThat(c.supportedAt()).isEqualTo(EnumSet.allOf(SpecDiff.Progress.class));
        });
        assertThat(diff.ofNode()).isEmpty();
        assertThat(SpecDiff.between(spec(FULL), spec(FULL)).isEmpty()).isTrue();
    }
}
