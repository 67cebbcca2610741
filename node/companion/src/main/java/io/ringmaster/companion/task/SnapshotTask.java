package io.ringmaster.companion.task;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.service.StorageService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the snapshot of a backup: hard links to the files of all tables that have rows of users, which the transfer
 * program sends. What else the backup needs of Cassandra is in {@link SnapshotFile}. A snapshot of an earlier backup
 * goes, since at most one backup of a cluster runs; Cassandra itself removes this one when it is forgotten.
 */
final class SnapshotTask implements TaskBody {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotTask.class);

    /** In the volume, which is the directory that Cassandra runs in. */
    private static final String FOLDER = "backup";

    /** A safety net: the upload deletes what it has sent, and the next backup the rest. */
    private static final String SNAPSHOT_TTL = "7d";

    private static final Pattern TAG = Pattern.compile("ringmaster-\\d{8}T\\d{6}Z-[0-9a-f]{4}");

    /** A schema that is changed at every moment cannot be copied. */
    private static final int ATTEMPTS = 3;

    /** For all attempts. A migration out of RocksDB may take hours, and the others have their snapshots by then. */
    private static final Duration FLUSH_AT_MOST = Duration.ofMinutes(5);

    private final String backup;

    /** @throws IllegalArgumentException the argument {@code backup}, the id of the backup, is missing or no name */
    SnapshotTask(Map<String, String> args) {
        backup = backup(args);
    }

    /** The id of the backup, which is also the name of a folder. */
    static String backup(Map<String, String> args) {
        String backup = args.getOrDefault("backup", "");
        if (!backup.matches("[A-Za-z0-9][-A-Za-z0-9]*")) {
            throw new IllegalArgumentException("backup '" + backup + "' must be the id of a backup");
        }
        return backup;
    }

    @Override
    public String run(Progress progress) throws Exception {
        long start = System.nanoTime();
        for (int i = 0; i < ATTEMPTS; i++) {
            removeFormer(); // its links may be what fills the disk
            requireRoom();
            progress.at("takes the snapshot", () -> 0);
            String schemaVersion = StorageService.instance.getSchemaVersion();
            Optional<SnapshotFile> file =
                    take(schemaVersion, FLUSH_AT_MOST.minusNanos(System.nanoTime() - start), progress);
            if (progress.isStopped()) {
                return "no snapshot was taken";
            }
            if (file.isPresent() && schemaVersion.equals(StorageService.instance.getSchemaVersion())) {
                progress.at("lists its files", () -> 0);
                file.get().write(Path.of(FOLDER, backup));
                return file.get().summary();
            }
        }
        throw new IllegalStateException("tables were altered or truncated, or got their first rows, during each of "
                + ATTEMPTS + " snapshots -> run the backup again");
    }

    @Override
    public void stop() {}

    /** Empty if tables changed meanwhile, so that it must be taken again, or if the task was stopped. */
    private Optional<SnapshotFile> take(String schemaVersion, Duration flushAtMost, Progress progress)
            throws IOException, InterruptedException {
        try {
            return takeOf(schemaVersion, flushAtMost, progress);
        } catch (IOException | RuntimeException | AssertionError e) {
            if (schemaVersion.equals(StorageService.instance.getSchemaVersion())) {
                throw e;
            }
            LOG.warn("The snapshot failed while the schema changed", e);
            return Optional.empty();
        }
    }

    private Optional<SnapshotFile> takeOf(String schemaVersion, Duration flushAtMost, Progress progress)
            throws IOException, InterruptedException {
        List<ColumnFamilyStore> tables = Tables.withRows();
        Instant from = Instant.now();
        if (!UnwrittenRows.flush(tables, flushAtMost, progress)) {
            return Optional.empty();
        }
        Checkpoints checkpoints = Checkpoints.before(tables);
        String[] names = CleanupSnapshot.names(tables.stream().map(Tables::name));
        StorageService.instance.takeSnapshot(tag(), Map.of("ttl", SNAPSHOT_TTL), names);
        Instant to = Instant.now();
        Optional<List<Checkpoints.Table>> taken = checkpoints.of(tag());
        return taken.isEmpty()
                ? Optional.empty()
                : Optional.of(SnapshotFile.of(backup, tag(), from, to, schemaVersion, taken.get()));
    }

    private String tag() {
        return "ringmaster-" + backup;
    }

    /** The directories of former backups stay: the next upload reads there which files it has hashed already. */
    private static void removeFormer() {
        for (String tag : StorageService.instance.getSnapshotDetails(Map.of()).keySet()) {
            if (isOfBackup(tag)) {
                StorageService.instance.clearSnapshot(Map.of(), tag);
            }
        }
    }

    /** Whether a backup took the snapshot. Those of people and those before a cleanup stay. */
    static boolean isOfBackup(String tag) {
        return TAG.matcher(tag).matches();
    }

    /** Compactions replace files, and a snapshot keeps the old ones. */
    private static void requireRoom() {
        Stream.of(DatabaseDescriptor.getAllDataFileLocations())
                .map(File::new)
                .filter(f -> f.getUsableSpace() < f.getTotalSpace() / 20)
                .findFirst()
                .ifPresent(f -> {
                    throw new IllegalStateException("less than 5 % of " + f + " is free, and a snapshot keeps files");
                });
    }
}
