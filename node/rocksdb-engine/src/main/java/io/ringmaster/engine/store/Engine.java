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
import org.apache.cassandra.io.FSError;
import org.apache.cassandra.io.FSWriteError;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
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

/** The RocksDB of this node. All tables are in one database, so that they share its cache, threads and limits. */
public final class Engine {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final String TEMPORARY = "temporary";
    private static @Nullable Engine instance;

    private final EngineSettings settings;
    private final Path directory;
    private final RocksDBOptions options;
    private final RocksDB db;
    private final ColumnFamilyHandle catalogue;
    private final Map<String, ColumnFamilyHandle> families = new ConcurrentHashMap<>();
    private final TemporaryMarks temporaryMarks;

    private Engine(EngineSettings settings, Path directory) throws RocksDBException {
        this.settings = settings;
        this.directory = directory;
        this.options = new RocksDBOptions(settings);
        List<ColumnFamilyDescriptor> descriptors = options.families(directory);
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        long start = System.nanoTime();
        db = RocksDB.open(options.database(), directory.toString(), descriptors, handles);
        for (int i = 0; i < handles.size(); i++) {
            families.put(new String(descriptors.get(i).getName(), UTF_8), handles.get(i));
        }
        catalogue = db.getDefaultColumnFamily();
        String marks = readCatalogue(TEMPORARY);
        temporaryMarks = new TemporaryMarks(marks == null ? "" : marks, text -> writeCatalogue(TEMPORARY, text));
        LOG.info(
                "RocksDB opened {} with {} column families in {} ms",
                directory,
                handles.size(),
                (System.nanoTime() - start) / 1_000_000);
    }

    /**
     * Returns the engine of the node, and opens it at the first call.
     *
     * @throws ConfigurationException another memtable configuration opened it with other settings
     * @throws FSError the files are missing, belong to other data directories, or cannot be read
     */
    public static synchronized Engine open(EngineSettings settings) {
        Engine open = instance;
        if (open == null) {
            Path directory = directory(settings);
            EngineId.checkExists(directory);
            try {
                if (Files.exists(incoming(directory))) {
                    new File(incoming(directory)).deleteRecursive();
                }
                Files.createDirectories(incoming(directory));
                open = new Engine(settings, directory);
                checkId(open);
            } catch (IOException e) {
                throw new FSWriteError(e, directory);
            } catch (RocksDBException e) {
                throw RocksDBErrors.reading(e, directory);
            }
            instance = open;
        }
        if (!open.settings.equals(settings.withDurability(open.settings.durability()))) {
            throw new ConfigurationException(
                    "memtable configurations of the RocksDB engine may differ only in 'durability', because all tables"
                            + " of a node share one RocksDB: it is open with " + open.settings
                            + ", this configuration has " + settings + " -> use the same parameters in both");
        }
        return open;
    }

    private static void checkId(Engine opened) {
        try {
            EngineId.checkOrSet(opened);
            opened.updateTablesFile();
        } catch (FSError e) {
            opened.db.close();
            throw e;
        }
    }

    private void updateTablesFile() {
        if (tables().isEmpty()) {
            TablesFile.delete();
        } else {
            TablesFile.create();
        }
    }

    /** Whether the node's directory has a RocksDB, open or not. */
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

    /** The names of the tables with data in RocksDB, in the form {@code keyspace/table-id}. */
    public Set<String> tables() {
        return families("").stream()
                .filter(family -> family.contains("/"))
                .map(family -> family.substring(0, family.lastIndexOf('.')))
                .collect(Collectors.toSet());
    }

