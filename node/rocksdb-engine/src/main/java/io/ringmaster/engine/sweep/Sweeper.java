package io.ringmaster.engine.sweep;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import io.ringmaster.engine.store.Table;
import io.ringmaster.engine.store.TableStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sweeps tables in which partitions or ranges were deleted, one after another, each at most once in a while. */
public final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBSweeper");
    private static final Set<Table> QUEUED = ConcurrentHashMap.newKeySet();

    private Sweeper() {}

    /** Returns at once; does nothing if the table needs none, or had one not long ago. */
    public static void offer(Table table, TableMetadata metadata, WriteOptions options) {
        if (table.needsSweep() && QUEUED.add(table)) {
            ONE_AT_A_TIME.execute(() -> {
                try {
                    sweep(table, metadata, options);
                } finally {
                    QUEUED.remove(table);
                }
            });
        }
    }

    private static void sweep(Table table, TableMetadata metadata, WriteOptions options) {
        TableStore store = table.current();
        try (TableStore.Lease lease = store.lease()) {
            if (lease != null) {
                long start = FBUtilities.nowInSeconds();
                long rows = new Sweep(store, metadata, options, CompactionManager.instance.getRateLimiter()).run();
                // in files before any compaction may drop the deletions that they stand for
                store.flush();
                table.swept(start);
                LOG.info("swept {}: {} rows were shadowed by deletions of partitions or ranges", store, rows);
            }
        }
    }
}
