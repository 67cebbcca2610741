package io.ringmaster.backup.repository;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A table of a snapshot.
 *
 * @param id with or without dashes
 * @param checkpoint whether the engine wrote a part of the snapshot, which it does not if the table has no row; null in
 *     what former versions wrote, which demanded one of each table of the engine
 * @param sstables none for a table of the RocksDB engine, but for those that wait for their ingestion
 */
public record TableEntry(
        String keyspace,
        String table,
        String id,
        Engine engine,
        @Nullable Boolean checkpoint,
        List<SSTableEntry> sstables) {
    private static final Pattern NAME = Pattern.compile("\\w{1,222}");
    private static final Pattern ID = Pattern.compile("[0-9a-fA-F-]{32,36}");

    /** Where a table keeps its rows. */
    public enum Engine {
        SSTABLE,
        ROCKSDB;

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public static Engine parse(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }

        @Override
        @JsonValue
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public TableEntry {
        if (!NAME.matcher(keyspace).matches()
                || !NAME.matcher(table).matches()
                || !ID.matcher(id).matches()) {
            throw new IllegalArgumentException("'" + keyspace + "." + table + "' with the id " + id + " is no table");
        }
        // JSON may leave it out
        sstables = sstables == null ? List.of() : List.copyOf(sstables);
    }

    /** Whether the snapshot has a part that the RocksDB engine wrote. */
    public boolean hasCheckpoint() {
        return checkpoint == null ? engine == Engine.ROCKSDB : checkpoint;
    }

    /** Its directory below the data directory of a node: {@code trips/place-5a1c395...}. */
    public String directory() {
        return keyspace + "/" + table + "-" + id.replace("-", "").toLowerCase(Locale.ROOT);
    }

    /** {@code trips.place}, from a directory. */
    public static String label(String directory) {
        return directory.replaceFirst("-[^-]*$", "").replace('/', '.');
    }
}
