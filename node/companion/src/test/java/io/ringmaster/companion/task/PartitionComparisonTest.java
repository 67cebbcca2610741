package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.companion.task.PartitionComparison.Outcome;
import io.ringmaster.companion.task.PartitionComparison.Read;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PartitionComparisonTest {
    private static final TokenRange RANGE = new TokenRange(0, 10_000);

    /** A node with these partitions. */
    private static Read node(Long... tokens) {
        return range -> List.of(tokens).stream()
                .filter(t -> t > range.left() && t <= range.right())
                .sorted()
                .limit(PartitionComparison.PARTITIONS_PER_READ)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Read node(LongStream tokens) {
        return node(tokens.boxed().toArray(Long[]::new));
    }

    private static Outcome compare(Read here, Map<String, Read> replicas) throws InterruptedException {
        return new PartitionComparison("trips.place of dc1", here, replicas, Duration.ZERO)
                .compare(RANGE, new Progress());
    }

    @Test
    void replicas_with_all_partitions_pass_whatever_else_they_have() throws Exception {
        assertThat(compare(node(1L, 5L), Map.of("a", node(1L, 5L), "b", node(1L, 3L, 5L))))
                .isEqualTo(new Outcome(2, Long.MAX_VALUE));
    }

    @Test
    void one_missing_partition_stops_it_and_names_replica_and_table() {
        assertThatThrownBy(() -> compare(node(1L, 5L, 7L), Map.of("10.0.0.1:7000", node(1L, 7L))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("table trips.place of dc1: 10.0.0.1:7000 has only 2 of 3 partitions looked at");
    }

    @Test
    void the_last_partition_of_many_is_not_overlooked() {
        Read here = node(LongStream.rangeClosed(1, PartitionComparison.PARTITIONS_PER_READ - 1));
        Read there = node(LongStream.rangeClosed(1, PartitionComparison.PARTITIONS_PER_READ - 2));
        assertThatThrownBy(() -> compare(here, Map.of("a", there))).hasMessageContaining("has only 198 of 199");
    }

    @Test
    void a_large_range_is_compared_up_to_where_the_first_of_the_reads_ends() throws Exception {
        Read here = node(LongStream.rangeClosed(1, 1000).map(t -> 2 * t));
        Read there = node(LongStream.rangeClosed(1, 2000));
        assertThat(compare(here, Map.of("a", there))).isEqualTo(new Outcome(200, 200));
    }

    @Test
    void a_partition_that_arrives_meanwhile_is_found_when_it_is_looked_at_again() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Read late = range -> looks.incrementAndGet() < 3
                ? node(1L).tokens(range)
                : node(1L, 5L).tokens(range);
        assertThat(compare(node(1L, 5L), Map.of("a", late)).partitions()).isEqualTo(2);
        assertThat(looks).hasValue(3);
    }

    @Test
    void a_replica_that_cannot_be_read_stops_it() {
        Read unreadable = range -> {
            throw new TimeoutException("no answer in 30 s");
        };
        assertThatThrownBy(() -> compare(node(1L), Map.of("a", unreadable)))
                .hasMessage("table trips.place of dc1: cannot be read: no answer in 30 s");
    }
}