    /** The sorted names of the column families with a prefix. */
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
        TablesFile.create();
        try {
            ColumnFamilyDescriptor descriptor = options.family(name);
            ColumnFamilyHandle created = db.createColumnFamily(descriptor);
            descriptor.getOptions().close();
            families.put(name, created);
            return created;
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, directory);
        }
    }

    /** Drops a column family and its data. Its handle must not be used afterwards. */
    synchronized void dropFamily(String name) {
        ColumnFamilyHandle handle = families.remove(name);
        if (handle == null) {
            return;
        }
        try {
            db.dropColumnFamily(handle);
            handle.close();
            LOG.info("dropped column family {}", name);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, directory);
        }
        updateTablesFile();
    }

    public TemporaryMarks temporaryMarks() {
        return temporaryMarks;
    }

    boolean mergesInCompactions() {
        return options.mergesInCompactions();
    }

    NativePurgeRules purgeRules(String family) {
        return options.purgeRules(family);
    }

    EngineSettings settings() {
        return settings;
    }

    @Nullable
    String readCatalogue(String key) {
        try {
            byte[] value = db.get(catalogue, key.getBytes(UTF_8));
            return value == null ? null : new String(value, UTF_8);
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
    }

    /** Stores an entry of the catalogue; it is durable when this returns. */
    void writeCatalogue(String key, String value) {
        try (WriteOptions synced = new WriteOptions().setSync(true)) {
            db.put(catalogue, synced, key.getBytes(UTF_8), value.getBytes(UTF_8));
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, directory);
        }
    }

    void flush(ColumnFamilyHandle family) {
        try (FlushOptions wait = new FlushOptions().setWaitForFlush(true).setAllowWriteStall(true)) {
            db.flush(wait, family);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, directory);
        }
    }

    IngestFile ingestFile(String family, String what) {
        Path file = incoming(directory).resolve(family.replace('/', '_') + "-" + what + ".sst");
        return new IngestFile(file, options.fileOptions());
    }

    private static Path incoming(Path directory) {
        return directory.resolve("incoming");
    }

    /** Adapts the throughput of flushes and compactions to their backlog. Called twice a second. */
    public void adjustThrottle() {
        options.throttle().adjust(maximum("rocksdb.num-files-at-level0"), maximum("rocksdb.num-immutable-mem-table"));
    }

    /** The greatest value of a property among all column families. */
    private synchronized long maximum(String property) {
        try {
            long greatest = 0;
            for (ColumnFamilyHandle family : families.values()) {
                greatest = Math.max(greatest, Long.parseLong(db.getProperty(family, property)));
            }
            return greatest;
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
    }

    /** The value of a numeric RocksDB property; the sum over all column families if it is a property of those. */
    public long property(String name) {
        try {
            return name.contains("block-cache") ? db.getLongProperty(name) : db.getAggregatedLongProperty(name);
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, directory);
        }
    }

    /** @throws IllegalStateException the checksum of a file does not match */
    public void verify() {
        try {
            db.verifyChecksum();
        } catch (RocksDBException e) {
            throw new IllegalStateException(
                    "verification of RocksDB's files in " + directory + " failed: " + e.getMessage(), e);
        }
    }

    /** Syncs RocksDB's write-ahead log to disk. */
    public void syncLog() {
        try {
            db.syncWal();
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, directory);
        }
    }

    /** Rewrites all files into one sorted run, which merges and purges all data. */
    void compact(ColumnFamilyHandle family) {
        try (CompactRangeOptions all = new CompactRangeOptions()
                .setBottommostLevelCompaction(BottommostLevelCompaction.kForce)
                .setAllowWriteStall(true)) {
            db.compactRange(family, null, null, all);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, directory);
        }
    }

    /** See {@link TableSnapshot}. */
    TableSnapshot openSnapshot(Path target, TableMetadata metadata) {
        return new TableSnapshot(target, metadata, options);
    }

    /** Creates a {@link TableSnapshot} of the given stores of a table, which must not be dropped meanwhile. */
    void takeSnapshot(Path target, String table, List<TableStore> stores) {
        try (SnapshotWriter writer = new SnapshotWriter(target)) {
            for (TableStore store : stores) {
                writer.add(db, store.family(), family(store.family()));
            }
            // after the records, because columns may have been added meanwhile
            String columns = readCatalogue("columns:" + table);
            if (columns != null) {
                writer.put("columns:" + table, columns);
            }
        }
    }
}
