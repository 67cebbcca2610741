package io.ringmaster.engine.store;

import io.ringmaster.engine.encoding.Columns;
import java.nio.file.Path;
import java.util.List;
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
    private volatile @Nullable ColumnFamilyHandle handle;
    private int leases;
    private boolean isDropped;

    TableStore(Engine engine, Table table, int generation) {
        this.engine = engine;
        this.table = table;
        this.generation = generation;
        this.family = table.family(generation);
        this.handle = engine.family(family);
    }

    public Columns columns() {
        return table.columns();
    }

    Purging purging() {
        return engine.purging(family);
    }

    int generation() {
        return generation;
    }

    /** Adds operands to what is stored, all or none of them visible to a reader at any time. Nothing is read. */
    public void merge(List<Merge> merges, WriteOptions options) {
        ColumnFamilyHandle to = handle;
        if (to == null) {
            to = create();
        }
        try {
            if (merges.size() == 1) {
                Merge only = merges.get(0);
                engine.db().merge(to, options, only.key, only.operand);
                return;
            }
            try (WriteBatch batch = new WriteBatch()) {
                for (Merge merge : merges) {
                    batch.merge(to, merge.key, merge.operand);
                }
                engine.db().write(options, batch);
            }
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
        ColumnFamilyHandle to = handle;
        file.ingest(engine, to == null ? create() : to);
    }

    /** Folds and purges everything now. */
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
        try {
            engine.db().deleteRange(of, NO_LOG, from == null ? FIRST : from, to == null ? LAST : to);
        } catch (RocksDBException e) {
            throw Failures.writing(e, engine.directory());
        }
        flush();
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
                merge(List.of(new Merge(cursor.key(), cursor.value())), NO_LOG);
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
