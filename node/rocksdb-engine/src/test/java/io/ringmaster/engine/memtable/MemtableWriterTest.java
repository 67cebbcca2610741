package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.WriteOptions;

/** The calls that a write makes to the indexes of its table. */
class MemtableWriterTest {
    private TableMetadata metadata;
    private RocksDBMemtable memtable;
    private boolean isReplaying;
    private MemtableWriter writer;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse(
                        "CREATE TABLE indexed (p int, c int, s text static, v text, PRIMARY KEY (p, c))", "ks")
                .build();
        memtable = (RocksDBMemtable) InProcess.rocksDB(metadata);
        writer = new MemtableWriter(
                memtable.table(),
                memtable.store(),
                () -> metadata,
                new WriteOptions().setDisableWAL(true),
                () -> isReplaying);
    }

    @AfterEach
    void drop() {
        InProcess.discard(memtable);
    }

    private PartitionUpdate update(Clustering<?> clustering, String column) {
        long timestamp = FBUtilities.timestampMicros();
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(clustering);
        if (clustering != Clustering.STATIC_CLUSTERING) {
            row.addPrimaryKeyLivenessInfo(LivenessInfo.create(timestamp, FBUtilities.nowInSeconds()));
        }
        row.addCell(BufferCell.live(
                metadata.getColumn(ByteBufferUtil.bytes(column)), timestamp, ByteBufferUtil.bytes("x")));
        return PartitionUpdate.singleRowUpdate(
                metadata, metadata.partitioner.decorateKey(ByteBufferUtil.bytes(1)), row.build());
    }

    private List<String> calls(PartitionUpdate update) {
        Calls calls = new Calls();
        writer.write(update, calls);
        return calls.made;
    }

    /** RocksDB may have the row in a file, while the crash took its index entry. */
    @Test
    void aReplayedWriteIsAnInsertionThoughTheRowIsStored() {
        for (PartitionUpdate update : List.of(
                update(Clustering.make(ByteBufferUtil.bytes(7)), "v"), update(Clustering.STATIC_CLUSTERING, "s"))) {
            isReplaying = false;
            assertThat(calls(update)).containsExactly("start", "insert", "commit");
            assertThat(calls(update)).containsExactly("start", "update", "commit");
            isReplaying = true;
            assertThat(calls(update)).containsExactly("start", "insert", "commit");
        }
    }

    private static final class Calls implements UpdateTransaction {
        private final List<String> made = new ArrayList<>();

        @Override
        public void start() {
            made.add("start");
        }

        @Override
        public void onPartitionDeletion(DeletionTime deletion) {
            made.add("partition deletion");
        }

        @Override
        public void onRangeTombstone(RangeTombstone range) {
            made.add("range deletion");
        }

        @Override
        public void onInserted(Row row) {
            made.add("insert");
        }

        @Override
        public void onUpdated(Row existing, Row updated) {
            made.add("update");
        }

        @Override
        public void commit() {
            made.add("commit");
        }
    }
}
