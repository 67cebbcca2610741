package io.ringmaster.engine.memtable;

import io.ringmaster.engine.absorb.Absorber;
import io.ringmaster.engine.export.StoredPartitionSet;
import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.operate.OperatedTable;
import io.ringmaster.engine.read.PartitionScan;
import io.ringmaster.engine.read.ScannedPartitions;
import io.ringmaster.engine.read.StoredPartitions;
import io.ringmaster.engine.scrub.Scrubber;
import io.ringmaster.engine.store.Table;
import io.ringmaster.engine.store.TableStore;
import io.ringmaster.engine.sweep.Sweeper;
import java.nio.file.Path;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cassandra.db.ClusteringComparator;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.memtable.AbstractMemtableWithCommitlog;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.UnfilteredRowIterator;
import org.apache.cassandra.index.transactions.UpdateTransaction;
import org.apache.cassandra.io.sstable.SSTableReadsListener;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.TableMetadataRef;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A memtable that persists: what it was given stays in RocksDB, and a flush only tells the commit log so. */
final class RocksDBMemtable extends AbstractMemtableWithCommitlog implements OperatedTable {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDBMemtable.class);

    private final RocksDBMemtableFactory factory;
    private final Owner owner;
    private final Table table;
    private final TableStore store;
    private final Writer writer;
    private final ClusteringComparator comparator;
    private final boolean neededSSTables;
    private final @Nullable Fate bornBy;
    private volatile @Nullable Fate fate;
    private volatile boolean isSwitchedOut;

    /** @param bornBy what became of the memtable before, or null if there was none */
    RocksDBMemtable(
            RocksDBMemtableFactory factory,
            AtomicReference<CommitLogPosition> lowerBound,
            TableMetadataRef metadata,
            Owner owner,
            Table table,
            TableStore store,
            @Nullable Fate bornBy) {
        super(metadata, lowerBound);
        this.factory = factory;
        this.owner = owner;
        this.store = store;
        this.table = table;
        this.writer = new Writer(table, store, this::metadata, factory.writeOptions());
        this.comparator = metadata().comparator;
        this.neededSSTables = Fate.needsSSTables(metadata());
        this.bornBy = bornBy;
    }

    Table table() {
        return table;
    }

    @Override
    public TableStore store() {
        return store;
    }

    /** Null in tests without a database. */
    @Nullable
    ColumnFamilyStore cfs() {
        return owner instanceof ColumnFamilyStore cfs ? cfs : null;
    }

    @Nullable
    Fate fate() {
        return fate;
    }

    /** Once for all: it is being switched out. */
    void decide(Fate decided) {
        fate = decided;
    }

    @Nullable
    Fate bornBy() {
        return bornBy;
    }

    /**
     * Flushes it when RocksDB would soon do so by itself, which tells the commit log nothing: it would go on keeping all of it, to be
     * replayed at the next start and in the way of data in the page cache. Answers null if it is not yet time.
     */
    @Nullable
    Future<?> handOver() {
        boolean isLogged = !factory.writesShouldSkipCommitLog() && !Fate.needsSSTables(metadata());
        if (!isLogged || isSwitchedOut || !(owner instanceof ColumnFamilyStore cfs) || cfs.isIndex()) {
            return null;
        }
        return store.isBufferAlmostFull() ? cfs.forceFlush(FlushReason.MEMTABLE_LIMIT) : null;
    }

    @Override
    public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group group) {
        LostIndexes.refuseWrites(metadata());
        writer.write(update, indexer);
        currentOperations.addAndGet(update.operationCount());
        return Long.MAX_VALUE;
    }

    private StoredPartitions partitions() {
        return new StoredPartitions(store, metadata());
    }

    @Override
    public @Nullable UnfilteredRowIterator rowIterator(
            DecoratedKey key, Slices slices, ColumnFilter filter, boolean isReversed, SSTableReadsListener listener) {
        return partitions().read(key, slices, filter, isReversed);
    }

    @Override
    public @Nullable UnfilteredRowIterator rowIterator(DecoratedKey key) {
        return partitions().read(key, Slices.ALL, ColumnFilter.all(metadata()), false);
    }

    @Override
    public UnfilteredPartitionIterator partitionIterator(
            ColumnFilter filter, DataRange range, SSTableReadsListener listener) {
        StoredPartitions partitions = partitions();
        return new ScannedPartitions(metadata(), PartitionScan.within(partitions, range.keyRange()), filter, range);
    }

    @Override
    public FlushablePartitionSet<?> getFlushSet(PartitionPosition from, PartitionPosition to) {
        return new StoredPartitionSet(this, partitions(), isSwitchedOut, from, to);
    }

    @Override
    public boolean shouldSwitch(FlushReason reason) {
        if (reason == FlushReason.ANTICOMPACTION && !Fate.needsSSTables(metadata())) {
            LOG.warn(
                    "{} is repaired incrementally, but what lies in RocksDB always counts as unrepaired: all of it is compared and,"
                            + " where replicas differ, sent again each time; use full repairs (nodetool repair -full)",
                    metadata());
        }
        Fate asked = reason == FlushReason.SCHEMA_CHANGE ? atSchemaChange() : Fate.of(reason, metadata());
        if (asked == null) {
            return false;
        }
        if (reason == FlushReason.TRUNCATE && !store.isEmpty()) {
            Snapshots.beforeTruncation(store, owner, metadata());
        }
        fate = Fate.max(fate, asked);
        return true;
    }

    /**
     * Each change of the schema makes a new comparator, which differs only if a type does. An index that lives with memtables and sstables
     * learns what was there before it from the sstables that a flush writes; SASI asks for none.
     */
    private @Nullable Fate atSchemaChange() {
        boolean isSame = comparator.subtypes().equals(metadata().comparator.subtypes())
                && metadata().params.memtable.factory().equals(factory)
                && (neededSSTables || !Fate.needsSSTables(metadata()));
        return isSame ? null : Fate.EXPORT;
    }

    @Override
    public boolean isClean() {
        if (!isSwitchedOut) {
            return store.isEmpty();
        }
        Fate decided = fate;
        if (decided == Fate.HAND_OVER) {
            store.flush();
            return true;
        }
        return decided == Fate.DISCARD || store.isEmpty();
    }

    @Override
    public void switchOut(OpOrder.Barrier barrier, AtomicReference<CommitLogPosition> upperBound) {
        super.switchOut(barrier, upperBound);
        isSwitchedOut = true;
    }

    @Override
    public void discard() {
        super.discard();
        if (fate != Fate.HAND_OVER) {
            factory.discard(this);
        }
        if (owner instanceof ColumnFamilyStore cfs
                && cfs.isValid()
                && !(metadata().params.memtable.factory() instanceof RocksDBMemtableFactory)) {
            // at the next start nobody would know them for what they are
            TemporarySSTables.removeLeftOvers(cfs.getDirectories());
        }
    }

    @Override
    public void performSnapshot(String name) {
        Snapshots.take(store, owner, name);
    }

    @Override
    public void metadataUpdated() {
        updatePurging();
    }

    /** Takes over what has come as sstables, unless they are needed as such. */
    void absorb() {
        if (owner instanceof ColumnFamilyStore cfs && !isSwitchedOut && !Fate.needsSSTables(metadata())) {
            Absorber.offer(table, cfs);
        }
    }

    /** Lets go of what deletions of partitions and ranges shadow. */
    void sweep() {
        if (!isSwitchedOut) {
            Sweeper.offer(table, metadata(), factory.writeOptions());
        }
    }

    /** Lets go of what was overwritten, where compactions do not. */
    void scrub() {
        if (!isSwitchedOut) {
            Scrubber.offer(store, metadata);
        }
    }

    @Override
    public void compact() {
        Scrubber.scrub(store, metadata);
        store.compact();
    }

    @Override
    public long restore(Path directory) {
        return Snapshots.restore(this, directory);
    }

    boolean isDropped() {
        return owner instanceof ColumnFamilyStore cfs && !cfs.isValid();
    }

    /** Tells the store what tombstones the table still needs. */
    void updatePurging() {
        if (owner instanceof ColumnFamilyStore cfs) {
            long oldest = Long.MAX_VALUE;
            for (SSTableReader sstable : cfs.getLiveSSTables()) {
                oldest = Math.min(oldest, sstable.getMinTimestamp());
            }
            table.purge(metadata().params.gcGraceSeconds, oldest);
        }
    }

    @Override
    public void localRangesUpdated() {
        // the order of tokens does not depend on who owns them
    }

    @Override
    public void addMemoryUsageTo(MemoryUsage usage) {
        usage.ownsOffHeap += store.property("rocksdb.cur-size-all-mem-tables");
    }

    @Override
    public void markExtraOnHeapUsed(long bytes, OpOrder.Group group) {
        // an index accounts for its own memory; none of it can be freed by flushing this memtable
    }

    @Override
    public void markExtraOffHeapUsed(long bytes, OpOrder.Group group) {
        // see markExtraOnHeapUsed
    }

    /** Cassandra takes a table without operations and sstables for an empty one, and builds no index of it. */
    @Override
    public long operationCount() {
        return store.exists() ? Math.max(1, super.operationCount()) : super.operationCount();
    }

    /** An estimate: of rows, where partitions have several. */
    @Override
    public long partitionCount() {
        return store.property("rocksdb.estimate-num-keys");
    }

    @Override
    public long getLiveDataSize() {
        return store.property("rocksdb.estimate-live-data-size") + store.property("rocksdb.cur-size-all-mem-tables");
    }

    /** Not known, so that no compaction of an sstable purges what may be older here. */
    @Override
    public long getMinTimestamp() {
        return store.exists() ? Long.MIN_VALUE : Memtable.NO_MIN_TIMESTAMP;
    }

    @Override
    public long getMinLocalDeletionTime() {
        return store.exists() ? 0 : Long.MAX_VALUE;
    }

    @Override
    public String toString() {
        return "RocksDBMemtable(" + store + ")";
    }
}
