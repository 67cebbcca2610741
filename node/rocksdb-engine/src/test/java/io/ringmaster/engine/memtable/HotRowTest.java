package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.encoding.Keys;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.PerfLevel;
import org.rocksdb.RocksDB;

/** A row that is updated very often between two flushes. */
class HotRowTest {
    private static final int UPDATES = 30_000;

    private TableMetadata metadata;
    private RocksDBMemtable memtable;
    private DecoratedKey partition;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse("CREATE TABLE hot (p int PRIMARY KEY, v int, w int)", "ks")
                .build();
        memtable = (RocksDBMemtable) InProcess.rocksDB(metadata);
        partition = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(1));
    }

    @AfterEach
    void drop() {
        InProcess.discard(memtable);
    }

    /** As {@code UPDATE hot SET v = ? WHERE p = 1}. */
    private void update(int value) {
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addCell(
                BufferCell.live(metadata.getColumn(ByteBufferUtil.bytes("v")), value + 1, ByteBufferUtil.bytes(value)));
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(
                    PartitionUpdate.singleRowUpdate(metadata, partition, row.build()), UpdateTransaction.NO_OP, group);
        }
    }

    private long operandsOfARead() {
        RocksDB db = InProcess.engine().db();
        db.setPerfLevel(PerfLevel.ENABLE_COUNT);
        db.getPerfContext().reset();
        assertThat(memtable.store().get(Keys.header(Keys.partition(partition)))).isNotNull();
        long operands = db.getPerfContext().getInternalMergePointLookupCount();
        db.setPerfLevel(PerfLevel.DISABLE);
        return operands;
    }

    @Test
    void itsOperandsAreMergedInTheWriteBufferThoughItsOlderDataIsOnDiskAndNobodyReadsIt() {
        update(0);
        memtable.store().flush();
        for (int i = 1; i <= UPDATES; i++) {
            update(i);
        }
        assertThat(operandsOfARead()).isLessThan(UPDATES / 3);
    }
}
