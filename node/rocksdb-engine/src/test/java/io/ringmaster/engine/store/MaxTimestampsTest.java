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

class MaxTimestampsTest {
    private static final byte[] KEY = {1, 2, 3};
    private static final int COLUMNS = 3;

    private static final byte[] OTHER_KEY = {4, 5, 6};
    private static final long MINUTE = 60_000_000;

    private final List<String> persisted = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private long now;
    private final MaxTimestamps timestamps = create(TimestampBounds.NONE);

    private MaxTimestamps create(TimestampBounds bounds) {
        return new MaxTimestamps(bounds, () -> now, persisted::add);
    }

    private MaxTimestamps restarted() {
        return create(TimestampBounds.read(persisted.get(persisted.size() - 1)));
    }

    private void write(MaxTimestamps to, long timestamp, boolean isWhole) {
        write(to, KEY, timestamp, isWhole);
    }

    private void write(MaxTimestamps to, byte[] key, long timestamp, boolean isWhole) {
        MergeOperand merge = new MergeOperand(key, new byte[1], 1, timestamp, () -> isWhole);
        to.write(merge, () -> written.add("added " + timestamp), () -> written.add("replaced " + timestamp));
    }

    @Test
    void only_a_full_row_newer_than_all_data_of_its_key_replaces_it() {
        write(timestamps, 10, true);
        write(timestamps, 12, false);
        write(timestamps, 11, true);
        write(timestamps, 13, true);
        assertThat(written).containsExactly("replaced 10", "added 12", "added 11", "replaced 13");
    }

    @Test
    void the_second_of_two_rows_with_one_timestamp_is_merged_with_the_first() {
        write(timestamps, 10, true);
        write(timestamps, 10, true);
        assertThat(written).containsExactly("replaced 10", "added 10");
    }

    @Test
    void an_ingested_file_counts_for_its_keys() {
        long[] maxima = MaxTimestamps.none();
        maxima[MaxTimestamps.slot(KEY)] = 20;
        timestamps.raiseAll(maxima);
        write(timestamps, 20, true);
        write(timestamps, 21, true);
        write(timestamps, OTHER_KEY, 5, true);
        assertThat(written).containsExactly("added 20", "replaced 21", "replaced 5");
    }

    @Test
    void after_a_restart_no_older_row_replaces_stored_data() {
        write(timestamps, 10, false);
        MaxTimestamps restarted = restarted();
        write(restarted, 10, true);
        write(restarted, 11, true);
        assertThat(written).containsExactly("added 10", "added 10", "added 11");
        now = 2 * MINUTE;
        write(restarted, now, true);
        assertThat(written).endsWith("replaced " + now);
    }

    /** As of a client whose timestamps are in nanoseconds. */
    @Test
    void a_timestamp_of_the_future_leaves_other_keys_alone_after_a_restart() {
        long future = 1_000_000 * MINUTE;
        write(timestamps, future, true);
        write(timestamps, OTHER_KEY, 1, true);
        MaxTimestamps restarted = restarted();
        now = 2 * MINUTE;
        write(restarted, now, true);
        write(restarted, future + 1, true);
        write(restarted, OTHER_KEY, now, true);
        assertThat(written)
                .containsExactly(
                        "replaced " + future, "replaced 1", "added " + now, "added " + (future + 1), "replaced " + now);
    }

    @Test
    void a_timestamp_of_the_future_is_forgotten_when_it_is_past() {
        long future = 10 * MINUTE;
        write(timestamps, future, true);
        now = 30 * MINUTE;
        write(timestamps, OTHER_KEY, now, true);
        assertThat(TimestampBounds.read(persisted.get(persisted.size() - 1)).future())
                .isEmpty();
    }

    @Test
    void a_clock_that_is_ahead_rarely_persists_a_bound() {
        for (long second = 0; second < 100_000; second++) {
            now = second * 1_000_000;
            write(timestamps, (1_000_000 + second) * 1_000_000_000, true);
        }
        assertThat(persisted).hasSizeLessThan(20);
    }

    @Test
    void the_bound_is_rarely_persisted() {
        for (long timestamp = 0; timestamp < 1000; timestamp++) {
            write(timestamps, timestamp, true);
        }
        assertThat(persisted).hasSize(1);
    }

    @Test
    void the_bound_is_extended_only_if_the_table_is_written() {
        timestamps.extendBounds();
        assertThat(persisted).isEmpty();
        write(timestamps, 1_000_000, true);
        now = 200_000_000;
        timestamps.extendBounds();
        now = 400_000_000;
        timestamps.extendBounds();
        assertThat(persisted).hasSize(2);
        assertThat(TimestampBounds.read(persisted.get(1)).common()).isGreaterThan(200_000_000);
    }

    @Test
    void the_newest_value_of_each_column_survives_concurrent_writes() throws Exception {
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
            MergeOperand merge = new MergeOperand(KEY, new byte[1], 1, timestamp, () -> isWhole);
            timestamps.write(merge, () -> put(stored, record, false), () -> put(stored, record, true));
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
