package io.ringmaster.engine.purge;

import static org.apache.cassandra.concurrent.ExecutorFactory.Global.executorFactory;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.store.TableStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.schema.TableMetadataRef;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Purges stores, one at a time. Does nothing where compactions merge and purge all data. */
public final class StorePurger {
    private static final Logger LOG = LoggerFactory.getLogger(StorePurger.class);
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBPurger");
    private static final Set<TableStore> QUEUED = ConcurrentHashMap.newKeySet();

    private StorePurger() {}

    /** Queues the store if it needs a purge, and returns. */
    public static void submit(TableStore store, TableMetadataRef metadata) {
        if (store.needsPurge() && QUEUED.add(store)) {
            ONE_AT_A_TIME.execute(() -> {
                try {
                    purge(store, metadata, CompactionManager.instance.getRateLimiter());
                } finally {
                    QUEUED.remove(store);
                }
            });
        }
    }

    /** Purges the store on the calling thread, without a limit on its rate. */
    public static void purge(TableStore store, TableMetadataRef metadata) {
        if (store.needsRewrites()) {
            purge(store, metadata, RateLimiter.create(Double.MAX_VALUE));
        }
    }

    private static void purge(TableStore store, TableMetadataRef metadata, RateLimiter limiter) {
        try (TableStore.Lease lease = store.lease()) {
            if (lease != null) {
                store.startPurge();
                long records = new StorePurge(store, metadata, limiter).run();
                LOG.info("purged {}: {} records rewritten", store, records);
            }
        }
    }
}
