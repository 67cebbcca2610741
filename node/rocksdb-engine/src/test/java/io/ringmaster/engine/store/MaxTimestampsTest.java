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

    private final List<Long> persisted = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private final MaxTimestamps timestamps = new MaxTimestamps(Long.MIN_VALUE, persisted::add);

    private void write(MaxTimestamps to, long timestamp, boolean isWhole) {
        MergeOperand merge = new MergeOperand(KEY, new byte[1], 1, timestamp, () -> isWhole);
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
    void an_ingested_file_counts_for_all_keys() {
        timestamps.raiseAll(20);
        write(timestamps, 20, true);
        write(timestamps, 21, true);
        assertThat(written).containsExactly("added 20", "replaced 21");
    }

    @Test
    void after_a_restart_no_older_row_replaces_stored_data() {
        write(timestamps, 10, false);
        MaxTimestamps restarted = new MaxTimestamps(persisted.get(persisted.size() - 1), persisted::add);
        write(restarted, 10, true);
        write(restarted, 11, true);
        assertThat(written).containsExactly("added 10", "added 10", "added 11");
        long later = persisted.get(persisted.size() - 1) + 1;
        write(restarted, later, true);
        assertThat(written).endsWith("replaced " + later);
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
        timestamps.extendBound(1_000_000);
        assertThat(persisted).isEmpty();
        write(timestamps, 1_000_000, true);
        timestamps.extendBound(200_000_000);
        timestamps.extendBound(400_000_000);
        assertThat(persisted).hasSize(2);
        assertThat(persisted.get(1)).isGreaterThan(200_000_000);
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
