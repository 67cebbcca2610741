package io.ringmaster.engine.restore;

import com.google.common.util.concurrent.RateLimiter;
import io.ringmaster.engine.encoding.ColumnNumbers;
import io.ringmaster.engine.encoding.Decoder;
import io.ringmaster.engine.encoding.Encoder;
import io.ringmaster.engine.encoding.PartitionRecord;
import io.ringmaster.engine.store.Cursor;
import io.ringmaster.engine.store.IngestFile;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableSnapshot;
import io.ringmaster.engine.store.TableStore;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.schema.TableMetadata;

/** Adds the content of a snapshot to its table. Later writes and deletions win, as with loaded sstables. */
public final class SnapshotRestore {
    private final RocksDBTable table;
    private final TableStore store;
    private final TableMetadata metadata;
    private final RateLimiter limiter;

    /** @param limiter permits are bytes read from the snapshot */
    public SnapshotRestore(RocksDBTable table, TableStore store, TableMetadata metadata, RateLimiter limiter) {
        this.table = table;
        this.store = store;
        this.metadata = metadata;
        this.limiter = limiter;
    }

    /** Returns the number of records. They become visible at the end. */
    public long run(TableSnapshot snapshot) {
        ColumnNumbers columns = snapshot.columns(metadata);
        // the age of the records is unknown: keep every tombstone that may shadow one
        table.retention().beforeWrite(Long.MIN_VALUE);
        List<Cursor> cursors = snapshot.cursors();
        List<IngestFile> files = new ArrayList<>();
        try {
            long added = 0;
            for (Cursor cursor : cursors) {
                IngestFile file = store.ingestFile("restored-" + files.size());
                files.add(file);
                added += copy(cursor, columns, file);
            }
            // again, because such a note is forgotten when the writes from before it are merged
            table.retention().beforeWrite(Long.MIN_VALUE);
            store.ingest(files);
            return added;
        } finally {
            files.forEach(IngestFile::close);
            cursors.forEach(Cursor::close);
        }
    }

    private long copy(Cursor cursor, ColumnNumbers columns, IngestFile file) {
        long added = 0;
        for (boolean isValid = cursor.seekFirst(); isValid; isValid = cursor.next()) {
            byte[] value = cursor.value();
            limiter.acquire(value.length + 1);
            PartitionRecord stored = Decoder.record(cursor.key(), value, metadata, columns);
            if (!stored.isEmpty()) {
                file.add(cursor.key(), Encoder.encode(stored, metadata, store.columns()), stored.maxTimestamp());
                if (metadata.comparator.size() > 0) {
                    table.retention().beforeWrite(stored);
                }
                added++;
            }
        }
        return added;
    }
}
