package io.ringmaster.engine.memtable;

import io.ringmaster.engine.export.StoredPartitionSet;
import io.ringmaster.engine.export.TemporarySSTableCleaner;
import io.ringmaster.engine.export.TemporarySSTables;
import io.ringmaster.engine.ingest.SSTableIngester;
import io.ringmaster.engine.management.ManagedTable;
import io.ringmaster.engine.purge.StorePurger;
import io.ringmaster.engine.read.LazyStoredPartition;
import io.ringmaster.engine.read.PartitionScan;
import io.ringmaster.engine.read.ScannedPartitions;
import io.ringmaster.engine.read.StoredPartitions;
import io.ringmaster.engine.store.RocksDBTable;
import io.ringmaster.engine.store.TableStore;
import io.ringmaster.engine.tombstone.TombstoneSweeper;
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
import org.apache.cassandra.db.SystemKeyspace;
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
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.concurrent.OpOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A memtable that persists its data in RocksDB. A flush only reports to the commit log that the data is in files. */
final class RocksDBMemtable extends AbstractMemtableWithCommitlog implements ManagedTable {
    private static final Logger LOG = LoggerFactory.getLogger(RocksDBMemtable.class);

    private final RocksDBMemtableFactory factory;
    private final Owner owner;
    private final RocksDBTable table;
    private final TableStore store;
    private final MemtableWriter writer;
    private final ClusteringComparator comparator;
    private final boolean neededSSTables;
    private final @Nullable SwitchOutcome previousOutcome;
    private final SwitchDecision decision = new SwitchDecision();
    private volatile boolean isCopy;
    private volatile boolean isSwitchedOut;
    private volatile boolean keepsTombstones;

    // Construction

    /** @param previousOutcome the switch outcome of the memtable before, or null if there was none */
    RocksDBMemtable(
            RocksDBMemtableFactory factory,
            AtomicReference<CommitLogPosition> lowerBound,
            TableMetadataRef metadata,
            Owner owner,
            RocksDBTable table,
            TableStore store,
            @Nullable SwitchOutcome previousOutcome) {
        super(metadata, lowerBound);
        this.factory = factory;
        this.owner = owner;
        this.store = store;
        this.table = table;
        this.writer = new MemtableWriter(
                table, store, this::metadata, factory.writeOptions(), RocksDBMemtable::mayBeReplaying);
        this.comparator = metadata().comparator;
        this.neededSSTables = SwitchOutcome.needsSSTables(metadata());
        this.previousOutcome = previousOutcome;
        this.keepsTombstones = RepairedTombstones.areRequested(metadata());
    }

    /**
     * A switched out memtable of the same store without writes of its own, whose flush writes temporary sstables.
     * Cassandra reports the end of a flush with the memtable's last commit log position, which only the switch sets.
     */
    RocksDBMemtable forCopy(ColumnFamilyStore cfs) {
        RocksDBMemtable copy = new RocksDBMemtable(
                factory, new AtomicReference<>(CommitLogPosition.NONE), cfs.metadata, cfs, table, store, null);
        copy.decision.decide(SwitchOutcome.HAND_OVER);
        copy.isCopy = true;
        SSTableExport.switchOut(copy);
        return copy;
    }

