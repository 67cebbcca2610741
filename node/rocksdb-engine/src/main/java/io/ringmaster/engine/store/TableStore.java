package io.ringmaster.engine.store;

import io.ringmaster.engine.encoding.ColumnNumbers;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import org.apache.cassandra.utils.FBUtilities;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * One generation of a table's data. The first write creates its column family.
 *
 * <p>Cassandra waits for its reads before it drops a generation. Reads outside of Cassandra's read ordering (exports,
 * streams, statistics) hold a {@link Lease}.
 */
public final class TableStore {
    private static final WriteOptions NO_LOG = new WriteOptions().setDisableWAL(true);
    private static final byte[] FIRST = {};
    private static final byte[] LAST = {(byte) 0xff};
    private static final ReadOptions POINT = new ReadOptions();

    private final Engine engine;
    private final String family;
    private final int generation;
    private final ColumnNumbers columns;
    private final MaxTimestamps maxTimestamps;
    /** Writes share it. Ingestions, and changes of records by {@link #replace}, exclude them. */
    private final ReadWriteLock writes = new ReentrantReadWriteLock();

    private final UnmergedWrites unmerged = new UnmergedWrites();

    private volatile @Nullable ColumnFamilyHandle handle;
    private int leases;
    private boolean isDropped;

    TableStore(Engine engine, String family, int generation, ColumnNumbers columns, MaxTimestamps maxTimestamps) {
        this.engine = engine;
        this.family = family;
        this.generation = generation;
        this.columns = columns;
        this.maxTimestamps = maxTimestamps;
        this.handle = engine.family(family);
    }

    public ColumnNumbers columns() {
        return columns;
    }

    NativePurgeRules nativePurgeRules() {
        return engine.purgeRules(family);
    }

    /** The current rules. */
    public PurgeRules purgeRules() {
        return nativePurgeRules().rules(FBUtilities.nowInSeconds());
    }

    int generation() {
        return generation;
    }

    /**
     * Adds operands without reading. They become visible atomically.
     *
     * @param operands several operands must fill their arrays; a single one may be in a longer array
     */
    public void merge(List<MergeOperand> operands, WriteOptions options) {
        if (!mergesInCompactions()) {
            unmerged.add(operands.stream().mapToLong(operand -> operand.length).sum());
        }
        writes.readLock().lock();
        try {
            write(operands, options);
        } finally {
            writes.readLock().unlock();
        }
    }

