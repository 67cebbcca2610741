package io.ringmaster.engine.memtable;

import io.ringmaster.engine.store.TableStore;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.metrics.StorageMetrics;

/**
 * Adds the size of RocksDB's files to Cassandra's metrics of sstable sizes, which {@code nodetool tablestats} and the
 * load in {@code nodetool status} show. Not thread-safe.
 */
final class DiskSpaceMetrics {
    private final Map<ColumnFamilyStore, Space> counted = new HashMap<>();

    private record Space(long liveBytes, long totalBytes) {
        static final Space NONE = new Space(0, 0);

        static Space of(TableStore store) {
            return new Space(
                    store.property("rocksdb.live-sst-files-size"), store.property("rocksdb.total-sst-files-size"));
        }
    }

    /** @param stores all tables in RocksDB; tables that are missing since the last call no longer count */
    void update(Map<ColumnFamilyStore, TableStore> stores) {
        Map<ColumnFamilyStore, Space> now = new HashMap<>();
        stores.forEach((cfs, store) -> now.put(cfs, Space.of(store)));
        counted.keySet().forEach(cfs -> now.putIfAbsent(cfs, Space.NONE));
        now.forEach(this::set);
    }

    private void set(ColumnFamilyStore cfs, Space space) {
        Space before = counted.getOrDefault(cfs, Space.NONE);
        cfs.metric.liveDiskSpaceUsed.inc(space.liveBytes - before.liveBytes);
        cfs.metric.totalDiskSpaceUsed.inc(space.totalBytes - before.totalBytes);
        StorageMetrics.load.inc(space.liveBytes - before.liveBytes);
        if (space.equals(Space.NONE)) {
            counted.remove(cfs);
        } else {
            counted.put(cfs, space);
        }
    }
}