    RocksDBTable table() {
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

    boolean isDropped() {
        return owner instanceof ColumnFamilyStore cfs && !cfs.isValid();
    }

    // Write and read

    @Override
    public long put(PartitionUpdate update, UpdateTransaction indexer, OpOrder.Group group) {
        NonDurableIndexes.rejectWrites(metadata());
        // the commit log may have writes from before the table was altered, and a failed replay would stop the start
        if (keepsTombstones && !mayBeReplaying()) {
            throw RepairedTombstones.rejection(metadata());
        }
        writer.write(update, indexer);
        currentOperations.addAndGet(update.operationCount());
        return Long.MAX_VALUE;
    }

    /** Whether writes may come from the commit log: its replay is over before the node joins the ring. */
    private static boolean mayBeReplaying() {
        return !StorageService.instance.isInitialized();
    }

    private StoredPartitions partitions() {
        return new StoredPartitions(store, metadata());
    }

    @Override
    public @Nullable UnfilteredRowIterator rowIterator(
            DecoratedKey key, Slices slices, ColumnFilter filter, boolean isReversed, SSTableReadsListener listener) {
        return partitions().read(key, slices, filter, isReversed);
    }

    /**
     * Opens nothing before it is read. Compactions of Cassandra 5.0.9 compare the result with null, outside of the read
     * ordering, and do not close it ({@code CompactionController.getPurgeEvaluator}).
     */
    @Override
    public @Nullable UnfilteredRowIterator rowIterator(DecoratedKey key) {
        StoredPartitions partitions = partitions();
        return partitions.contains(key) ? new LazyStoredPartition(partitions, key) : null;
    }

    @Override
    public UnfilteredPartitionIterator partitionIterator(
            ColumnFilter filter, DataRange range, SSTableReadsListener listener) {
        StoredPartitions partitions = partitions();
        return new ScannedPartitions(metadata(), PartitionScan.within(partitions, range.keyRange()), filter, range);
    }

    /**
     * The least value, because the true one is unknown. Compactions of sstables must not purge what may be older here.
     */
    @Override
    public long getMinTimestamp() {
        return store.exists() ? Long.MIN_VALUE : Memtable.NO_MIN_TIMESTAMP;
    }

    @Override
    public long getMinLocalDeletionTime() {
        return store.exists() ? 0 : Long.MAX_VALUE;
    }

    // Statistics

    /** RocksDB's estimate of the number of keys, which counts each row of a partition. */
    @Override
    public long partitionCount() {
        return store.property("rocksdb.estimate-num-keys");
    }

    @Override
    public long getLiveDataSize() {
        return store.property("rocksdb.estimate-live-data-size") + store.property("rocksdb.cur-size-all-mem-tables");
    }

    /** At least 1 for a store with data: Cassandra builds no index of a table without operations and sstables. */
    @Override
    public long operationCount() {
        return store.exists() ? Math.max(1, super.operationCount()) : super.operationCount();
    }

    // Memory

    @Override
    public void addMemoryUsageTo(MemoryUsage usage) {
        usage.ownsOffHeap += store.property("rocksdb.cur-size-all-mem-tables");
    }

    @Override
    public void markExtraOnHeapUsed(long bytes, OpOrder.Group group) {
        // an index accounts for its own memory, and flushing this memtable would not free it
    }

    @Override
    public void markExtraOffHeapUsed(long bytes, OpOrder.Group group) {
        // see markExtraOnHeapUsed
    }

    // Flushing

    @Override
    public FlushablePartitionSet<?> getFlushSet(PartitionPosition from, PartitionPosition to) {
        if (isSwitchedOut && !isCopy) {
            return new StoredPartitionSet(this, partitions(), null, from, to);
        }
        if (owner instanceof ColumnFamilyStore cfs) {
            TemporarySSTableCleaner.expect(cfs, table.temporaryMarks());
        }
        return new StoredPartitionSet(this, partitions(), table.temporaryMarks(), from, to);
    }

    @Override
    public void switchOut(OpOrder.Barrier barrier, AtomicReference<CommitLogPosition> upperBound) {
        super.switchOut(barrier, upperBound);
        // without a decision of the factory the next memtable is none of the engine, and cannot take over the store
        SwitchOutcome requested = decision.outcome();
        SwitchOutcome decided =
                decision.decide(requested != null && requested.deletesData() ? requested : SwitchOutcome.EXPORT);
        if (decided == SwitchOutcome.EXPORT) {
            table.retire(store);
        }
        isSwitchedOut = true;
    }

    @Override
    public void discard() {
        super.discard();
        SwitchOutcome outcome = decision.outcome();
        boolean isLogged = !factory.writesShouldSkipCommitLog() && (outcome == null || !outcome.deletesData());
        if (isLogged && owner instanceof ColumnFamilyStore cfs && !cfs.isIndex() && cfs.isValid()) {
            CommitLogReplayFilter.addPersisted(table, cfs, getCommitLogLowerBound(), getFinalCommitLogUpperBound());
        }
        if (outcome != SwitchOutcome.HAND_OVER) {
            factory.discard(this);
        }
        if (owner instanceof ColumnFamilyStore cfs
                && cfs.isValid()
                && !(metadata().params.memtable.factory() instanceof RocksDBMemtableFactory)) {
            releaseTruncated();
            // the next start would load them as data, because no memtable of the engine would remove them
            TemporarySSTables.removeLoaded(cfs, table.temporaryMarks());
            TemporarySSTables.removeLeftOvers(cfs.getDirectories(), table.temporaryMarks());
        }
    }

    @Override
    public boolean isClean() {
        if (!isSwitchedOut) {
            // Cassandra takes no snapshot of a clean memtable, and a flush of an empty index must reach shouldSwitch,
            // which rebuilds the index
            return store.isEmpty()
                    && !table.hasOtherStores()
                    && !(owner instanceof ColumnFamilyStore cfs && StoreIndexBuilder.canBuild(cfs));
        }
        SwitchOutcome outcome = decision.outcome();
        if (outcome == SwitchOutcome.HAND_OVER || outcome == SwitchOutcome.TRUNCATE) {
            // Cassandra discards the commit log before it records the truncation, which a crash in between undoes
            store.flush();
            return true;
        }
        return (outcome != null && outcome.deletesData()) || store.isEmpty();
    }

    SwitchDecision switchDecision() {
        return decision;
    }

    /**
     * Whether a memtable of a factory can take over the store. What a flush reason required may be out of date: an
     * ALTER changes the schema at any time between that and the switch.
     */
    boolean canHandOverTo(RocksDBMemtableFactory successor) {
        return successor.equals(factory) && hasSameStorage();
    }

    @Nullable
    SwitchOutcome previousOutcome() {
        return previousOutcome;
    }

    // Lifecycle

    @Override
    public boolean shouldSwitch(FlushReason reason) {
        if (reason == FlushReason.ANTICOMPACTION && !SwitchOutcome.needsSSTables(metadata())) {
            LOG.warn(
                    "incremental repair of {}: data in RocksDB always counts as unrepaired, so each incremental repair"
                            + " compares all of it and streams again what differs -> use full repairs"
                            + " (nodetool repair -full)",
                    metadata());
        }
        if (reason == FlushReason.INDEX_BUILD_COMPLETED && owner instanceof ColumnFamilyStore cfs) {
            StoreIndexBuilder.afterBuildFromSSTables(cfs);
        }
        boolean startsBuild = reason == FlushReason.INDEX_BUILD_STARTED || reason == FlushReason.VIEW_BUILD_STARTED;
        if (startsBuild && owner instanceof ColumnFamilyStore cfs && !SwitchOutcome.needsSSTables(metadata())) {
            BuildCopies.write(cfs, this);
            return false;
        }
        SwitchOutcome required =
                reason == FlushReason.SCHEMA_CHANGE ? afterSchemaChange() : SwitchOutcome.of(reason, metadata());
        if (required == null) {
            return false;
        }
        decision.request(required);
        return true;
    }

    /**
     * Each schema change creates a new comparator, which differs only if a type does. An index that is tied to sstables
     * learns of existing data from a flush, but SASI requests none.
     */
    private @Nullable SwitchOutcome afterSchemaChange() {
        boolean isSame = metadata().params.memtable.factory().equals(factory) && hasSameStorage();
        return isSame ? null : SwitchOutcome.EXPORT;
    }

    private boolean hasSameStorage() {
        return comparator.subtypes().equals(metadata().comparator.subtypes())
                && (neededSSTables || !SwitchOutcome.needsSSTables(metadata()));
    }

    @Override
    public void metadataUpdated() {
        keepsTombstones = RepairedTombstones.areRequested(metadata());
        updatePurgeRules();
    }

    @Override
    public void localRangesUpdated() {
        // the token order does not depend on the owners of the ranges
    }

    @Override
    public void performSnapshot(String name) {
        if (owner instanceof ColumnFamilyStore cfs) {
            Snapshots.take(table, cfs, name);
        }
    }

    // Maintenance and management

    /**
     * Requests a flush shortly before RocksDB would flush the write buffer itself. RocksDB's own flush does not reach
     * the commit log: its segments would stay until the next start, be replayed then, and displace data in the page
     * cache.
     *
     * @return null if the write buffer has room, or if the table's writes are not in the commit log
     */
    @Nullable
    Future<?> flushIfAlmostFull() {
        boolean isLogged = !factory.writesShouldSkipCommitLog() && !SwitchOutcome.needsSSTables(metadata());
        if (!isLogged || isSwitchedOut || !(owner instanceof ColumnFamilyStore cfs) || cfs.isIndex()) {
            return null;
        }
        return store.isBufferAlmostFull() ? cfs.forceFlush(FlushReason.MEMTABLE_LIMIT) : null;
    }

    /** Ingests the table's sstables, unless an index needs them. */
    void ingestSSTables() {
        if (owner instanceof ColumnFamilyStore cfs && !isSwitchedOut && !SwitchOutcome.needsSSTables(metadata())) {
            SSTableIngester.submit(table, store, cfs);
        }
    }

    /** Frees the data that deletions of partitions and ranges shadow. */
    void sweepTombstones() {
        if (!isSwitchedOut) {
            TombstoneSweeper.submit(table, metadata(), factory.writeOptions());
        }
    }

    /** Frees overwritten and deleted data, where compactions do not. */
    void purge() {
        if (!isSwitchedOut) {
            StorePurger.submit(store, metadata);
        }
    }

    /** Updates the rules by which compactions drop tombstones. */
    void updatePurgeRules() {
        if (owner instanceof ColumnFamilyStore cfs) {
            // as if there were data of any age outside of RocksDB
            table.retention().updateColumns(metadata());
            boolean isForbidden = keepsTombstones || cfs.getNeverPurgeTombstones();
            long oldest = isForbidden ? Long.MIN_VALUE : Long.MAX_VALUE;
            table.retention().update(metadata().params.gcGraceSeconds, () -> cfs.getLiveSSTables().stream()
                    .mapToLong(SSTableReader::getMinTimestamp)
                    .reduce(oldest, Math::min));
        }
    }

    @Override
    public long purgeLimit() {
        return table.retention().limit();
    }

    @Override
    public void compact() {
        StorePurger.purge(store, metadata);
        table.compact(store);
    }

    /** Deletes the data of truncations that Cassandra has completed. */
    void releaseTruncated() {
        if (table.hasOtherStores()) {
            table.releaseTruncated(SystemKeyspace.getTruncatedAt(metadata().id));
        }
    }

    @Override
    public long restore(Path directory) {
        if (!(owner instanceof ColumnFamilyStore cfs)) {
            throw new IllegalStateException("not in a node");
        }
        return Snapshots.restore(table, store, cfs, directory);
    }

    @Override
    public String toString() {
        return "RocksDBMemtable(" + store + ")";
    }
}
