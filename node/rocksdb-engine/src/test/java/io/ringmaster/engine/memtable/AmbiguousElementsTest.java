package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.encoding.CollectionElements;
import io.ringmaster.engine.purge.StorePurger;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.marshal.DecimalType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
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
import org.junit.jupiter.params.provider.CsvSource;

/** Elements of collections that are equal and have different bytes, such as the decimals 1.0 and 1.00. */
class AmbiguousElementsTest {
    private static final int GRACE_SECONDS = 30;

    private final long now = FBUtilities.nowInSeconds();
    private TableMetadata metadata;
    private RocksDBMemtable memtable;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse(
                        "CREATE TABLE decimals (p int PRIMARY KEY, s set<decimal>) WITH gc_grace_seconds = 30", "ks")
                .build();
        memtable = (RocksDBMemtable) InProcess.rocksDB(metadata);
    }

    @AfterEach
    void drop() {
        if (memtable != null) {
            InProcess.discard(memtable);
        }
    }

    private ColumnMetadata column() {
        return metadata.getColumn(ByteBufferUtil.bytes("s"));
    }

    private static CellPath path(String decimal) {
        return CellPath.create(DecimalType.instance.decompose(new BigDecimal(decimal)));
    }

    private DecoratedKey key() {
        return metadata.partitioner.decorateKey(ByteBufferUtil.bytes(1));
    }

    private void put(Cell<?> cell) {
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addCell(cell);
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(PartitionUpdate.singleRowUpdate(metadata, key(), row.build()), UpdateTransaction.NO_OP, group);
        }
        memtable.store().flush();
    }

    private void add(String decimal, long second) {
        put(BufferCell.live(column(), second * 1_000_000, ByteBuffer.allocate(0), path(decimal)));
    }

    private void remove(String decimal, long second) {
        put(BufferCell.tombstone(column(), second * 1_000_000, second, path(decimal)));
    }

    private long liveElements() {
        try (UnfilteredRowIterator rows = memtable.rowIterator(key())) {
            return rows == null || !rows.hasNext()
                    ? 0
                    : Iterables.size(Iterables.filter(((Row) rows.next()).cells(), cell -> cell.isLive(now)));
        }
    }

    @Test
    void aRemovedElementDoesNotComeBackWhenItsTombstoneIsPurged() throws Exception {
        add("1.0", now - 100);
        add("2", now - 100);
        remove("1.00", now - 99);
        InProcess.awaitNextSecond();
        memtable.table().retention().update(GRACE_SECONDS, () -> Long.MAX_VALUE);
        for (int i = 0; i < 2; i++) {
            // the first one merges the operands, the second one may drop the result
            memtable.table().compact(memtable.store());
            assertThat(liveElements()).as("after a compaction").isEqualTo(1);
        }
        memtable.compact();
        assertThat(liveElements()).as("after a purge in Java").isEqualTo(1);
    }

    @Test
    void thePurgeInJavaLeavesNothingOfARemovedElement() throws Exception {
        add("1.0", now - 100);
        remove("1.00", now - 99);
        InProcess.awaitNextSecond();
        memtable.table().retention().update(GRACE_SECONDS, () -> Long.MAX_VALUE);
        memtable.table().compact(memtable.store());
        StorePurger.purge(memtable.store(), TableMetadataRef.forOfflineTools(metadata));
        assertThat(memtable.store().isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set<int> | false",
                "set<text> | false",
                "map<timeuuid, decimal> | false",
                "list<decimal> | false",
                "frozen<set<decimal>> | false",
                "decimal | false",
                "set<decimal> | true",
                "set<varint> | true",
                "set<boolean> | true",
                "map<double, int> | true",
                "set<frozen<tuple<int, int>>> | true",
                "map<frozen<list<decimal>>, int> | true",
            })
    void theTypeOfAnElementTellsWhetherItIsAmbiguous(String type, boolean isAmbiguous) {
        TableMetadata table = CreateTableStatement.parse("CREATE TABLE t (p int PRIMARY KEY, v " + type + ")", "ks")
                .build();
        assertThat(CollectionElements.areAmbiguous(table)).isEqualTo(isAmbiguous);
    }
}
