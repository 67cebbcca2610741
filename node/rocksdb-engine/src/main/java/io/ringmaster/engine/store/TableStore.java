package io.ringmaster.engine.store;

import io.ringmaster.engine.encoding.Columns;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One generation of a table's data. Its column family is made by the first write.
 *
 * <p>Cassandra drops it only after the reads that know it have ended. What reads outside of Cassandra's read ordering (an export, a
 * stream, a statistic) holds a {@link Lease} meanwhile.
 */
public final class TableStore {
    private static final WriteOptions NO_LOG = new WriteOptions().setDisableWAL(true);
    private static final byte[] FIRST = {};
    private static final byte[] LAST = {(byte) 0xff};
    private static final ReadOptions POINT = new ReadOptions();

    private final Engine engine;
    private final Table table;
    private final int generation;
    private final String family;
    private final @Nullable Unfolded unfolded;
    private volatile @Nullable ColumnFamilyHandle handle;
    private int leases;
    private boolean isDropped;

    TableStore(Engine engine, Table table, int generation) {
        this.engine = engine;
        this.table = table;
        this.generation = generation;
        this.family = table.family(generation);
        this.handle = engine.family(family);
        this.unfolded = engine.isFolding() ? null : new Unfolded();
    }

    public Columns columns() {
        return table.columns();
    }

    Purging purging() {
        return engine.purging(family);
    }

    /** Those of this moment. */
    public PurgeRules purgeRules() {
        return purging().rules(FBUtilities.nowInSeconds());
    }

    int generation() {
        return generation;
    }

    /**
     * Adds operands to what is stored, all or none of them visible to a reader at any time. Nothing is read.
     *
     * @param merges a single one may lie in a longer array
     */
    public void merge(List<Merge> merges, WriteOptions options) {
        if (unfolded == null) {
            write(merges, options);
        } else {
            long bytes = merges.stream().mapToLong(merge -> merge.length).sum();
            unfolded.add(bytes, () -> write(merges, options));
        }
    }

    private void write(List<Merge> merges, WriteOptions options) {
        ColumnFamilyHandle to = handle == null ? create() : handle;
        if (merges.size() == 1) {
            Merge only = merges.get(0);
            table.newest().write(only, () -> add(to, only, options), () -> overwrite(to, only, options));
            return;
        }
        merges.forEach(table.newest()::announce);
        try (WriteBatch batch = new WriteBatch()) {
            for (Merge merge : merges) {
                batch.merge(to, merge.key, merge.operand);
            }
            engine.db().write(options, batch);
        } catch (RocksDBException e) {
            throw Failures.writing(e, engine.directory());
        }
    }

    private void add(ColumnFamilyHandle to, Merge only, WriteOptions options) {
        try {
            engine.db().merge(to, options, only.key, 0, only.key.length, only.operand, 0, only.length);
        } catch (RocksDBException e) {
            throw Failures.writing(e, engine.directory());
        }
    }

    private void overwrite(ColumnFamilyHandle to, Merge only, WriteOptions options) {
        try {
            engine.db().put(to, options, only.key, 0, only.key.length, only.operand, 0, only.length);
        } catch (RocksDBException e) {
            throw Failures.writing(e, engine.directory());
        }
    }

    private synchronized ColumnFamilyHandle create() {
        ColumnFamilyHandle created = engine.createFamily(family);
        handle = created;
        return created;
    }

    public byte @Nullable [] get(byte[] key) {
        ColumnFamilyHandle from = handle;
        if (from == null) {
            return null;
        }
        try {
            return engine.db().get(from, POINT, key);
        } catch (RocksDBException e) {
            throw Failures.reading(e, engine.directory());
        }
    }

    /** A view of this moment, or null if nothing was ever written. */
    public @Nullable Cursor cursor(Cursor.Reach reach) {
        ColumnFamilyHandle from = handle;
        return from == null ? null : new Cursor(engine.db(), from, reach, engine.directory());
    }

    public boolean isEmpty() {
        try (Cursor cursor = cursor(Cursor.Reach.WHOLE_TABLE)) {
            return cursor == null || !cursor.seekFirst();
        }
    }

    /** Whether anything was ever written. */
    public boolean exists() {
        return handle != null;
    }

    /** Links the data, and what is needed to open them, into a directory that must not exist yet. */
    public void checkpoint(Path target) {
        engine.checkpoint(target, family);
    }

    /** Whether RocksDB is about to write what is in memory to a file. */
    public boolean isBufferAlmostFull() {
        EngineSettings settings = engine.settings();
        long full = Math.min(settings.writeBufferBytes(), settings.writeBuffersBytes());
        return property("rocksdb.cur-size-active-mem-table") > full / 4 * 3;
    }

