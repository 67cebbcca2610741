package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PartitionSampleTest {
    private static SortedSet<Long> tokens(Long... tokens) {
        return new TreeSet<>(List.of(tokens));
    }

    @Test
    void partitions_that_only_other_replicas_have_are_missing_locally() {
        assertThat(PartitionSample.of(tokens(1L, 3L), tokens(1L, 2L, 3L, 4L), 10))
                .isEqualTo(new PartitionSample(4, 2, 0));
    }

    @Test
    void partitions_beyond_the_limit_of_either_read_do_not_count() {
        assertThat(PartitionSample.of(tokens(1L, 2L), tokens(1L, 2L, 3L, 4L), 2))
                .isEqualTo(new PartitionSample(2, 2, 0));
        assertThat(PartitionSample.of(tokens(1L, 5L, 9L), tokens(1L, 2L, 3L), 3))
                .isEqualTo(new PartitionSample(3, 1, 0));
    }

    @Test
    void a_few_missing_partitions_are_tolerated_as_writes_between_the_reads() {
        assertThat(new PartitionSample(100, 99, 0).lacksSome()).isFalse();
        assertThat(new PartitionSample(100, 98, 0).lacksSome()).isTrue();
        assertThat(new PartitionSample(100, 95, 0).lacksMany()).isFalse();
        assertThat(new PartitionSample(100, 94, 0).lacksMany()).isTrue();
        assertThat(PartitionSample.NONE.lacksMany()).isFalse();
    }

    @Test
    void samples_add_up() {
        SortedSet<Long> many = new TreeSet<>(LongStream.range(0, 50).boxed().toList());
        assertThat(PartitionSample.of(tokens(), many, 100).plus(new PartitionSample(1, 1, 0)))
                .hasToString("1 of 51 partitions looked at");
        assertThat(PartitionSample.UNREAD
                        .plus(PartitionSample.NONE)
                        .plus(PartitionSample.UNREAD)
                        .unread())
                .isEqualTo(2);
    }
}
