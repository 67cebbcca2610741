package io.ringmaster.engine.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The RocksDB of this node: one for all tables, so that they share a cache, threads and limits. */
public final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static @Nullable Engine instance;

    private final EngineSettings settings;
    private final Path directory;
    private final Tuning tuning;
    private final RocksDB db;
    private final ColumnFamilyHandle catalogue;
    private final Map<String, ColumnFamilyHandle> families = new ConcurrentHashMap<>();

    private Engine(EngineSettings settings, Path directory) throws RocksDBException {
        this.settings = settings;
        this.directory = directory;
        this.tuning = new Tuning(settings);
        List<ColumnFamilyDescriptor> descriptors = tuning.families(directory);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        long start = System.nanoTime();
        db = RocksDB.open(tuning.database(), directory.toString(), descriptors, handles);
        for (int i = 0; i < handles.size(); i++) {
            families.put(new String(descriptors.get(i).getName(), UTF_8), handles.get(i));
        }
        catalogue = db.getDefaultColumnFamily();
        LOG.info(
                "RocksDB opened {} with {} column families in {} ms",
                directory,
                handles.size(),
                (System.nanoTime() - start) / 1_000_000);
    }

    /**
     * Opens it at the first call.
     *
     * @throws ConfigurationException another memtable configuration has opened it with other settings
     */
    public static synchronized Engine open(EngineSettings settings) {
        Engine open = instance;
        if (open == null) {
            Path directory = directory(settings);
            try {
                if (Files.exists(incoming(directory))) {
                    new File(incoming(directory)).deleteRecursive();
                }
                Files.createDirectories(incoming(directory));
                open = new Engine(settings, directory);
            } catch (IOException e) {
                throw new FSWriteError(e, directory);
            } catch (RocksDBException e) {
                throw Failures.reading(e, directory);
            }
            instance = open;
        }
        if (!open.settings.equals(settings.withDurability(open.settings.durability()))) {
            throw new ConfigurationException(
                    "memtable configurations of the RocksDB engine may differ in 'durability' alone, because all"
                            + " tables of a node share one RocksDB: it runs with " + open.settings + ", asked for is "
                            + settings);
        }
        return open;
    }

    /** Whether there is one to be opened, be it open already or not. */
    public static boolean exists(EngineSettings settings) {
        return Files.exists(directory(settings).resolve("CURRENT"));
    }

    private static Path directory(EngineSettings settings) {
        return settings.directory() != null
                ? settings.directory()
                : Path.of(DatabaseDescriptor.getAllDataFileLocations()[0]).resolveSibling("rocksdb");
    }

    public Path directory() {
        return directory;
    }

    public RocksDB db() {
        return db;
    }

    /** Names, as {@link Table#name} makes them, of the tables that have data here. */
    public Set<String> tables() {
        return families("").stream()
                .filter(family -> family.contains("/"))
                .map(family -> family.substring(0, family.lastIndexOf('.')))
                .collect(Collectors.toSet());
    }

    /** Names of column families that begin so. */
    List<String> families(String prefix) {
        return families.keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .sorted()
                .toList();
    }

    @Nullable
    ColumnFamilyHandle family(String name) {
        return families.get(name);
    }

    synchronized ColumnFamilyHandle createFamily(String name) {
        ColumnFamilyHandle existing = families.get(name);
        if (existing != null) {
            return existing;
        }
        try {
            ColumnFamilyHandle created = db.createColumnFamily(tuning.family(name));
            families.put(name, created);
            return created;
        } catch (RocksDBException e) {
            throw Failures.writing(e, directory);
        }
    }

    /** Its data are gone when this returns; nothing may use the handle any more. */
    synchronized void dropFamily(String name) {
        ColumnFamilyHandle handle = families.remove(name);
        if (handle == null) {
            return;
        }
        try {
            db.dropColumnFamily(handle);
            handle.close();
            LOG.info("dropped {}", name);
        } catch (RocksDBException e) {
            throw Failures.writing(e, directory);
        }
    }

    boolean isFolding() {
        return tuning.isFolding();
    }

    Purging purging(String family) {
        return tuning.purging(family);
    }

    EngineSettings settings() {
        return settings;
    }

    @Nullable
    String recall(String key) {
        try {
            byte[] value = db.get(catalogue, key.getBytes(UTF_8));
            return value == null ? null : new String(value, UTF_8);
        } catch (RocksDBException e) {
            throw Failures.reading(e, directory);
        }
    }

    /** Durable when this returns. */
    void remember(String key, String value) {
        try (WriteOptions synced = new WriteOptions().setSync(true)) {
            db.put(catalogue, synced, key.getBytes(UTF_8), value.getBytes(UTF_8));
        } catch (RocksDBException e) {
            throw Failures.writing(e, directory);
        }
    }

    void flush(ColumnFamilyHandle family) {
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true)) {
            db.flush(wait, family);
        } catch (RocksDBException e) {
            throw Failures.writing(e, directory);
        }
    }

    BulkFile bulkFile(String family, String what) {
        Path file = incoming(directory).resolve(family.replace('/', '_') + "-" + what + ".sst");
        return new BulkFile(file, tuning.fileOptions(family));
    }

    private static Path incoming(Path directory) {
        return directory.resolve("incoming");
    }

    /** Lets flushes and compactions write as fast as is needed now. To be called twice a second. */
    public void adjustPace() {
        tuning.pace().adjust(most("rocksdb.num-files-at-level0"), most("rocksdb.num-immutable-mem-table"));
    }

    private synchronized long most(String property) {
        try {
            long most = 0;
            for (ColumnFamilyHandle family : families.values()) {
                most = Math.max(most, Long.parseLong(db.getProperty(family, property)));
            }
            return most;
        } catch (RocksDBException e) {
            throw Failures.reading(e, directory);
        }
    }

    /** A number that RocksDB keeps, added up over all tables where it is a table's. */
    public long property(String name) {
        try {
            return name.contains("block-cache") ? db.getLongProperty(name) : db.getAggregatedLongProperty(name);
        } catch (RocksDBException e) {
            throw Failures.reading(e, directory);
        }
    }

    /** @throws IllegalStateException a file's content is not what was written */
    public void verify() {
        try {
            db.verifyChecksum();
        } catch (RocksDBException e) {
            throw new IllegalStateException("in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** What was written to RocksDB's own log is on disk when this returns. */
    public void syncLog() {
        try {
            db.syncWal();
        } catch (RocksDBException e) {
            throw Failures.writing(e, directory);
        }
    }

    /** Rewrites all files into one sorted run, which folds and purges everything. */
    void compact(ColumnFamilyHandle family) {
        try (CompactRangeOptions all = new CompactRangeOptions()
                .setBottommostLevelCompaction(BottommostLevelCompaction.kForce)
                .setAllowWriteStall(true)) {
            db.compactRange(family, null, null, all);
        } catch (RocksDBException e) {
            throw Failures.writing(e, directory);
        }
    }

    /** See {@link Copy}. */
    Copy copy(Path directory, TableMetadata metadata) {
        return new Copy(directory, metadata, tuning);
    }

    /** A RocksDB of its own in another directory, with the catalogue and this family alone; files are linked where the file system can. */
    void checkpoint(Path target, String family) {
        try (Checkpoint checkpoint = Checkpoint.create(db)) {
            Files.createDirectories(target.getParent());
            checkpoint.createCheckpoint(target.toString());
            Copy.keepOnly(target, family, tuning);
        } catch (IOException e) {
            throw new FSWriteError(e, target);
        } catch (RocksDBException e) {
            throw Failures.writing(e, target);
        }
    }
}
