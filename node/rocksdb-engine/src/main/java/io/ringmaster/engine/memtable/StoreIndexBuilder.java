package io.ringmaster.engine.memtable;

import io.ringmaster.engine.read.PartitionScan;
import io.ringmaster.engine.read.StoredPartitions;
import io.ringmaster.engine.store.TableStore;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.compaction.CompactionInfo;
import org.apache.cassandra.db.compaction.CompactionInterruptedException;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.index.Index;
import org.apache.cassandra.index.SecondaryIndexBuilder;
import org.apache.cassandra.index.SecondaryIndexManager;
import org.apache.cassandra.utils.TimeUUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a table-based index from its base table's data in RocksDB. {@code nodetool rebuild_index} of Cassandra 5.0.9
 * reads sstables only, and such a table has none.
 */
final class StoreIndexBuilder extends SecondaryIndexBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(StoreIndexBuilder.class);

    private final ColumnFamilyStore base;
    private final TableStore store;
    private final Index index;
    private final TimeUUID id = TimeUUID.Generator.nextTimeUUID();
    private volatile long keysDone;

    private StoreIndexBuilder(ColumnFamilyStore base, TableStore store, Index index) {
        this.base = base;
        this.store = store;
        this.index = index;
    }

    /** Whether the base table of an index has data in RocksDB and no sstables. */
    static boolean canBuild(ColumnFamilyStore indexTable) {
        return source(indexTable) != null;
    }

    private static @Nullable TableStore source(ColumnFamilyStore indexTable) {
        if (!indexTable.isIndex() || !indexTable.keyspace.hasColumnFamilyStore(indexTable.metadata.id)) {
            return null;
        }
        ColumnFamilyStore base = SecondaryIndexManager.getParentCfs(indexTable);
        if (!(base.getCurrentMemtable() instanceof RocksDBMemtable memtable)
                || !base.getLiveSSTables().isEmpty()) {
            return null;
        }
        return memtable.store().isEmpty() ? null : memtable.store();
    }

    /**
     * Called at the flush that ends each of Cassandra's builds of an index. A build that found no sstables did nothing:
     * starts one that reads RocksDB, in the background, because the caller holds a lock.
     */
    static void afterBuildFromSSTables(ColumnFamilyStore indexTable) {
        TableStore store = source(indexTable);
        if (store == null) {
            return;
        }
        ColumnFamilyStore base = SecondaryIndexManager.getParentCfs(indexTable);
        Index index = base.indexManager.getIndexByName(SecondaryIndexManager.getIndexName(indexTable));
        if (index == null) {
            return;
        }
        LOG.info("building index {} from RocksDB: {} has no sstables", indexTable.name, base.metadata());
        Future<?> unused = CompactionManager.instance.submitIndexBuild(new StoreIndexBuilder(base, store, index));
    }

    @Override
    public void build() {
        int pageSize = base.indexManager.calculateIndexingPageSize();
        try (TableStore.Lease lease = store.lease()) {
            if (lease == null) {
                return;
            }
            StoredPartitions partitions = new StoredPartitions(store, base.metadata());
            try (PartitionScan scan = PartitionScan.between(partitions, null, null)) {
                long done = 0;
                for (DecoratedKey key = scan.next(); key != null; key = scan.next()) {
                    if (isStopRequested()) {
                        throw new CompactionInterruptedException(getCompactionInfo());
                    }
                    base.indexManager.indexPartition(key, Set.of(index), pageSize);
                    keysDone = ++done;
                }
            }
        }
        // no commit log has the new entries
        index.getBackingTable().ifPresent(table -> table.forceBlockingFlush(FlushReason.INTERNALLY_FORCED));
        LOG.info("built index {} from {} partitions in RocksDB", index.getIndexMetadata().name, keysDone);
    }

    @Override
    public CompactionInfo getCompactionInfo() {
        long total = Math.max(keysDone, store.property("rocksdb.estimate-num-keys"));
        return CompactionInfo.withoutSSTables(
                base.metadata(), OperationType.INDEX_BUILD, keysDone, total, total, CompactionInfo.Unit.KEYS, id);
    }
}
