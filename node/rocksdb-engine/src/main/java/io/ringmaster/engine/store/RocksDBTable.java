package io.ringmaster.engine.store;

import io.ringmaster.engine.encoding.ColumnNumbers;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of a table that outlives its memtables. An index has a table of its own. */
public final class RocksDBTable {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDBTable.class);
    private static final Map<String, RocksDBTable> TABLES = new ConcurrentHashMap<>();

    private static final int ID_DIGITS = 32;

    private final Engine engine;
    private final String name;
    private final ColumnNumbers columns;
    private final PersistedIntervals persisted;
    private final TableStores stores;
    private final TombstoneRetention retention;
    /** Held while data moves from an sstable to RocksDB, and while a snapshot of both is taken. */
    private final ReentrantLock moves = new ReentrantLock();

    private volatile MaxTimestamps maxTimestamps;
    private volatile long discardedAtMillis;

    private RocksDBTable(Engine engine, String name, TableMetadata metadata, boolean isExportOnly) {
        this.engine = engine;
        this.name = name;
        TableStores.endTruncations(engine, name, () -> SystemKeyspace.getTruncatedAt(id(name)));
        String known = engine.readCatalogue("columns:" + name);
        this.columns = new ColumnNumbers(ColumnNumbers.parse(known == null ? "" : known), metadata, this::persist);
        this.maxTimestamps = new MaxTimestamps(
                storedBounds(engine, name), FBUtilities::timestampMicros, text -> persist("newest", text));
        String intervals = engine.readCatalogue("persisted:" + name);
        this.persisted = new PersistedIntervals(
                intervals == null ? "" : intervals, text -> engine.writeCatalogue("persisted:" + name, text));
        this.stores = new TableStores(
                engine,
                name,
                isExportOnly,
                generation -> new TableStore(
                        engine, TableStores.family(name, generation), generation, columns, maxTimestamps));
        this.retention = new TombstoneRetention(engine, name, metadata, stores);
        if (!isExportOnly) {
            revertExports();
        }
    }

    /** The name of a table in RocksDB. The table of an index has the id of its base table, but a different name. */
    public static String name(TableMetadata metadata) {
        return metadata.keyspace + "/" + metadata.name + "-" + metadata.id.toHexString();
    }

    /** The id of a table in RocksDB; for an index that of its base table. */
    public static TableId id(String name) {
        String hex = name.substring(name.length() - ID_DIGITS);
        return TableId.fromUUID(new UUID(
                Long.parseUnsignedLong(hex.substring(0, ID_DIGITS / 2), 16),
                Long.parseUnsignedLong(hex.substring(ID_DIGITS / 2), 16)));
    }

    /** Whether the table was opened since the process started. */
    public static boolean isOpen(String name) {
        return TABLES.containsKey(name);
    }

    /** Opens a table. Returns the same object for the same table until the process ends. */
    public static RocksDBTable open(Engine engine, TableMetadata metadata) {
        return TABLES.computeIfAbsent(name(metadata), name -> new RocksDBTable(engine, name, metadata, false));
    }

    /** Opens a table that has another memtable now. {@link #pendingExports} has its remaining data. */
    public static RocksDBTable openForExport(Engine engine, TableMetadata metadata) {
        return TABLES.computeIfAbsent(name(metadata), name -> new RocksDBTable(engine, name, metadata, true));
    }

    /** The stores that are not exported to sstables yet, the oldest first. */
    public List<TableStore> pendingExports() {
        return stores.exporting();
    }

    /**
     * After a crash during an export its sstables are unused, so the exported generations move back into the current.
     */
    private void revertExports() {
        for (TableStore source : stores.exporting()) {
            retention.beforeWrite(Long.MIN_VALUE);
            LOG.info("moving {} back into its table: its export to sstables was interrupted", source);
            current().addAll(source);
            stores.discard(source);
        }
    }

    /**
     * Opens a snapshot of the table.
     *
     * @throws IllegalArgumentException the directory has no snapshot of the table
     */
    public TableSnapshot openSnapshot(Path directory, TableMetadata metadata) {
        return engine.openSnapshot(directory, metadata);
    }

    /** Those of the node. */
    public TemporaryMarks temporaryMarks() {
        return engine.temporaryMarks();
    }

    /**
     * The store of the table's memtable, or, once that is switched out, an empty one for the next memtable. Nothing
     * reads the empty one before.
     */
    public TableStore current() {
        return stores.current();
    }

    /** Runs an action while no other one moves data from an sstable to RocksDB, or takes a snapshot of both. */
    public void excludeMoves(Runnable action) {
        moves.lock();
        try {
            action.run();
        } finally {
            moves.unlock();
        }
    }

    /**
     * Takes a {@link TableSnapshot}. Data that moves from RocksDB to sstables meanwhile is in both. No data moves the
     * other way.
     *
     * @param target a directory that must not exist yet
     * @param truncation Cassandra's record of the last truncation
     * @param linkSSTables adds the table's sstables to the snapshot
     */
    public void takeSnapshot(Path target, long truncation, Runnable linkSSTables) {
        excludeMoves(() -> {
            stores.releaseTruncated(truncation);
            List<TableStore.Lease> leases = stores.leases();
            try {
                linkSSTables.run();
                Stream<TableStore> leased = leases.stream().map(TableStore.Lease::store);
                engine.takeSnapshot(
                        target,
                        name,
                        Stream.concat(stores.truncated().stream(), leased).toList());
            } finally {
                leases.forEach(TableStore.Lease::close);
            }
        });
    }

    /** Whether a snapshot of the table needs more than its {@link #current} store. */
    public boolean hasOtherStores() {
        return stores.hasOthers();
    }

    /**
     * Deletes the data of truncations that Cassandra has recorded.
     *
     * @param truncation its record of the last one
     */
    public void releaseTruncated(long truncation) {
        // a snapshot that is being taken has done so
        if (moves.tryLock()) {
            try {
                stores.releaseTruncated(truncation);
            } finally {
                moves.unlock();
            }
        }
    }

    /**
     * Whether an sstable may be ingested: a truncation in progress will not remove it.
     *
     * @param maxDataAgeMillis the time at which the sstable's data was complete
     */
    public boolean mayIngest(long maxDataAgeMillis) {
        return maxDataAgeMillis > discardedAtMillis;
    }

    /**
     * Starts a generation for new writes, unless {@link #retire} did. The data of the store survive a crash until
     * {@link #discard}.
     */
    public TableStore renewForExport(TableStore store) {
        return stores.renewForExport(store);
    }

    /**
     * Ends a store whose memtable is switched out. What an ingestion or a restore adds to it later does not count,
     * because its export may not read it. Has no effect if it is not the current one.
     */
    public void retire(TableStore store) {
        stores.retire(store);
    }

    /** The part of the commit log that a replay need not apply to the table. */
    public PersistedIntervals persisted() {
        return persisted;
    }

    /**
     * Starts a generation for new writes. The data of the old one will be deleted when Cassandra has recorded the
     * truncation, and so will older sstables.
     *
     * @param record Cassandra's record of the last truncation before
     */
    public synchronized TableStore renewForTruncation(long record) {
        discardedAtMillis = System.currentTimeMillis();
        if (stores.isExporting()) {
            return stores.renewForTruncation(record);
        }
        maxTimestamps =
                new MaxTimestamps(TimestampBounds.NONE, FBUtilities::timestampMicros, text -> persist("newest", text));
        TableStore empty = stores.renewForTruncation(record);
        // not before the new generation is durable: until then the bounds of the old data are needed
        persist("newest", TimestampBounds.NONE.text());
        return empty;
    }

    /** Starts a generation for new writes. The data of the old one, and older sstables, will be deleted. */
    public synchronized TableStore renewAfterDrop() {
        persisted.clear();
        discardedAtMillis = System.currentTimeMillis();
        return stores.renewAfterDrop();
    }

    /** Deletes the data of a generation. If it is the current one, an empty generation replaces it first. */
    public void discard(TableStore store) {
        stores.discard(store);
    }

    /** Which tombstones of the table compactions may drop. */
    public TombstoneRetention retention() {
        return retention;
    }

    /** Rewrites all data of the store into one sorted run. Merges and purges it if compactions do. */
    public void compact(TableStore store) {
        WriteMark mark = store.mark();
        store.compact();
        retention.follow(mark);
        retention.checkMerged();
    }

    /** A table with data but without stored bounds is from before bounds were stored; its timestamps are unknown. */
    private static TimestampBounds storedBounds(Engine engine, String name) {
        String bounds = engine.readCatalogue("newest:" + name);
        if (bounds != null) {
            return TimestampBounds.read(bounds);
        }
        return engine.families(name + ".").isEmpty() ? TimestampBounds.NONE : TimestampBounds.UNKNOWN;
    }

    /** Called periodically, so that few writes wait for the catalogue. */
    public void extendTimestampBound() {
        maxTimestamps.extendBounds();
    }

    private void persist(String what, String text) {
        engine.writeCatalogue(what + ":" + name, text);
    }

    private void persist(List<ByteBuffer> columnNames) {
        engine.writeCatalogue("columns:" + name, ColumnNumbers.format(columnNames));
    }
}
