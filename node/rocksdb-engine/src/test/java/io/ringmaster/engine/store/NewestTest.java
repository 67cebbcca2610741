package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewestTest {
    private static final byte[] KEY = {1, 2, 3};

    private final List<Long> remembered = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private final Newest newest = new Newest(Long.MIN_VALUE, remembered::add);

    private void write(Newest to, long timestamp, boolean isWhole) {
        Merge merge = new Merge(KEY, new byte[1], 1, timestamp, () -> isWhole);
        to.write(merge, () -> written.add("added " + timestamp), () -> written.add("replaced " + timestamp));
    }

    @Test
    void only_a_whole_record_that_is_newer_than_all_before_replaces_them() {
        write(newest, 10, true);
        write(newest, 12, false);
        write(newest, 11, true);
        write(newest, 13, true);
        assertThat(written).containsExactly("replaced 10", "added 12", "added 11", "replaced 13");
    }

    @Test
    void of_two_with_one_timestamp_the_second_is_reconciled_with_the_first() {
        write(newest, 10, true);
        write(newest, 10, true);
        assertThat(written).containsExactly("replaced 10", "added 10");
    }

    @Test
    void what_is_taken_over_counts_for_all_keys() {
        newest.announceAnywhere(20);
        write(newest, 20, true);
        write(newest, 21, true);
        assertThat(written).containsExactly("added 20", "replaced 21");
    }

    @Test
    void after_a_restart_what_was_stored_before_is_not_replaced_by_anything_older() {
        write(newest, 10, false);
        Newest restarted = new Newest(remembered.get(remembered.size() - 1), remembered::add);
        write(restarted, 10, true);
        write(restarted, 11, true);
        assertThat(written).containsExactly("added 10", "added 10", "added 11");
        long later = remembered.get(remembered.size() - 1) + 1;
        write(restarted, later, true);
        assertThat(written).endsWith("replaced " + later);
    }

    @Test
    void the_bound_is_remembered_seldom() {
        for (long timestamp = 0; timestamp < 1000; timestamp++) {
            write(newest, timestamp, true);
        }
        assertThat(remembered).hasSize(1);
    }

    @Test
    void the_bound_is_kept_ahead_only_of_what_is_written() {
        newest.keepAhead(1_000_000);
        assertThat(remembered).isEmpty();
        write(newest, 1_000_000, true);
        newest.keepAhead(200_000_000);
        newest.keepAhead(400_000_000);
        assertThat(remembered).hasSize(2);
        assertThat(remembered.get(1)).isGreaterThan(200_000_000);
    }
}
