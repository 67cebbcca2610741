package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.InProcess;
import io.ringmaster.engine.restore.SnapshotRestore;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableSnapshot;
import io.ringmaster.engine.store.TableStore;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
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
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of a table whose data is in several stores. */
class SnapshotTest {
    /** Cassandra's record of a truncation: its time. */
    private static final long BEFORE = 1;

    private static final long AFTER = 2;

    @TempDir
    Path directory;

    private int snapshots;
    private TableMetadata metadata;
    private RocksDBMemtable first;
    private RocksDBTable table;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse("CREATE TABLE kept (p int PRIMARY KEY)", "ks")
                .build();
        first = (RocksDBMemtable) InProcess.rocksDB(metadata);
        table = first.table();
    }

    private void put(RocksDBMemtable memtable, int key) {
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addPrimaryKeyLivenessInfo(LivenessInfo.create(FBUtilities.timestampMicros(), FBUtilities.nowInSeconds()));
        try (OpOrder.Group group = new OpOrder().start()) {
            memtable.put(
                    PartitionUpdate.singleRowUpdate(
                            metadata, metadata.partitioner.decorateKey(ByteBufferUtil.bytes(key)), row.build()),
                    UpdateTransaction.NO_OP,
                    group);
        }
    }

    /** Returns the directory of a new snapshot. */
    private Path snapshot(long truncation) {
        Path target = directory.resolve("snapshot-" + snapshots++);
        table.takeSnapshot(target, truncation, () -> {});
        return target;
    }

    private int records(Path snapshot) {
        try (TableSnapshot opened = table.openSnapshot(snapshot, metadata)) {
            int records = 0;
            for (Cursor cursor : opened.cursors()) {
                try (cursor) {
                    for (boolean isValid = cursor.seekFirst(); isValid; isValid = cursor.next()) {
                        records++;
                    }
                }
            }
            return records;
        }
    }

    @Test
    void aSnapshotDuringAnExportHasTheDataOfBothStores() {
        put(first, 1);
        first.switchDecision().request(SwitchOutcome.EXPORT);
        RocksDBMemtable second = (RocksDBMemtable) InProcess.rocksDB(metadata);
        first.switchOut(new OpOrder().newBarrier(), new AtomicReference<>(CommitLogPosition.NONE));
        assertThat(second.isClean())
                .as("so that Cassandra takes no snapshot of it")
                .isFalse();
        put(second, 2);
        Path both = snapshot(BEFORE);
        assertThat(records(both)).isEqualTo(2);
        first.discard();
        assertThat(records(snapshot(BEFORE))).as("after the export").isEqualTo(1);
        try (TableSnapshot opened = table.openSnapshot(both, metadata)) {
            new SnapshotRestore(table, second.store(), metadata, RateLimiter.create(Double.MAX_VALUE)).run(opened);
        }
        assertThat(records(snapshot(BEFORE))).as("restored").isEqualTo(2);
        InProcess.discard(second);
    }

    @Test
    void aSnapshotDuringATruncationHasTheOldData() {
        put(first, 1);
        TableStore old = table.current();
        table.renewForTruncation(BEFORE);
        table.discard(old);
        assertThat(records(snapshot(BEFORE))).isEqualTo(1);
        assertThat(records(snapshot(AFTER))).as("after the truncation").isZero();
        assertThat(table.hasOtherStores()).isFalse();
        InProcess.discard(first);
    }

    /** Compactions that merge all writes from before the restore do not see its records yet. */
    @Test
    void aRestoreKeepsTheTombstonesThatItsRecordsNeedHoweverLongItTakes() throws Exception {
        put(first, 1);
        Path taken = snapshot(BEFORE);
        table.retention().update(metadata.params.gcGraceSeconds, () -> Long.MAX_VALUE);
        // the record waits for three seconds
        RateLimiter slow = RateLimiter.create(10);
        slow.acquire(30);
        CompletableFuture<Void> restore = CompletableFuture.runAsync(() -> {
            try (TableSnapshot opened = table.openSnapshot(taken, metadata)) {
                new SnapshotRestore(table, first.store(), metadata, slow).run(opened);
            }
        });
        while (!restore.isDone() && table.retention().limit() == Long.MAX_VALUE) {
            Thread.sleep(1);
        }
        InProcess.awaitNextSecond();
        table.compact(first.store());
        restore.get(1, TimeUnit.MINUTES);
        assertThat(table.retention().limit()).as("tombstones of any age stay").isEqualTo(Long.MIN_VALUE);
        InProcess.discard(first);
    }
}
