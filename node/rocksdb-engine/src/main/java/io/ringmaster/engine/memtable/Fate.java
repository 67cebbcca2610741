package io.ringmaster.engine.memtable;

import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.index.sai.StorageAttachedIndex;
import org.apache.cassandra.index.sasi.SASIIndex;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** What becomes of a memtable's data when Cassandra switches to the next memtable. In the order of what wins when two are asked for. */
enum Fate {
    /** The next memtable goes on with the same store; only the commit log learns that its writes are in files. */
    HAND_OVER,
    /** All data go to sstables, and the next memtable begins with an empty store. */
    EXPORT,
    /** The data are deleted. */
    DISCARD;

    static @Nullable Fate of(FlushReason reason, TableMetadata metadata) {
        return switch (reason) {
            case TRUNCATE, DROP, INDEX_REMOVED -> DISCARD;
            // stock builders of indexes and views look at sstables alone
            case INDEX_BUILD_STARTED, VIEW_BUILD_STARTED -> EXPORT;
            case STREAMING, VALIDATION, ANTICOMPACTION, SNAPSHOT, SCHEMA_CHANGE, OWNED_RANGES_CHANGE -> null;
            default -> needsSSTables(metadata) ? EXPORT : HAND_OVER;
        };
    }

    /** Whether an index of the table lives and dies with memtables and sstables, so that each flush has to write one. */
    static boolean needsSSTables(TableMetadata metadata) {
        return metadata.indexes.stream()
                .map(IndexMetadata::getIndexClassName)
                .anyMatch(name ->
                        name.equals(StorageAttachedIndex.class.getName()) || name.equals(SASIIndex.class.getName()));
    }

    static @Nullable Fate max(@Nullable Fate a, @Nullable Fate b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) >= 0 ? a : b;
    }
}
