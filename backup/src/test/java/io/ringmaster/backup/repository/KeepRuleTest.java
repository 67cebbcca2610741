package io.ringmaster.backup.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeepRuleTest {
    private static final BackupId MONDAY = new BackupId("20261116T040000Z-0001");
    private static final BackupId SUNDAY_EARLY = new BackupId("20261122T000000Z-0002");
    private static final BackupId SUNDAY_LATE = new BackupId("20261122T235959Z-0003");
    private static final BackupId TODAY = new BackupId("20261124T040000Z-0004");
    private static final Instant NOW = TODAY.time().plusSeconds(60);
    private static final List<BackupId> ALL = List.of(SUNDAY_LATE, MONDAY, TODAY, SUNDAY_EARLY);

    @Test
    void the_newest_of_each_day_that_has_one_is_kept() {
        assertThat(new KeepRule(1, 3).kept(ALL, NOW))
                .containsExactly(entry(TODAY, "last 1"), entry(SUNDAY_LATE, "daily 2"), entry(MONDAY, "daily 3"));
    }

    @Test
    void the_newest_ones_are_kept_whatever_their_day() {
        assertThat(new KeepRule(3, 1).kept(ALL, NOW)).containsOnlyKeys(TODAY, SUNDAY_LATE, SUNDAY_EARLY);
        assertThat(new KeepRule(9, 0).kept(ALL, NOW)).hasSize(4);
        assertThat(new KeepRule(1, 1).kept(List.of(), NOW)).isEmpty();
    }

    @Test
    void an_id_of_the_future_counts_as_one_of_now() {
        BackupId next = new BackupId("20271124T040000Z-0005");
        BackupId last = new BackupId("20271125T040000Z-0006");
        assertThat(new KeepRule(1, 3).kept(List.of(MONDAY, SUNDAY_LATE, next, last), NOW))
                .containsExactly(entry(last, "last 1"), entry(SUNDAY_LATE, "daily 2"), entry(MONDAY, "daily 3"));
        BackupId soon = new BackupId("20261125T030000Z-0007");
        assertThat(new KeepRule(1, 0).kept(List.of(soon, next), NOW))
                .as("clocks differ by hours")
                .containsOnlyKeys(soon);
    }

    @Test
    void a_rule_that_keeps_none_is_refused() {
        assertThatThrownBy(() -> new KeepRule(0, 7)).hasMessageContaining("last:");
    }
}
