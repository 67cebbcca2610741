package io.ringmaster.companion.task;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;

/**
 * What the RocksDB engine adds to a snapshot. Cassandra asks a memtable for nothing that has no row, so a table of the
 * engine that is empty on this node has no checkpoint. Who takes the snapshot says which ones have one: later, nobody
 * could know whether a missing one is a loss.
 */
final class Checkpoints {
    private static final String OF_THE_ENGINE = "rocksdb/CURRENT";

    private final List<ColumnFamilyStore> tables;
    private final Set<?> inRocksDB;
    private final Set<ColumnFamilyStore> withRows;

    /**
     * A table of a snapshot.
     *
     * @param inRocksDB whether its rows are in the engine, or will be
     * @param checkpoint whether the snapshot has a part that the engine wrote
     */
    record Table(ColumnFamilyStore store, boolean inRocksDB, boolean checkpoint) {}

    private Checkpoints(List<ColumnFamilyStore> tables, Set<?> inRocksDB) {
        this.tables = tables;
        this.inRocksDB = inRocksDB;
        this.withRows = withRows();
    }

    /** Looks before the snapshot which tables have rows in the engine. */
    static Checkpoints before(List<ColumnFamilyStore> tables) throws IOException {
        return new Checkpoints(tables, inRocksDB());
    }

    private Set<ColumnFamilyStore> withRows() {
        return tables.stream()
                .filter(this::isInRocksDB)
                .filter(t -> !t.getTracker().getView().getCurrentMemtable().isClean())
                .collect(Collectors.toSet());
    }

    private static Set<?> inRocksDB() throws IOException {
        try {
            return RocksDBTables.names();
        } catch (JMException e) {
            throw new IOException("the RocksDB engine does not name its tables", e);
        }
    }

    private boolean isInRocksDB(ColumnFamilyStore table) {
        return inRocksDB.contains(Tables.name(table));
    }

    /**
     * The tables of the snapshot. Empty if it must be taken again, because a table has rows in the engine, now or
     * before it, and no checkpoint: it was truncated or altered, or got its first rows. Rows that the engine takes from
     * sstables in that moment are in neither.
     */
    Optional<List<Table>> of(String tag) {
        Set<ColumnFamilyStore> now = withRows();
        List<Table> all = new ArrayList<>();
        for (ColumnFamilyStore table : tables) {
            boolean checkpoint = isInRocksDB(table) && hasCheckpoint(table, tag);
            if (!checkpoint && (withRows.contains(table) || now.contains(table))) {
                return Optional.empty();
            }
            all.add(new Table(table, isInRocksDB(table), checkpoint));
        }
        return Optional.of(all);
    }

    private static boolean hasCheckpoint(ColumnFamilyStore table, String tag) {
        return table.getDirectories().getCFDirectories().stream()
                .map(d -> d.toPath().resolve(Directories.SNAPSHOT_SUBDIR).resolve(tag))
                .anyMatch(snapshot -> Files.exists(snapshot.resolve(OF_THE_ENGINE)));
    }
}
