package io.ringmaster.engine.memtable;

import io.ringmaster.engine.store.TableStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.metrics.StorageMetrics;

/**
 * Adds the files of tables in RocksDB to what Cassandra counts of sstables: {@code nodetool tablestats}, the load in {@code nodetool status}, and
 * what else reads these metrics. Not safe for use by several threads.
 */
final class DiskSpace {
    private final Map<ColumnFamilyStore, Space> counted = new HashMap<>();

    private record Space(long liveBytes, long totalBytes) {
        static final Space NONE = new Space(0, 0);

        static Space of(TableStore store) {
            return new Space(
                    store.property("rocksdb.live-sst-files-size"), store.property("rocksdb.total-sst-files-size"));
        }
    }

    /** @param memtables those of all tables that lie in RocksDB now */
    void count(Collection<RocksDBMemtable> memtables) {
        Map<ColumnFamilyStore, Space> now = new HashMap<>();
        for (RocksDBMemtable memtable : memtables) {
            ColumnFamilyStore cfs = memtable.cfs();
            if (cfs != null) {
                now.put(cfs, Space.of(memtable.store()));
            }
        }
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