    /** All that was written before the call is in files when it returns. */
    public void flush() {
        ColumnFamilyHandle from = handle;
        if (from != null) {
            engine.flush(from);
        }
    }

    /** To be filled in the order of keys; {@link #ingest} adds it. */
    public BulkFile bulkFile(String what) {
        return engine.bulkFile(family, what);
    }

    public void ingest(BulkFile file) {
        ColumnFamilyHandle to = handle == null ? create() : handle;
        table.newest().announceAnywhere(file.newestTimestamp());
        apart(file.bytes(), () -> file.ingest(engine, to));
    }

    /** Not while a record is replaced. */
    private void apart(long bytes, Runnable change) {
        if (unfolded == null) {
            change.run();
        } else {
            unfolded.add(bytes, change);
        }
    }

    /** Whether RocksDB's compactions fold and purge. Else somebody has to {@link #replace} what has piled up. */
    public boolean isFolding() {
        return unfolded == null;
    }

    public boolean needsScrub() {
        return unfolded != null
                && exists()
                && unfolded.isMuch(
                        property("rocksdb.estimate-live-data-size"),
                        engine.settings().sweepSeconds());
    }

    /** To be called before all records are looked at. */
    public void beginScrub() {
        if (unfolded != null) {
            unfolded.beginScrub();
        }
    }

    /**
     * Replaces a record while nothing is added. A crash may undo it.
     *
     * @param change from what is stored by now to what says the same, or null to remove it
     * @throws IllegalStateException compactions fold here, and writes do not wait for anybody
     */
    public void replace(byte[] key, Function<byte[], byte @Nullable []> change) {
        if (unfolded == null) {
            throw new IllegalStateException("compactions fold " + this);
        }
        unfolded.replace(() -> {
            byte[] stored = get(key);
            if (stored != null) {
                put(key, change.apply(stored));
            }
        });
    }

    private void put(byte[] key, byte @Nullable [] value) {
        ColumnFamilyHandle to = handle == null ? create() : handle;
        try {
            if (value == null) {
                engine.db().delete(to, NO_LOG, key);
            } else {
                engine.db().put(to, NO_LOG, key, value);
            }
        } catch (RocksDBException e) {
            throw Failures.writing(e, engine.directory());
        }
    }

    /** Rewrites everything now, and folds and purges it where compactions do. */
    public void compact() {
        ColumnFamilyHandle from = handle;
        if (from != null) {
            engine.compact(from);
        }
    }

    /** Deletes all keys from one, included, to another, excluded; null is either end. Nothing may write to them meanwhile. */
    public void deleteRange(byte @Nullable [] from, byte @Nullable [] to) {
        ColumnFamilyHandle of = handle;
        if (of == null) {
            return;
        }
        apart(0, () -> deleteRange(of, from == null ? FIRST : from, to == null ? LAST : to));
        flush();
    }

    private void deleteRange(ColumnFamilyHandle of, byte[] from, byte[] to) {
        try {
            engine.db().deleteRange(of, NO_LOG, from, to);
        } catch (RocksDBException e) {
            throw Failures.writing(e, engine.directory());
        }
    }

    /** A number that RocksDB keeps, such as {@code rocksdb.estimate-live-data-size}; 0 if nothing was ever written. */
    public long property(String name) {
        try (Lease lease = lease()) {
            ColumnFamilyHandle from = handle;
            return lease == null || from == null ? 0 : engine.db().getLongProperty(from, name);
        } catch (RocksDBException e) {
            throw Failures.reading(e, engine.directory());
        }
    }

    /** Keeps the data from being dropped until it is closed; null if they are dropped already. */
    public synchronized @Nullable Lease lease() {
        if (isDropped) {
            return null;
        }
        leases++;
        return new Lease(this);
    }

    private synchronized void release() {
        leases--;
        if (leases == 0 && isDropped) {
            engine.dropFamily(family);
        }
    }

    /** Deletes the data for good, once nobody has a lease. */
    synchronized void drop() {
        isDropped = true;
        if (leases == 0) {
            engine.dropFamily(family);
        }
    }

    /** Adds all that another generation holds. */
    void absorb(TableStore other) {
        try (Cursor cursor = other.cursor(Cursor.Reach.WHOLE_TABLE)) {
            if (cursor == null) {
                return;
            }
            for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
                // what is newest in it is known since it was written
                merge(List.of(new Merge(cursor.key(), cursor.value(), Long.MIN_VALUE)), NO_LOG);
            }
        }
        flush();
    }

    @Override
    public String toString() {
        return family;
    }

    /** Somebody's reading. */
    public static final class Lease implements AutoCloseable {
        private final TableStore store;
        private boolean isClosed;

        private Lease(TableStore store) {
            this.store = store;
        }

        @Override
        public synchronized void close() {
            if (!isClosed) {
                isClosed = true;
                store.release();
            }
        }
    }
}
