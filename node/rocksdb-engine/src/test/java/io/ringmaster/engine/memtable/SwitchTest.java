package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.store.TableStore;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Switches of memtables while another thread alters the table. */
class SwitchTest {
    private TableMetadata metadata;
    private DecoratedKey key;
    private RocksDBMemtable first;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse("CREATE TABLE switched (p int PRIMARY KEY)", "ks")
                .build();
        key = metadata.partitioner.decorateKey(ByteBufferUtil.bytes(1));
        first = (RocksDBMemtable) InProcess.rocksDB(metadata);
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addPrimaryKeyLivenessInfo(LivenessInfo.create(FBUtilities.timestampMicros(), FBUtilities.nowInSeconds()));
        try (OpOrder.Group group = new OpOrder().start()) {
            first.put(PartitionUpdate.singleRowUpdate(metadata, key, row.build()), UpdateTransaction.NO_OP, group);
        }
    }

    private static void switchOut(RocksDBMemtable memtable) {
        memtable.switchOut(new OpOrder().newBarrier(), new AtomicReference<>(CommitLogPosition.NONE));
    }

    /** The thread of an ALTER may see the memtable as the current one, and ask it after a flush has switched it. */
    @Test
    void aRequestAfterTheSwitchDoesNotDropTheStoreOfTheNextMemtable() {
        assertThat(first.shouldSwitch(FlushReason.MEMTABLE_LIMIT)).isTrue();
        RocksDBMemtable second = (RocksDBMemtable) InProcess.rocksDB(metadata);
        assertThat(second.store()).isSameAs(first.store());
        switchOut(first);
        first.shouldSwitch(FlushReason.SCHEMA_CHANGE);
        assertThat(first.isClean()).as("handed over").isTrue();
        first.discard();
        assertThat(second.store().isEmpty()).isFalse();
        assertThat(second.rowIterator(key)).isNotNull();
        InProcess.discard(second);
    }

    /** After an ALTER to another memtable Cassandra creates the next one elsewhere. */
    @ParameterizedTest
    @EnumSource(
            value = FlushReason.class,
            names = {"MEMTABLE_LIMIT", "COMMITLOG_DIRTY", "USER_FORCED", "SCHEMA_CHANGE", "INDEX_BUILD_COMPLETED"})
    void withoutANextMemtableOfTheEngineTheDataIsExported(FlushReason reason) {
        assertThat(first.shouldSwitch(reason)).isTrue();
        switchOut(first);
        assertThat(first.isClean()).as("nothing to export").isFalse();
        first.discard();
        assertThat(first.table().current().isEmpty()).isTrue();
    }

    /** An ingestion removes its sstable, and a restore succeeds, only if their store still is the current one. */
    @Test
    void aStoreThatIsBeingExportedIsNotTheCurrentOne() {
        TableStore exported = first.store();
        switchOut(first);
        TableStore unread = first.table().current();
        assertThat(unread).isNotSameAs(exported);
        RocksDBMemtable second = (RocksDBMemtable) InProcess.rocksDB(metadata);
        assertThat(second.store()).as("the only other store").isSameAs(unread);
        first.discard();
        assertThat(second.table().hasOtherStores()).isFalse();
        assertThat(exported.lease()).as("deleted").isNull();
        InProcess.discard(second);
    }

    @ParameterizedTest
    @EnumSource(
            value = FlushReason.class,
            names = {"MEMTABLE_LIMIT", "COMMITLOG_DIRTY", "USER_FORCED", "SCHEMA_CHANGE", "INDEX_BUILD_COMPLETED"})
    void anotherConfigurationOfTheEngineGetsAnEmptyStoreAndTheDataIsExported(FlushReason reason) {
        assertThat(first.shouldSwitch(reason)).isTrue();
        RocksDBMemtable second = (RocksDBMemtable) InProcess.rocksDB(metadata, Map.of("durability", "wal"));
        assertThat(second.store().isEmpty()).isTrue();
        switchOut(first);
        assertThat(first.isClean()).as("nothing to export").isFalse();
        first.discard();
        InProcess.discard(second);
    }

    @Test
    void aTruncationIsNeverAnExport() {
        assertThat(first.shouldSwitch(FlushReason.MEMTABLE_LIMIT)).isTrue();
        assertThat(first.shouldSwitch(FlushReason.TRUNCATE)).isTrue();
        switchOut(first);
        assertThat(first.isClean()).isTrue();
        first.discard();
    }

    /** Cassandra discards the commit log next, and records the truncation later. A crash in between undoes it. */
    @Test
    void theDataOfATruncationAreInFilesBeforeTheCommitLogIsDiscarded() {
        assertThat(first.shouldSwitch(FlushReason.TRUNCATE)).isTrue();
        switchOut(first);
        assertThat(first.store().property("rocksdb.total-sst-files-size")).isZero();
        assertThat(first.isClean()).isTrue();
        assertThat(first.store().property("rocksdb.total-sst-files-size")).isPositive();
        first.discard();
    }
}
