package io.ringmaster.engine.memtable;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.InProcess;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.KeyspaceParams;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A copy for a build that starts while a write is in progress. */
class BuildCopyTest {
    private final AtomicLong copiedRows = new AtomicLong();
    private TableMetadata metadata;
    private ColumnFamilyStore cfs;
    private RocksDBMemtable memtable;

    @BeforeEach
    void create() {
        InProcess.start();
        metadata = CreateTableStatement.parse("CREATE TABLE copied (p int PRIMARY KEY) WITH memtable = 'rocksdb'", "ks")
                .build();
        // a table opens it under a lock that the maintenance of tables, which opens it too, would wait for
        Keyspace.open(SchemaConstants.SYSTEM_KEYSPACE_NAME);
        Keyspace keyspace = Keyspace.mockKS(KeyspaceMetadata.create("ks", KeyspaceParams.simple(1)));
        cfs = ColumnFamilyStore.createColumnFamilyStore(keyspace, TableMetadataRef.forOfflineTools(metadata), false);
        cfs.getTracker().subscribe((notification, sender) -> {
            if (notification instanceof SSTableAddedNotification added) {
                added.added.forEach((SSTableReader sstable) -> copiedRows.addAndGet(sstable.getTotalRows()));
            }
        });
        memtable = (RocksDBMemtable) cfs.getTracker().getView().getCurrentMemtable();
    }

    @AfterEach
    void drop() {
        memtable.switchDecision().request(SwitchOutcome.DISCARD);
        InProcess.discard(memtable);
    }

    private void put(int key, OpOrder.Group group) {
        Row.Builder row = BTreeRow.sortedBuilder();
        row.newRow(Clustering.EMPTY);
        row.addPrimaryKeyLivenessInfo(LivenessInfo.create(FBUtilities.timestampMicros(), FBUtilities.nowInSeconds()));
        memtable.put(
                PartitionUpdate.singleRowUpdate(
                        metadata, metadata.partitioner.decorateKey(ByteBufferUtil.bytes(key)), row.build()),
                UpdateTransaction.NO_OP,
                group);
    }

    private static boolean isCopyWaitingForWrites() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("RocksDBBuildCopies"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getMethodName().equals("awaitNewBarrier"));
    }

    /** Such a write does not know the index. */
    @Test
    void itHasTheWriteThatWasInProgress() throws Exception {
        CompletableFuture<Void> build;
        try (OpOrder.Group first = Keyspace.writeOrder.start()) {
            put(1, first);
        }
        try (OpOrder.Group inProgress = Keyspace.writeOrder.start()) {
            build = CompletableFuture.runAsync(() -> BuildCopies.write(cfs, memtable));
            while (!build.isDone() && !isCopyWaitingForWrites()) {
                Thread.sleep(1);
            }
            put(2, inProgress);
        }
        build.get(1, TimeUnit.MINUTES);
        assertThat(copiedRows).hasValue(2);
    }
}
