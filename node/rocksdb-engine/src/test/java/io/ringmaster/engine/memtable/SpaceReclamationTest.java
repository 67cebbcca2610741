package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.purge.StorePurger;
import io.ringmaster.engine.tombstone.TombstoneSweep;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.WriteOptions;

/** Overwritten, deleted and expired data is removed, by the native library and, without it, in Java. */
class SpaceReclamationTest {
    private static final int KEYS = 200;
    private static final int VALUE_BYTES = 1000;

    private TableMetadata metadata;
    private RocksDBMemtable memtable;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse(
                        "CREATE TABLE pile (p int PRIMARY KEY, v blob) WITH gc_grace_seconds = 30", "ks")
                .build();
        memtable = (RocksDBMemtable) InProcess.rocksDB(metadata);
    }

    @AfterEach
    void drop() {
        if (memtable != null) {
            InProcess.discard(memtable);
        }
    }

    private void put(int key, Row row) {
        DecoratedKey partition = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(key));
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(PartitionUpdate.singleRowUpdate(metadata, partition, row), UpdateTransaction.NO_OP, group);
        }
    }

    private Row row(long timestamp, int ttl, long expiration) {
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addPrimaryKeyLivenessInfo(LivenessInfo.withExpirationTime(timestamp, ttl, expiration));
        ColumnMetadata column = metadata.getColumn(ByteBufferUtil.bytes("v"));
        row.addCell(new BufferCell(column, timestamp, ttl, expiration, ByteBuffer.allocate(VALUE_BYTES), null));
        return row.build();
    }

    private long fileBytes() {
        return memtable.store().property("rocksdb.total-sst-files-size");
    }

    @Test
    void overwritingTheSameRowsKeepsTheSpaceConstantAndOneVersionOfEach() {
        long timestamp = FBUtilities.timestampMicros();
        for (int round = 0; round < 60; round++) {
            for (int key = 0; key < KEYS; key++) {
                put(key, row(timestamp + round, LivenessInfo.NO_TTL, LivenessInfo.NO_EXPIRATION_TIME));
            }
            memtable.store().flush();
        }
        memtable.compact();
        assertThat(memtable.store().property("rocksdb.estimate-num-keys")).isEqualTo(KEYS);
        assertThat(memtable.store().property("rocksdb.estimate-live-data-size")).isLessThan(2L * KEYS * VALUE_BYTES);
        assertThat(fileBytes()).isLessThan(2L * KEYS * VALUE_BYTES);
    }

    /** A purge in Java reads a record and writes it back. A write between the two must not be lost. */
    @Test
    void noWriteIsLostWhileRecordsAreMerged() throws Exception {
        long timestamp = FBUtilities.timestampMicros();
        int rounds = 5000;
        TableMetadataRef reference = TableMetadataRef.forOfflineTools(metadata);
        List<CompletableFuture<Void>> writers = IntStream.range(0, 4)
                .mapToObj(writer -> CompletableFuture.runAsync(() -> {
                    for (int round = 0; round < rounds; round++) {
                        put(writer, row(timestamp + round, LivenessInfo.NO_TTL, LivenessInfo.NO_EXPIRATION_TIME));
                    }
                }))
                .toList();
        CompletableFuture<Void> written = CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new));
        while (!written.isDone()) {
            for (int i = 0; i < 100; i++) {
                StorePurger.purge(memtable.store(), reference);
            }
            memtable.compact();
        }
        written.get(1, TimeUnit.MINUTES);
        for (int key = 0; key < writers.size(); key++) {
            assertThat(timestamp(key)).as("the newest write of %s", key).isEqualTo(timestamp + rounds - 1);
        }
    }

    private long timestamp(int key) {
        DecoratedKey partition = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(key));
        try (UnfilteredRowIterator rows = memtable.rowIterator(partition)) {
            return ((Row) rows.next()).primaryKeyLivenessInfo().timestamp();
        }
    }

    @Test
    void withoutClusteringColumnsADeletedPartitionIsRemovedWithItsDeletion() throws Exception {
        long now = FBUtilities.nowInSeconds();
        for (int key = 0; key < KEYS; key++) {
            put(key, row((now - 100) * 1_000_000, LivenessInfo.NO_TTL, LivenessInfo.NO_EXPIRATION_TIME));
            delete(key, (now - 99) * 1_000_000, now - 99);
        }
        memtable.compact();
        assertThat(fileBytes()).as("the rows are gone, the deletions are not").isLessThan(100L * KEYS);
        InProcess.awaitNextSecond();
        memtable.table().retention().update(30, () -> Long.MAX_VALUE);
        memtable.compact();
        memtable.compact();
        assertThat(memtable.store().isEmpty()).isTrue();
    }

    private void delete(int key, long timestamp, long localTime) {
        DecoratedKey partition = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(key));
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(
                    PartitionUpdate.fullPartitionDelete(metadata, partition, timestamp, localTime),
                    UpdateTransaction.NO_OP,
                    group);
        }
    }

    private void createClustered(String table) {
        InProcess.discard(memtable);
        metadata = CreateTableStatement.parse(
                        "CREATE TABLE " + table + " (p int, c int, v blob, PRIMARY KEY (p, c))"
                                + " WITH gc_grace_seconds = 30",
                        "ks")
                .build();
        memtable = (RocksDBMemtable) InProcess.rocksDB(metadata);
    }

    private void fillClustered(long timestamp) {
        for (int key = 0; key < KEYS; key++) {
            Row.Builder row = BTreeRow.sortedBuilder();
            row.newRow(Clustering.make(ByteBufferUtil.bytes(key)));
            row.addPrimaryKeyLivenessInfo(LivenessInfo.create(timestamp, FBUtilities.nowInSeconds()));
            row.addCell(BufferCell.live(
                    metadata.getColumn(ByteBufferUtil.bytes("v")), timestamp, ByteBuffer.allocate(VALUE_BYTES)));
            put(key % 10, row.build());
        }
    }

    /** Compactions of sstables ask for partitions and close nothing. An open iterator keeps the files that it reads. */
    @Test
    void aPartitionThatWasAskedForAndNotReadKeepsNoFile() {
        createClustered("asked");
        long timestamp = FBUtilities.timestampMicros();
        for (int round = 0; round < 3; round++) {
            fillClustered(timestamp + round);
            memtable.store().flush();
            assertThat(memtable.rowIterator(metadata.partitioner.decorateKey(ByteBufferUtil.bytes(round))))
                    .isNotNull();
            assertThat(memtable.rowIterator(metadata.partitioner.decorateKey(ByteBufferUtil.bytes(-1))))
                    .isNull();
        }
        memtable.compact();
        assertThat(fileBytes())
                .as("all files and those of the current version")
                .isEqualTo(memtable.store().property("rocksdb.live-sst-files-size"));
    }

    @Test
    void aSweepRemovesRowsOfDeletedPartitionsAndThenTheDeletions() throws Exception {
        createClustered("swept");
        long now = FBUtilities.nowInSeconds();
        long then = (now - 100) * 1_000_000 + 734_567;
        fillClustered(then);
        for (int key = 0; key < 9; key++) {
            delete(key, then + 1, now - 100);
        }
        InProcess.awaitNextSecond();
        memtable.table().retention().update(30, () -> Long.MAX_VALUE);
        memtable.compact();
        memtable.compact();
        assertThat(fileBytes()).as("not swept yet").isGreaterThan((long) KEYS * VALUE_BYTES / 100);
        assertThat(memtable.table().retention().needsSweep()).as("so soon").isFalse();

        long start = FBUtilities.nowInSeconds();
        long swept = new TombstoneSweep(
                        memtable.store(), metadata, new WriteOptions().setDisableWAL(true), RateLimiter.create(1e9))
                .run();
        assertThat(swept).isEqualTo(KEYS / 10 * 9);
        memtable.table().retention().markSwept(start);
        memtable.compact();
        memtable.compact();
        assertThat(memtable.store().property("rocksdb.estimate-num-keys"))
                .as("the rows of the partition that is not deleted")
                .isEqualTo(KEYS / 10);
    }

    /** A local time is the second of a timestamp, rounded down; a client's clock may be a minute ahead. */
    @ParameterizedTest
    @ValueSource(longs = {0, 734_567, 59_000_000})
    void expiredAndDeletedRowsAreRemovedAfterGcGraceSeconds(long microsAhead) throws Exception {
        long now = FBUtilities.nowInSeconds();
        long then = (now - 100) * 1_000_000 + microsAhead;
        for (int key = 0; key < KEYS; key++) {
            if (key % 2 == 0) {
                put(key, row(then, 50, now - 50));
            } else {
                put(key, row(then, LivenessInfo.NO_TTL, LivenessInfo.NO_EXPIRATION_TIME));
                put(
                        key,
                        BTreeRow.emptyDeletedRow(
                                Clustering.EMPTY, Row.Deletion.regular(DeletionTime.build(then + 1, now - 100))));
            }
        }
        InProcess.awaitNextSecond();
        // twice, because the first compaction merges the operands and the second may drop the result
        memtable.compact();
        memtable.compact();
        assertThat(memtable.store().isEmpty())
                .as("while gc_grace_seconds is unknown")
                .isFalse();

        memtable.table().retention().update(30, () -> Long.MIN_VALUE);
        memtable.compact();
        assertThat(memtable.store().isEmpty())
                .as("while there may be older data elsewhere")
                .isFalse();

        memtable.table().retention().update(1000, () -> Long.MAX_VALUE);
        memtable.compact();
        assertThat(memtable.store().isEmpty()).as("within gc_grace_seconds").isFalse();

        memtable.table().retention().update(30, () -> Long.MAX_VALUE);
        InProcess.awaitNextSecond();
        memtable.compact();
        memtable.compact();
        assertThat(memtable.store().isEmpty()).isTrue();
    }
}
