package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Keys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.BufferClusteringBound;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringPrefix.Kind;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A partition with a range tombstone for each of many values of a clustering column. */
class ManyRangesTest {
    private static final int RANGES = 20_000;
    /** Far below the time of an algorithm that compares each range with each other one. */
    private static final long LIMIT_SECONDS = 30;

    private TableMetadata metadata;
    private RocksDBMemtable memtable;
    private DecoratedKey partition;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse(
                        "CREATE TABLE ranges (p int, a int, b int, v int, PRIMARY KEY (p, a, b))", "ks")
                .build();
        memtable = (RocksDBMemtable) InProcess.rocksDB(metadata);
        partition = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(1));
        List<Integer> values = new ArrayList<>(
                IntStream.range(0, RANGES).map(i -> 2 * i).boxed().toList());
        Collections.shuffle(values, new Random(1));
        for (int i = 0; i < RANGES; i++) {
            delete(values.get(i), i + 1);
        }
    }

    @AfterEach
    void drop() {
        InProcess.discard(memtable);
    }

    /** As {@code DELETE FROM ranges WHERE p = 1 AND a = ?}. */
    private void delete(int a, long timestamp) {
        PartitionUpdate.Builder update =
                new PartitionUpdate.Builder(metadata, partition, metadata.regularAndStaticColumns(), 1);
        update.add(new RangeTombstone(slice(a), DeletionTime.build(timestamp, 1)));
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(update.build(), UpdateTransaction.NO_OP, group);
        }
    }

    private static Slice slice(int a) {
        return Slice.make(bound(Kind.INCL_START_BOUND, a), bound(Kind.INCL_END_BOUND, a));
    }

    private static ClusteringBound<?> bound(Kind kind, int a) {
        return BufferClusteringBound.create(kind, new java.nio.ByteBuffer[] {ByteBufferUtil.bytes(a)});
    }

    private int markers(Slices slices) {
        int markers = 0;
        try (UnfilteredRowIterator read = Objects.requireNonNull(memtable.rowIterator(
                partition, slices, ColumnFilter.all(metadata), false, SSTableReadsListener.NOOP_LISTENER))) {
            while (read.hasNext()) {
                read.next();
                markers++;
            }
        }
        return markers;
    }

    private Slices only(int a) {
        return Slices.with(metadata.comparator, slice(a));
    }

    @Test
    void theyAreReadInSecondsWhileTheyLieInTheWriteBuffer() throws Exception {
        CompletableFuture.runAsync(() -> {
                    assertThat(markers(only(RANGES)))
                            .as("open and close of one range")
                            .isEqualTo(2);
                    assertThat(markers(only(RANGES + 1)))
                            .as("between two ranges")
                            .isZero();
                    assertThat(markers(Slices.ALL)).isEqualTo(2 * RANGES);
                })
                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void aReadOfARowDecodesOnlyTheRangesAroundIt() {
        byte[] value = Objects.requireNonNull(memtable.store().get(Keys.header(Keys.partition(partition))));
        assertThat(decoded(value, only(8))).isEqualTo(1);
        assertThat(decoded(value, only(9))).isZero();
        assertThat(decoded(value, Slices.NONE)).isZero();
        assertThat(decoded(value, Slices.ALL)).isEqualTo(RANGES);
        Slices.Builder several = new Slices.Builder(metadata.comparator);
        List.of(3, 4, 100, 101, 2 * RANGES).forEach(a -> several.add(slice(a)));
        several.add(Slice.make(bound(Kind.EXCL_START_BOUND, 200), bound(Kind.EXCL_END_BOUND, 210)));
        assertThat(decoded(value, several.build())).as("4, 100, and 202 to 208").isEqualTo(6);
    }

    private int decoded(byte[] value, Slices slices) {
        return Decoder.header(value, metadata, memtable.store().columns(), null, slices)
                .ranges()
                .size();
    }
}
