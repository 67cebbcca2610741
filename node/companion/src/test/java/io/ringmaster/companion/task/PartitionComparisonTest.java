package io.ringmaster.companion.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.companion.CassandraParts;
import io.ringmaster.companion.task.PartitionComparison.MissingException;
import io.ringmaster.companion.task.PartitionComparison.Outcome;
import io.ringmaster.companion.task.PartitionComparison.Read;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.filter.TombstoneOverwhelmingException;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.net.MessagingService.FailureResponseException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PartitionComparisonTest {
    private static final TokenRange RANGE = new TokenRange(0, 10_000);
    private static final TokenRange RING = new TokenRange(Long.MIN_VALUE, Long.MAX_VALUE);

    @BeforeAll
    static void start() {
        CassandraParts.start();
    }

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

    /** Refuses reads of this token together with any other one. */
    private static Read refusing(long token, Read node, RuntimeException local) {
        return range -> {
            if (range.left() < token && token <= range.right() && !range.isOneToken()) {
                throw local;
            }
            return node.tokens(range);
        };
    }

    private static TombstoneOverwhelmingException tombstones() {
        TableMetadata table = TableMetadata.builder("trips", "queue")
                .partitioner(Murmur3Partitioner.instance)
                .addPartitionKeyColumn("id", Int32Type.instance)
                .build();
        return new TombstoneOverwhelmingException(
                100_001,
                "SELECT DISTINCT",
                table,
                Murmur3Partitioner.instance.decorateKey(Int32Type.instance.decompose(7)),
                Clustering.EMPTY);
    }

    private static Outcome compare(TokenRange range, long most, Map<String, Read> known, Map<String, Read> checked)
            throws InterruptedException {
        return new PartitionComparison("trips.place of dc1", known, checked, Duration.ZERO)
                .compare(range, most, new Progress());
    }

    private static long compare(Read here, Map<String, Read> replicas) throws InterruptedException {
        Outcome outcome = compare(RANGE, Long.MAX_VALUE, Map.of("this node", here), replicas);
        assertThat(outcome.end()).isEqualTo(RANGE.right());
        return outcome.partitions();
    }

    @Test
    void replicas_with_all_partitions_pass_whatever_else_they_have() throws Exception {
        assertThat(compare(node(1L, 5L), Map.of("a", node(1L, 5L), "b", node(1L, 3L, 5L))))
                .isEqualTo(2);
    }

    @Test
    void one_missing_partition_stops_it_and_names_replica_and_table() {
        assertThatThrownBy(() -> compare(node(1L, 5L, 7L), Map.of("10.0.0.1:7000", node(1L, 7L))))
                .isInstanceOf(MissingException.class)
                .hasMessage("table trips.place of dc1: 10.0.0.1:7000 has only 2 of 3 partitions looked at");
    }

    @Test
    void what_only_some_of_the_known_nodes_have_may_be_deleted() throws Exception {
        Map<String, Read> known = Map.of("a", node(1L, 5L, 9L), "b", node(1L, 7L, 9L));
        assertThat(compare(RANGE, 100, known, Map.of("this node", node(1L, 9L))).partitions())
                .isEqualTo(2);
        assertThatThrownBy(() -> compare(RANGE, 100, known, Map.of("this node", node(1L, 5L, 7L))))
                .hasMessage("table trips.place of dc1: this node has only 1 of 2 partitions looked at");
    }

    @Test
    void a_known_node_that_lost_its_rows_hides_nothing() {
        Map<String, Read> known = Map.of("a", node(1L, 5L, 9L), "b", node(1L, 5L, 9L), "c", node());
        assertThatThrownBy(() -> compare(RANGE, 100, known, Map.of("this node", node(1L, 9L))))
                .hasMessage("table trips.place of dc1: this node has only 2 of 3 partitions looked at");
    }

    @Test
    void partitions_that_are_deleted_all_the_time_are_not_missing() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Read queue = range -> node(1L, 10L + looks.incrementAndGet()).tokens(range);
        assertThat(compare(queue, Map.of("a", node(1L)))).isEqualTo(2);
        assertThat(looks).hasValue(2);
    }

    @Test
    void without_a_replica_nothing_counts_as_found() {
        assertThatThrownBy(() -> compare(node(1L), Map.of()))
                .hasMessage("table trips.place of dc1: no replica to compare with");
    }

    @Test
    void the_last_partition_of_many_is_not_overlooked() {
        Read here = node(LongStream.rangeClosed(1, 399));
        Read there = node(LongStream.rangeClosed(1, 398));
        assertThatThrownBy(() -> compare(here, Map.of("a", there))).hasMessageContaining("has only 198 of 199");
    }

    @Test
    void a_large_range_is_compared_up_to_where_the_first_of_the_reads_ends() throws Exception {
        Map<String, Read> here =
                Map.of("this node", node(LongStream.rangeClosed(1, 1000).map(t -> 2 * t)));
        Map<String, Read> there = Map.of("a", node(LongStream.rangeClosed(1, 2000)));
        assertThat(compare(RANGE, 1, here, there)).isEqualTo(new Outcome(100, 200, 200, 0));
        assertThat(compare(RANGE, 201, here, there)).isEqualTo(new Outcome(200, 400, 400, 0));
        assertThat(compare(RANGE, Long.MAX_VALUE, here, there).partitions()).isEqualTo(1000);
    }

    @Test
    void a_partition_that_arrives_meanwhile_is_found_when_it_is_looked_at_again() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        Read late = range -> looks.incrementAndGet() < 3
                ? node(1L).tokens(range)
                : node(1L, 5L).tokens(range);
        assertThat(compare(node(1L, 5L), Map.of("a", late))).isEqualTo(2);
        assertThat(looks).hasValue(3);
    }

    @Test
    void a_replica_that_cannot_be_read_stops_it() {
        AtomicInteger looks = new AtomicInteger();
        Read unreadable = range -> {
            looks.incrementAndGet();
            throw new TimeoutException("no answer in 30 s");
        };
        assertThatThrownBy(() -> compare(node(1L), Map.of("a", unreadable)))
                .isNotInstanceOf(MissingException.class)
                .hasMessage("table trips.place of dc1: cannot be read: no answer in 30 s");
        assertThat(looks).hasValue(10);
    }

    @Test
    void what_takes_too_long_is_read_in_smaller_parts() throws Exception {
        List<TokenRange> parts = new ArrayList<>();
        Read slow = range -> {
            if (range.length() > 2500) {
                throw new TimeoutException("no answer in 30 s");
            }
            parts.add(range);
            return node(1L, 9_999L).tokens(range);
        };
        assertThat(compare(slow, Map.of("a", node(1L, 9_999L)))).isEqualTo(2);
        assertThat(parts.get(0)).isEqualTo(new TokenRange(0, 2500));
        assertThat(parts.get(parts.size() - 1).right()).isEqualTo(RANGE.right());
    }

    @Test
    void tombstones_around_a_partition_here_are_read_past() throws Exception {
        Read all = node(-7_000_000_000_000_000_000L, 1L, 5L, 7L, 7_000_000_000_000_000_000L);
        Map<String, Read> here = Map.of("this node", refusing(5, all, tombstones()));
        Outcome outcome = compare(RING, Long.MAX_VALUE, here, Map.of("a", all));
        assertThat(outcome.partitions()).isEqualTo(5);
        assertThat(outcome.end()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void a_partition_that_a_replica_refuses_for_its_tombstones_names_the_table_and_the_parameter() throws Exception {
        AtomicInteger reads = new AtomicInteger();
        var answer = new FailureResponseException(
                FBUtilities.getBroadcastAddressAndPort(), RequestFailureReason.READ_TOO_MANY_TOMBSTONES);
        Read refused = range -> {
            if (range.left() < 5 && 5 <= range.right()) {
                reads.incrementAndGet();
                throw new ExecutionException(answer);
            }
            return node(1L).tokens(range);
        };
        assertThatThrownBy(() -> compare(RING, Long.MAX_VALUE, Map.of("this node", node(1L)), Map.of("a", refused)))
                .isNotInstanceOf(MissingException.class)
                .hasMessageStartingWith("table trips.place of dc1: cannot be read: Failure from ")
                .hasMessageEndingWith(": READ_TOO_MANY_TOMBSTONES: raise tombstone_failure_threshold, then retry");
        assertThat(reads).hasValueLessThan(200);
    }

    @Test
    void a_table_that_is_not_there_is_no_failure_to_read() {
        AtomicInteger reads = new AtomicInteger();
        Read dropped = range -> {
            reads.incrementAndGet();
            throw new InvalidRequestException("table place does not exist");
        };
        assertThatThrownBy(() -> compare(dropped, Map.of("a", node(1L)))).isInstanceOf(InvalidRequestException.class);
        assertThat(reads).hasValue(1);
    }

    @Test
    void a_stop_ends_it() throws Exception {
        Progress progress = new Progress();
        Read missing = range -> {
            progress.stop();
            return node().tokens(range);
        };
        assertThat(new PartitionComparison("t", Map.of("a", node(1L)), Map.of("b", missing), Duration.ofHours(1))
                        .compare(RANGE, 100, progress)
                        .partitions())
                .isZero();
    }
}
