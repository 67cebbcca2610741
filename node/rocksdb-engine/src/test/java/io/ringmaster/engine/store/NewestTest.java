package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NewestTest {
    private static final byte[] KEY = {1, 2, 3};
    private static final int COLUMNS = 3;

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

    @Test
    void whatever_is_written_at_once_the_newest_of_each_column_stays() throws Exception {
        ExecutorService writers = Executors.newFixedThreadPool(4);
        try {
            for (int round = 0; round < 500; round++) {
                List<long[]> stored = new ArrayList<>();
                List<long[]> offered = Collections.synchronizedList(new ArrayList<>());
                List<Callable<Void>> writes = new ArrayList<>();
                for (int writer = 0; writer < 4; writer++) {
                    Random random = new Random(round * 4L + writer);
                    long first = round * 100L;
                    writes.add(() -> writeAny(first, random, stored, offered));
                }
                for (Future<Void> write : writers.invokeAll(writes, 60, TimeUnit.SECONDS)) {
                    write.get();
                }
                assertThat(newestOf(stored)).as("round %d", round).isEqualTo(newestOf(offered));
            }
        } finally {
            writers.shutdownNow();
        }
    }

    private Void writeAny(long first, Random random, List<long[]> stored, List<long[]> offered) {
        for (int i = 0; i < 30; i++) {
            long timestamp = first + random.nextInt(100);
            boolean isWhole = random.nextBoolean();
            int only = random.nextInt(COLUMNS);
            long[] record = new long[COLUMNS];
            Arrays.setAll(record, column -> isWhole || column == only ? timestamp : 0);
            offered.add(record);
            Merge merge = new Merge(KEY, new byte[1], 1, timestamp, () -> isWhole);
            newest.write(merge, () -> put(stored, record, false), () -> put(stored, record, true));
        }
        return null;
    }

    private static void put(List<long[]> stored, long[] record, boolean inPlaceOfAll) {
        synchronized (stored) {
            if (inPlaceOfAll) {
                stored.clear();
            }
            stored.add(record);
        }
    }

    private static long[] newestOf(List<long[]> records) {
        long[] greatest = new long[COLUMNS];
        for (long[] record : records) {
            Arrays.setAll(greatest, column -> Math.max(greatest[column], record[column]));
        }
        return greatest;
    }
}