    private void write(List<MergeOperand> operands, WriteOptions options) {
        ColumnFamilyHandle to = handle == null ? create() : handle;
        if (operands.size() == 1) {
            MergeOperand only = operands.get(0);
            maxTimestamps.write(only, () -> add(to, only, options), () -> overwrite(to, only, options));
            return;
        }
        operands.forEach(maxTimestamps::raise);
        try (WriteBatch batch = new WriteBatch()) {
            for (MergeOperand operand : operands) {
                batch.merge(to, operand.key, operand.operand);
            }
            engine.db().write(options, batch);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, engine.directory());
        }
        operands.forEach(this::sample);
    }

    private void add(ColumnFamilyHandle to, MergeOperand only, WriteOptions options) {
        try {
            engine.db().merge(to, options, only.key, 0, only.key.length, only.operand, 0, only.length);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, engine.directory());
        }
        sample(only);
    }

    private void sample(MergeOperand merged) {
        if (mergesInCompactions()) {
            HotKeys.sample(this, merged.key);
        }
    }

    private void overwrite(ColumnFamilyHandle to, MergeOperand only, WriteOptions options) {
        try {
            engine.db().put(to, options, only.key, 0, only.key.length, only.operand, 0, only.length);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, engine.directory());
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
            throw RocksDBErrors.reading(e, engine.directory());
        }
    }

    /** A cursor over the current data, or null if the store was never written. */
    public @Nullable Cursor cursor(Cursor.Reach reach) {
        ColumnFamilyHandle from = handle;
        return from == null ? null : new Cursor(engine.db(), from, reach, engine.directory());
    }

    public boolean isEmpty() {
        try (Lease lease = lease();
                Cursor cursor = lease == null ? null : cursor(Cursor.Reach.WHOLE_TABLE)) {
            return cursor == null || !cursor.seekFirst();
        }
    }

    /** Whether the store was ever written. */
    public boolean exists() {
        return handle != null;
    }

    /** The name of the column family, which exists only if the store {@link #exists}. */
    String family() {
        return family;
    }

    /** Whether the write buffer is so full (three quarters) that RocksDB will soon flush it. */
    public boolean isBufferAlmostFull() {
        EngineSettings settings = engine.settings();
        long full = Math.min(settings.writeBufferBytes(), settings.writeBuffersBytes());
        return property("rocksdb.cur-size-active-mem-table") > full / 4 * 3;
    }

    /** Marks the present. The writes so far are in files after a {@link #flush}. */
    public WriteMark mark() {
        long now = FBUtilities.nowInSeconds();
        return new WriteMark(this, now, engine.db().getLatestSequenceNumber());
    }

    /** See {@link MergeProgress#isMerged}. */
    boolean isMerged(long sequence) {
        try (Lease lease = lease()) {
            ColumnFamilyHandle of = handle;
            return lease == null
                    || of == null
                    || MergeProgress.isMerged(engine.db().getColumnFamilyMetaData(of), sequence);
        }
    }

    /** Writes the write buffer to a file. Writes from before the call are in files when this returns. */
    public void flush() {
        ColumnFamilyHandle from = handle;
        if (from != null) {
            engine.flush(from);
        }
    }

    /** Creates an external file, to be filled in key order and added by {@link #ingest}. */
    public IngestFile ingestFile(String what) {
        return engine.ingestFile(family, what);
    }

    /**
     * Adds the content of files.
     *
     * <p>RocksDB ingests nothing below data in the write buffer. It would flush that while it stops the writes to all
     * tables, so the buffer is flushed before. Writes to this table wait only for the flush of those since.
     */
    public void ingest(List<IngestFile> files) {
        ColumnFamilyHandle to = handle == null ? create() : handle;
        for (IngestFile file : files) {
            maxTimestamps.raiseAll(file.maxTimestamps());
            if (!mergesInCompactions()) {
                unmerged.add(file.bytes());
            }
        }
        flush();
        excludeWrites(() -> {
            flush();
            files.forEach(file -> file.ingest(engine.db(), to));
        });
    }

    private void excludeWrites(Runnable action) {
        writes.writeLock().lock();
        try {
            action.run();
        } finally {
            writes.writeLock().unlock();
        }
    }

    /** Whether compactions merge the operands of a record. */
    public boolean mergesInCompactions() {
        return engine.mergesInCompactions();
    }

    /** Whether records must be rewritten by {@link #replace}, because compactions do not merge or purge all of them. */
    public boolean needsRewrites() {
        return !mergesInCompactions() || nativePurgeRules().keepElements();
    }

    /** Whether the store has many unmerged operands, or the last purge is long ago. */
    public boolean needsPurge() {
        return needsRewrites()
                && exists()
                && unmerged.isPurgeDue(
                        property("rocksdb.estimate-live-data-size"),
                        engine.settings().sweepSeconds());
    }

    /** Called before a purge reads the first record. */
    public void startPurge() {
        unmerged.startPurge();
    }

    /**
     * Rewrites a record and excludes other writes meanwhile. A crash may undo the change.
     *
     * @param change maps the current value to an equivalent one, or to null to remove the record
     */
    public void replace(byte[] key, Function<byte[], byte @Nullable []> change) {
        excludeWrites(() -> {
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
            throw RocksDBErrors.writing(e, engine.directory());
        }
    }

    /** See {@link RocksDBTable#compact}. */
    void compact() {
        try (Lease lease = lease()) {
            ColumnFamilyHandle from = handle;
            if (lease != null && from != null) {
                engine.compact(from);
            }
        }
    }

    /**
     * Deletes the keys from one (inclusive) to another (exclusive); null is an end. They must not be written meanwhile.
     */
    public void deleteRange(byte @Nullable [] from, byte @Nullable [] to) {
        try (Lease lease = lease()) {
            ColumnFamilyHandle of = handle;
            if (lease != null && of != null) {
                excludeWrites(() -> deleteRange(of, from == null ? FIRST : from, to == null ? LAST : to));
                flush();
            }
        }
    }

    private void deleteRange(ColumnFamilyHandle of, byte[] from, byte[] to) {
        try {
            engine.db().deleteRange(of, NO_LOG, from, to);
        } catch (RocksDBException e) {
            throw RocksDBErrors.writing(e, engine.directory());
        }
    }

    /**
     * The value of a numeric RocksDB property, such as {@code rocksdb.estimate-live-data-size}; 0 for an empty store.
     */
    public long property(String name) {
        try (Lease lease = lease()) {
            ColumnFamilyHandle from = handle;
            return lease == null || from == null ? 0 : engine.db().getLongProperty(from, name);
        } catch (RocksDBException e) {
            throw RocksDBErrors.reading(e, engine.directory());
        }
    }

    /** RocksDB's estimate of the size of the records from one key to another; null is an end. */
    public long approximateBytes(byte @Nullable [] from, byte @Nullable [] to) {
        ColumnFamilyHandle of = handle;
        if (of == null) {
            return 0;
        }
        try (Slice start = new Slice(from == null ? FIRST : from);
                Slice end = new Slice(to == null ? LAST : to)) {
            return engine.db()
                    .getApproximateSizes(
                            of,
                            List.of(new Range(start, end)),
                            SizeApproximationFlag.INCLUDE_FILES,
                            SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
        }
    }

    /** Prevents the data from being dropped until the lease is closed; null if they are dropped already. */
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

    /** Deletes the data, after all leases are closed. */
    synchronized void drop() {
        isDropped = true;
        if (leases == 0) {
            engine.dropFamily(family);
        }
    }

    /** Adds all records of another generation. */
    void addAll(TableStore other) {
        try (Cursor cursor = other.cursor(Cursor.Reach.WHOLE_TABLE)) {
            if (cursor == null) {
                return;
            }
            for (boolean more = cursor.seekFirst(); more; more = cursor.next()) {
                // no timestamp, because MaxTimestamps has seen it when the record was written first
                merge(List.of(new MergeOperand(cursor.key(), cursor.value(), Long.MIN_VALUE)), NO_LOG);
            }
        }
        flush();
    }

    @Override
    public String toString() {
        return family;
    }

    /** Prevents a drop of the store until it is closed. */
    public static final class Lease implements AutoCloseable {
        private final TableStore store;
        private boolean isClosed;

        private Lease(TableStore store) {
            this.store = store;
        }

        TableStore store() {
            return store;
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
