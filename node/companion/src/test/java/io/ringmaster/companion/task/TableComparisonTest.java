package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.companion.task.PartitionComparison.Read;
import io.ringmaster.companion.task.TableComparison.Compared;
import io.ringmaster.companion.task.TableComparison.Stretch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TableComparisonTest {
    private static final int RANGES = 10;
    private static final long LENGTH = 1000;

    private final AtomicInteger reads = new AtomicInteger();

    private static List<TokenRange> ranges() {
        return LongStream.range(0, RANGES)
                .mapToObj(i -> new TokenRange(i * LENGTH, (i + 1) * LENGTH))
                .toList();
    }

    private Read node(SortedSet<Long> tokens) {
        return range -> {
            reads.incrementAndGet();
            return tokens.subSet(range.left() + 1, range.right() + 1).stream()
                    .limit(PartitionComparison.PARTITIONS_PER_READ)
                    .collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
        };
    }

    private Compared compare(SortedSet<Long> there, SortedSet<Long> here, long most) throws InterruptedException {
        var nodes = new PartitionComparison(
                "trips.place of dc1", Map.of("a", node(there)), Map.of("this node", node(here)), Duration.ZERO);
        return TableComparison.compare(
                TableComparison.stretches(ranges(), r -> "dc1"), replicas -> nodes, most, new Progress());
    }

    private static SortedSet<Long> every(long step) {
        return LongStream.rangeClosed(1, RANGES * LENGTH)
                .filter(t -> t % step == 0)
                .collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
    }

    @Test
    void neighbours_with_the_same_replicas_are_one_stretch() {
        List<TokenRange> apart =
                List.of(new TokenRange(0, 5), new TokenRange(5, 9), new TokenRange(9, 12), new TokenRange(20, 30));
        assertThat(TableComparison.stretches(apart, r -> r.right() <= 9 ? "ab" : "bc"))
                .containsExactly(
                        new Stretch<>(apart.subList(0, 2), "ab"),
                        new Stretch<>(apart.subList(2, 3), "bc"),
                        new Stretch<>(apart.subList(3, 4), "bc"));
    }

    @Test
    void a_small_table_is_looked_at_as_a_whole_in_one_read_of_each_node() throws Exception {
        assertThat(compare(every(100), every(100), 20_000)).isEqualTo(new Compared(100, 1));
        assertThat(reads).hasValue(2);
    }

    @Test
    void one_partition_of_a_small_table_that_is_missing_is_found_wherever_it_is() {
        every(100).forEach(token -> {
            SortedSet<Long> here = every(100);
            here.remove(token);
            assertThatThrownBy(() -> compare(every(100), here, 20_000))
                    .hasMessage("table trips.place of dc1: this node has only 99 of 100 partitions looked at");
        });
    }

    @Test
    void a_table_below_the_limit_is_looked_at_as_a_whole() throws Exception {
        assertThat(compare(every(1), every(1), 20_000)).isEqualTo(new Compared(RANGES * LENGTH, 1));
    }

    @Test
    void the_answer_says_of_which_tables_only_a_part_was_compared() {
        ComparedTables tables = new ComparedTables();
        tables.add("trips.small", 100, 1);
        assertThat(tables.leftOut()).isEmpty();
        tables.add("trips.place", 2200, 0.22);
        assertThat(tables.leftOut())
                .isEqualTo("; of 1 large table only the start of each range, the least of trips.place: 22 % of its"
                        + " tokens");
        tables.add("trips.log", 20_000, 0.001);
        assertThat(tables.partitions()).isEqualTo(22_300);
        assertThat(tables.leftOut())
                .isEqualTo("; of 2 large tables only the start of each range, the least of trips.log: less than 1 % of"
                        + " its tokens");
    }

    @Test
    void of_a_large_table_each_range_is_looked_at() throws Exception {
        assertThat(compare(every(1), every(1), 10)).isEqualTo(new Compared(200 + 200L * RANGES, 0.22));
        SortedSet<Long> here = every(1);
        here.subSet(9 * LENGTH, 9 * LENGTH + 10).clear();
        assertThatThrownBy(() -> compare(every(1), here, 10)).hasMessageContaining("this node has only 191 of 200");
    }
}
