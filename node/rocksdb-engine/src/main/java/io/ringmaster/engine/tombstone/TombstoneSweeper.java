package io.ringmaster.engine.tombstone;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import io.ringmaster.engine.store.WriteMark;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps tables with deletions of partitions or ranges, one at a time, and each at most once in a sweep period. As
 * often it marks the writes of each table: tombstones can be dropped when the writes from before a mark are merged.
 */
public final class TombstoneSweeper {
    private static final Logger LOG = LoggerFactory.getLogger(TombstoneSweeper.class);
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBTombstoneSweeper");
    private static final Set<RocksDBTable> QUEUED = ConcurrentHashMap.newKeySet();

    private TombstoneSweeper() {}

    /** Queues the table if it needs a sweep or a mark, and returns. */
    public static void submit(RocksDBTable table, TableMetadata metadata, WriteOptions options) {
        if ((table.retention().needsSweep() || table.retention().needsMark()) && QUEUED.add(table)) {
            ONE_AT_A_TIME.execute(() -> {
                try {
                    sweep(table, metadata, options);
                } finally {
                    QUEUED.remove(table);
                }
            });
        }
    }

    private static void sweep(RocksDBTable table, TableMetadata metadata, WriteOptions options) {
        TableStore store = table.current();
        try (TableStore.Lease lease = store.lease()) {
            if (lease == null) {
                return;
            }
            if (table.retention().needsSweep()) {
                long start = FBUtilities.nowInSeconds();
                long rows =
                        new TombstoneSweep(store, metadata, options, CompactionManager.instance.getRateLimiter()).run();
                // row deletions must be durable before a compaction may drop the deletions that they stand for
                store.flush();
                table.retention().markSwept(start);
                LOG.info("swept tombstones of {}: {} rows are deleted with their partition or range", store, rows);
            }
            if (table.retention().needsMark()) {
                WriteMark mark = store.mark();
                store.flush();
                table.retention().follow(mark);
            }
        }
    }
}
