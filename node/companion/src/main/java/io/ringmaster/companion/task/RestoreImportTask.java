package io.ringmaster.companion.task;

import io.ringmaster.companion.task.RestoreFiles.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.JMException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;

/**
 * Gives Cassandra the files of a backup, table by table. The files of a table are deleted once they are imported: what
 * is there is what is left to do, after a restart of Cassandra too. A table whose import was cut short is imported
 * again as a whole, and two copies of a row are one row. Indexes and views are made later, from the rows of all nodes.
 */
final class RestoreImportTask implements TaskBody {
    private static final long SCHEMA_POLL_MS = 500;

    private final RestoreFiles files;

    /** @throws IllegalArgumentException the argument {@code backup} is missing or wrong */
    RestoreImportTask(Map<String, String> args) {
        this(RestoreFiles.of(args));
    }

    RestoreImportTask(RestoreFiles files) {
        this.files = files;
    }

    @Override
    public String run(Progress progress) throws Exception {
        files.requireFetched();
        Optional<String> imported = RestoreFiles.read(files.imported());
        if (imported.isEmpty()) {
            List<Table> tables = files.tables();
            if (!awaitSchema(tables, progress)) {
                return "the schema of the backup has not arrived";
            }
            String message = importAll(tables, progress);
            if (progress.isStopped()) {
                return message;
            }
            RestoreFiles.write(files.imported(), message);
            imported = Optional.of(message);
        }
        files.deleteTables();
        return imported.get();
    }

    @Override
    public void stop() {}

    /**
     * Waits for as long as it takes: the first node of the first datacenter makes the schema once it has its files.
     *
     * @return false if the task was stopped
     */
    private static boolean awaitSchema(List<Table> tables, Progress progress) throws InterruptedException {
        for (Table table : tables) {
            while (metadata(table) == null || ColumnFamilyStore.getIfExists(table.id()) == null) {
                if (progress.isStopped()) {
                    return false;
                }
                progress.at("waits for the schema: " + table.label() + " is missing", () -> 0);
                Thread.sleep(SCHEMA_POLL_MS);
            }
        }
        return true;
    }

    private String importAll(List<Table> tables, Progress progress) throws IOException, JMException {
        long total = 0;
        for (Table table : tables) {
            total += bytes(table.directory());
        }
        progress.expect(total, "bytes");
        List<ColumnFamilyStore> paused = pauseCompactions(tables);
        try {
            long before = 0;
            for (Table table : tables) {
                if (progress.isStopped()) {
                    break;
                }
                long done = before;
                progress.at("imports " + table.label(), () -> done);
                before += bytes(table.directory());
                importTable(table);
                Path imported =
                        table.directory().resolveSibling(table.directory().getFileName() + ".imported");
                if (Files.isDirectory(table.directory())) {
                    // in one step, so that half of a table is never imported again
                    Files.move(table.directory(), imported, StandardCopyOption.ATOMIC_MOVE);
                }
                RestoreFiles.delete(imported);
            }
            return FBUtilities.prettyPrintMemory(before) + " of " + tables.size()
                    + (tables.size() == 1 ? " table" : " tables") + " imported";
        } finally {
            paused.forEach(ColumnFamilyStore::enableAutoCompaction);
        }
    }

    /** So that no compaction takes the throughput; a table that has none on purpose keeps none. */
    private static List<ColumnFamilyStore> pauseCompactions(List<Table> tables) {
        List<ColumnFamilyStore> paused = new ArrayList<>();
        for (Table table : tables) {
            ColumnFamilyStore store = store(table);
            if (!store.isAutoCompactionDisabled()) {
                store.disableAutoCompaction();
                paused.add(store);
            }
        }
        return paused;
    }

    private static void importTable(Table table) throws IOException, JMException {
        if (Files.isDirectory(table.rocksdb())) {
            RocksDBTables.restore(table.keyspace(), table.name(), table.rocksdb());
        }
        if (hasSSTables(table.directory())) {
            importSSTables(table);
        }
    }

    private static void importSSTables(Table table) {
        List<String> refused;
        try {
            refused = store(table)
                    .importNewSSTables(
                            Set.of(table.directory().toString()),
                            /* resetLevel */ false,
                            /* clearRepaired: the other replicas may not have been repaired at their snapshot */ true,
                            /* verifySSTables: each byte was compared with its hash */ false,
                            /* verifyTokens: a node that owed a cleanup has rows of others */ false,
                            /* invalidateCaches */ true,
                            /* extendedVerify */ false,
                            /* copyData by links, so that an import that is cut short has lost nothing */ true,
                            /* failOnMissingIndex: there is none yet */ false,
                            /* validateIndexChecksum */ true);
        } catch (RuntimeException e) {
            IllegalStateException named =
                    new IllegalStateException("Cassandra could not import " + table.label() + ": " + e);
            named.addSuppressed(e); // people see the message of the innermost cause
            throw named;
        }
        if (!refused.isEmpty()) {
            throw new IllegalStateException("Cassandra refused the files of " + table.label() + " in "
                    + table.directory() + ": its log says why");
        }
    }

    private static @Nullable TableMetadata metadata(Table table) {
        return Schema.instance.getTableMetadata(table.id());
    }

    private static ColumnFamilyStore store(Table table) {
        ColumnFamilyStore store = ColumnFamilyStore.getIfExists(table.id());
        if (store == null) {
            throw new IllegalStateException(table.label() + " was dropped during its restore");
        }
        return store;
    }

    private static boolean hasSSTables(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> found = Files.list(directory)) {
            return found.anyMatch(f -> f.getFileName().toString().endsWith("-Data.db"));
        }
    }

    private static long bytes(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        try (Stream<Path> found = Files.walk(directory)) {
            return found.filter(Files::isRegularFile)
                    .mapToLong(RestoreImportTask::size)
                    .sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
