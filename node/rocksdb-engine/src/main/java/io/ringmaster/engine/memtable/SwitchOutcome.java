package io.ringmaster.engine.memtable;

import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.index.sai.StorageAttachedIndex;
import org.apache.cassandra.index.sasi.SASIIndex;
import org.apache.cassandra.schema.IndexMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a memtable's data when Cassandra switches to the next memtable. If two outcomes are requested, the
 * later constant wins.
 */
enum SwitchOutcome {
    /** The next memtable uses the same store. The switch only releases commit log segments. */
    HAND_OVER,
    /** All data is written to sstables, and the next memtable starts with an empty store. */
    EXPORT,
    /** The data is deleted when Cassandra has recorded the truncation; until then a crash undoes it. */
    TRUNCATE,
    /** The data is deleted. */
    DISCARD;

    boolean deletesData() {
        return this == TRUNCATE || this == DISCARD;
    }

    /** The outcome that a flush reason requires, or null if the memtable need not be switched. */
    static @Nullable SwitchOutcome of(FlushReason reason, TableMetadata metadata) {
        return switch (reason) {
            case TRUNCATE -> TRUNCATE;
            case DROP, INDEX_REMOVED -> DISCARD;
            // Cassandra's builders of indexes and views read sstables only
            case INDEX_BUILD_STARTED, VIEW_BUILD_STARTED -> EXPORT;
            case STREAMING, VALIDATION, ANTICOMPACTION, SNAPSHOT, SCHEMA_CHANGE, OWNED_RANGES_CHANGE -> null;
            default -> needsSSTables(metadata) ? EXPORT : HAND_OVER;
        };
    }

    /**
     * Whether the table has an index that is tied to memtables and sstables, so that each flush must write an sstable.
     */
    static boolean needsSSTables(TableMetadata metadata) {
        return metadata.indexes.stream()
                .map(IndexMetadata::getIndexClassName)
                .anyMatch(name ->
                        name.equals(StorageAttachedIndex.class.getName()) || name.equals(SASIIndex.class.getName()));
    }

    static @Nullable SwitchOutcome max(@Nullable SwitchOutcome a, @Nullable SwitchOutcome b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.compareTo(b) >= 0 ? a : b;
    }
}
