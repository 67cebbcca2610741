package io.ringmaster.backup.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.List;
import org.junit.jupiter.api.Test;

class KeepRuleTest {
    private static final BackupId MONDAY = new BackupId("20261116T040000Z-0001");
    private static final BackupId SUNDAY_EARLY = new BackupId("20261122T000000Z-0002");
    private static final BackupId SUNDAY_LATE = new BackupId("20261122T235959Z-0003");
    private static final BackupId TODAY = new BackupId("20261124T040000Z-0004");
    private static final List<BackupId> ALL = List.of(SUNDAY_LATE, MONDAY, TODAY, SUNDAY_EARLY);

    @Test
    void the_newest_of_each_day_that_has_one_is_kept() {
        assertThat(new KeepRule(1, 3).kept(ALL))
                .containsExactly(entry(TODAY, "last 1"), entry(SUNDAY_LATE, "daily 2"), entry(MONDAY, "daily 3"));
    }

    @Test
    void the_newest_ones_are_kept_whatever_their_day() {
        assertThat(new KeepRule(3, 1).kept(ALL)).containsOnlyKeys(TODAY, SUNDAY_LATE, SUNDAY_EARLY);
        assertThat(new KeepRule(9, 0).kept(ALL)).hasSize(4);
        assertThat(new KeepRule(1, 1).kept(List.of())).isEmpty();
    }

    @Test
    void a_rule_that_keeps_none_is_refused() {
        assertThatThrownBy(() -> new KeepRule(0, 7)).hasMessageContaining("last:");
    }
}
