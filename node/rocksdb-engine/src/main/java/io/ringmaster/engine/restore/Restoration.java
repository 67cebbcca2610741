package io.ringmaster.engine.restore;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.encoding.Columns;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.StoredRecord;
import io.ringmaster.engine.store.BulkFile;
import io.ringmaster.engine.store.Copy;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.Table;
import io.ringmaster.engine.store.TableStore;
import org.apache.cassandra.schema.TableMetadata;

/** Adds to a table what a snapshot of it holds. What was written or deleted since is newer and wins, as with sstables that are loaded. */
public final class Restoration {
    private final Table table;
    private final TableStore store;
    private final TableMetadata metadata;
    private final RateLimiter limiter;

    /** @param limiter bytes that may be read each second */
    public Restoration(Table table, TableStore store, TableMetadata metadata, RateLimiter limiter) {
        this.table = table;
        this.store = store;
        this.metadata = metadata;
        this.limiter = limiter;
    }

    /** Answers how many records were added, all of them at once. */
    public long run(Copy copy) {
        Columns columns = copy.columns(metadata);
        // nothing is known about its age: tombstones that may shadow some of it are kept
        table.written(Long.MIN_VALUE);
        long added = 0;
        try (BulkFile file = store.bulkFile("restored");
                Cursor cursor = copy.cursor()) {
            for (boolean isValid = cursor.seekFirst(); isValid; isValid = cursor.next()) {
                byte[] value = cursor.value();
                limiter.acquire(value.length + 1);
                StoredRecord stored = Decoder.record(cursor.key(), value, metadata, columns);
                if (!stored.isEmpty()) {
                    file.add(cursor.key(), Encoder.encode(stored, metadata, store.columns()), stored.newestTimestamp());
                    if (metadata.comparator.size() > 0) {
                        table.written(stored);
                    }
                    added++;
                }
            }
            store.ingest(file);
        }
        return added;
    }
}
