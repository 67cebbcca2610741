package io.ringmaster.engine.scrub;

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

/** Scrubs stores in which operands have piled up, one after another. Where compactions fold them it has nothing to do. */
public final class Scrubber {
    private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);
    private static final ExecutorPlus ONE_AT_A_TIME = executorFactory().sequential("RocksDBScrubber");
    private static final Set<TableStore> QUEUED = ConcurrentHashMap.newKeySet();

    private Scrubber() {}

    /** Returns at once. */
    public static void offer(TableStore store, TableMetadataRef metadata) {
        if (store.needsScrub() && QUEUED.add(store)) {
            ONE_AT_A_TIME.execute(() -> {
                try {
                    scrub(store, metadata, CompactionManager.instance.getRateLimiter());
                } finally {
                    QUEUED.remove(store);
                }
            });
        }
    }

    /** All of it, now and as fast as it goes. */
    public static void scrub(TableStore store, TableMetadataRef metadata) {
        if (!store.isFolding()) {
            scrub(store, metadata, RateLimiter.create(Double.MAX_VALUE));
        }
    }

    private static void scrub(TableStore store, TableMetadataRef metadata, RateLimiter limiter) {
        try (TableStore.Lease lease = store.lease()) {
            if (lease != null) {
                store.beginScrub();
                long records = new Scrub(store, metadata, limiter).run();
                LOG.info("scrubbed {}: {} records were folded or purged", store, records);
            }
        }
    }
}
