package io.ringmaster.engine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.Keys;
import io.ringmaster.engine.encoding.PartitionRecord;
import java.util.List;
import java.util.Objects;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.LevelMetaData;
import org.rocksdb.SstFileMetaData;
import org.rocksdb.WriteOptions;

/** Which tombstones compactions drop, depending on the runs that they merged before. */
class MergeProgressTest {
    private static final int GRACE_SECONDS = 30;
    private static final int LONG_GRACE_SECONDS = 1000;
    private static final long MICROS_PER_SECOND = 1_000_000;

    private Engine engine;
    private TableMetadata metadata;
    private RocksDBTable table;
    private TableStore store;

    @BeforeEach
    void create() {
        InProcess.start();
        engine = InProcess.engine();
        metadata = CreateTableStatement.parse(
                        "CREATE TABLE merged (p int PRIMARY KEY, v int) WITH gc_grace_seconds = " + GRACE_SECONDS, "ks")
                .build();
        table = RocksDBTable.open(engine, metadata);
        store = table.current();
        assumeThat(store.mergesInCompactions()).as("the native library").isTrue();
    }

    @AfterEach
    void drop() {
        table.discard(store);
    }

    private byte[] key(int partition) {
        return Keys.header(Keys.partition(metadata.partitioner.decorateKey(ByteBufferUtil.bytes(partition))));
    }

    private void write(int partition, PartitionRecord record) {
        table.retention().beforeWrite(record.maxTimestamp());
        byte[] operand = Encoder.encode(record, metadata, store.columns());
        try (WriteOptions options = new WriteOptions().setDisableWAL(true)) {
            store.merge(List.of(new MergeOperand(key(partition), operand, record.maxTimestamp())), options);
        }
    }

    private static PartitionRecord row(long timestamp) {
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addPrimaryKeyLivenessInfo(LivenessInfo.create(timestamp, 0));
        return PartitionRecord.of(row.build());
    }

    private static PartitionRecord deletion(long seconds) {
        return new PartitionRecord(DeletionTime.build(seconds * MICROS_PER_SECOND, seconds), List.of(), null);
    }

    private LevelMetaData lastLevel(ColumnFamilyHandle family) {
        List<LevelMetaData> levels = engine.db().getColumnFamilyMetaData(family).levels().stream()
                .filter(level -> !level.files().isEmpty())
                .toList();
        return levels.get(levels.size() - 1);
    }

    /** A compaction of the oldest run only, as RocksDB may choose it. */
    private void compactOldestRun() throws Exception {
        ColumnFamilyHandle family = Objects.requireNonNull(engine.family(store.toString()));
        LevelMetaData last = lastLevel(family);
        assertThat(last.level()).isPositive();
        try (CompactionOptions options = new CompactionOptions().setCompression(CompressionType.NO_COMPRESSION)) {
            List<String> files =
                    last.files().stream().map(SstFileMetaData::fileName).toList();
            engine.db().compactFiles(options, family, files, last.level(), -1, null);
        }
    }

    @Test
    void aTombstoneIsKeptUntilCompactionsHaveMergedItWithALateWrite() throws Exception {
        table.retention().update(GRACE_SECONDS, () -> Long.MAX_VALUE);
        long deleted = FBUtilities.nowInSeconds() - 99;
        write(1, deletion(deleted));
        table.compact(store);
        write(1, row(deleted * MICROS_PER_SECOND - 1));
        store.flush();
        InProcess.awaitNextSecond();
        table.retention().update(GRACE_SECONDS, () -> Long.MAX_VALUE);
        compactOldestRun();
        PartitionRecord read =
                Decoder.header(Objects.requireNonNull(store.get(key(1))), metadata, store.columns(), null);
        assertThat(read.partitionDeletion().isLive())
                .as("the tombstone is gone")
                .isFalse();
        assertThat(read.row()).as("the late row that it shadows").isNull();

        table.compact(store);
        table.compact(store);
        assertThat(store.isEmpty()).as("merged, and then dropped").isTrue();
    }

    /** A write that is not late for the longer time may be older than a tombstone that the shorter one drops. */
    @Test
    void aTombstoneThatAShorterGcGraceSecondsDropsIsKeptUntilItIsMerged() throws Exception {
        table.retention().update(LONG_GRACE_SECONDS, () -> Long.MAX_VALUE);
        long deleted = FBUtilities.nowInSeconds() - 99;
        write(1, deletion(deleted));
        table.compact(store);
        write(1, row(deleted * MICROS_PER_SECOND - 1));
        store.flush();
        assertThat(table.retention().limit()).as("no write was late").isEqualTo(Long.MAX_VALUE);
        table.retention().update(GRACE_SECONDS, () -> Long.MAX_VALUE);
        compactOldestRun();
        PartitionRecord read =
                Decoder.header(Objects.requireNonNull(store.get(key(1))), metadata, store.columns(), null);
        assertThat(read.partitionDeletion().isLive())
                .as("the tombstone is gone")
                .isFalse();
        assertThat(read.row()).as("the row that it shadows").isNull();

        InProcess.awaitNextSecond();
        table.compact(store);
        table.compact(store);
        assertThat(store.isEmpty()).as("merged, and then dropped").isTrue();
    }

    @Test
    void writesAreMergedWhenTheyAreInTheOldestRun() {
        write(1, row(1));
        store.flush();
        WriteMark first = store.mark();
        assertThat(store.isMerged(first.sequence())).as("a single run").isTrue();
        write(2, row(1));
        write(1, row(2));
        WriteMark second = store.mark();
        store.flush();
        assertThat(store.isMerged(first.sequence())).isTrue();
        assertThat(store.isMerged(second.sequence())).as("a newer run has them").isFalse();
        store.compact();
        assertThat(store.isMerged(second.sequence())).isTrue();
        write(2, row(2));
        store.flush();
        assertThat(store.isMerged(second.sequence())).isTrue();
        assertThat(store.isMerged(store.mark().sequence())).isFalse();
    }
}
