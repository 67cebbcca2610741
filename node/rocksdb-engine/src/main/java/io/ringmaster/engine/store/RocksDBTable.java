package io.ringmaster.engine.store;

import io.ringmaster.engine.encoding.ColumnNumbers;
import io.ringmaster.engine.encoding.PartitionRecord;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
    private final MaxTimestamps maxTimestamps;
    private final MergeProgress progress;
    private final PersistedIntervals persisted;
    private Generations generations;
    private TableStore current;
    private volatile long discardedAtMillis;
    private volatile boolean hasRangeDeletions;
    private volatile long sweptBefore;
    /** The start of the process counts as a sweep, because deletions from before it are not purged sooner. */
    private volatile long lastSweepSeconds = FBUtilities.nowInSeconds();

    private long oldestOutside = Long.MIN_VALUE;
    private volatile long oldestLate;
    private volatile long lateSeenSeconds = FBUtilities.nowInSeconds();
    private volatile long keepSeconds = Integer.MAX_VALUE;
    private volatile long markedSeconds;

    private RocksDBTable(Engine engine, String name, TableMetadata metadata, boolean isExportOnly) {
        this.engine = engine;
        this.name = name;
        String known = engine.readCatalogue("columns:" + name);
        this.columns = new ColumnNumbers(ColumnNumbers.parse(known == null ? "" : known), metadata, this::persist);
        this.maxTimestamps = maxTimestamps(engine, name);
        String intervals = engine.readCatalogue("persisted:" + name);
        this.persisted = new PersistedIntervals(
                intervals == null ? "" : intervals, text -> engine.writeCatalogue("persisted:" + name, text));
        this.hasRangeDeletions = engine.readCatalogue("deletions:" + name) != null;
        // without clustering columns the deletion of a partition is in the only record of the partition
        this.sweptBefore = metadata.comparator.size() == 0 ? Long.MAX_VALUE : 0;
        String merged = engine.readCatalogue("merged:" + name);
        this.progress =
                new MergeProgress(merged == null ? 0 : Long.parseLong(merged), seconds -> persist("merged", seconds));
        String late = engine.readCatalogue("late:" + name);
        this.oldestLate = late == null ? Long.MAX_VALUE : Long.parseLong(late);
        String stored = engine.readCatalogue("generations:" + name);
        this.generations = stored == null ? new Generations(1, List.of()) : Generations.read(stored);
        if (stored == null) {
            persist(generations);
        }
        for (String family : engine.families(name + ".")) {
            int generation = Integer.parseInt(family.substring(name.length() + 1));
            if (generation != generations.current() && !generations.exporting().contains(generation)) {
                engine.dropFamily(family);
            }
        }
        if (isExportOnly && engine.family(family(generations.current())) != null) {
            generations = generations.next(true);
            persist(generations);
        }
        this.current = store(generations.current());
        if (!isExportOnly) {
            revertExports();
        }
    }

    private TableStore store(int generation) {
        return new TableStore(engine, family(generation), generation, columns, maxTimestamps);
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
    public synchronized List<TableStore> pendingExports() {
        return generations.exporting().stream().map(this::store).toList();
    }

    /**
     * After a crash during an export its sstables are unused, so the exported generations move back into the current.
     */
    private void revertExports() {
        for (int generation : generations.exporting()) {
            noteLateWrite(Long.MIN_VALUE);
            TableStore source = store(generation);
            LOG.info("moving {} back into its table: its export to sstables was interrupted", source);
            current.addAll(source);
            generations = generations.without(generation);
            persist(generations);
            source.drop();
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

    public synchronized TableStore current() {
        return current;
    }

    /**
     * Whether an sstable may be ingested: a truncation in progress will not remove it.
     *
     * @param maxDataAgeMillis the time at which the sstable's data was complete
     */
    public boolean mayIngest(long maxDataAgeMillis) {
        return maxDataAgeMillis > discardedAtMillis;
    }

    /** Starts a generation for new writes. The data of the old one survive a crash until {@link #discard}. */
    public synchronized TableStore renewForExport() {
        return renew(true);
    }

    /** The part of the commit log that a replay need not apply to the table. */
    public PersistedIntervals persisted() {
        return persisted;
    }

    /** Starts a generation for new writes. The data of the old one, and older sstables, will be deleted. */
    public synchronized TableStore renewForTruncation() {
        persisted.clear();
        discardedAtMillis = System.currentTimeMillis();
        return renew(false);
    }

    private TableStore renew(boolean isExport) {
        generations = generations.next(isExport);
        persist(generations);
        current = store(generations.current());
        return current;
    }

    /** Deletes the data of a generation. If it is the current one, an empty generation replaces it first. */
    public synchronized void discard(TableStore store) {
        if (store.generation() == generations.current()) {
            renew(false);
        } else if (generations.exporting().contains(store.generation())) {
            generations = generations.without(store.generation());
            persist(generations);
        }
        store.drop();
    }

    /**
     * Sets which tombstones compactions may drop.
     *
     * @param graceSeconds {@code gc_grace_seconds} of the table
     * @param oldestElsewhere the least timestamp of the data outside of RocksDB, in microseconds
     */
    public synchronized void purge(long graceSeconds, long oldestElsewhere) {
        keepSeconds = graceSeconds + engine.settings().purgeDelaySeconds();
        if (oldestElsewhere > oldestOutside && oldestOutside != Long.MIN_VALUE) {
            // the data are not elsewhere any more, because they were ingested just now
            beforeWrite(oldestOutside);
        }
        oldestOutside = oldestElsewhere;
        progress.check(FBUtilities.nowInSeconds());
        allowPurging();
    }

    private synchronized void allowPurging() {
        long mergedBefore = mergedBefore();
        if (oldestLate != Long.MAX_VALUE && mergedBefore > lateSeenSeconds + writeSeconds()) {
            persist("late", Long.MAX_VALUE);
            oldestLate = Long.MAX_VALUE;
        }
        if (generations.exporting().isEmpty()) {
            current.nativePurgeRules()
                    .allow(keepSeconds, Math.min(oldestOutside, oldestLate), sweptBefore, mergedBefore);
        } else {
            current.nativePurgeRules().forbid();
        }
    }

    /** The time that a write may take from {@link #beforeWrite} until RocksDB has it. */
    private long writeSeconds() {
        return engine.settings().purgeDelaySeconds() / 2;
    }

    /** A purge in Java merges all data of a record before it drops a tombstone. */
    private long mergedBefore() {
        return current.mergesInCompactions() ? progress.mergedSeconds() : FBUtilities.nowInSeconds();
    }

    /** Whether the writes so far should be marked, so that their tombstones can be dropped once they are merged. */
    public boolean needsMark() {
        return current().mergesInCompactions()
                && !progress.isFollowing()
                && FBUtilities.nowInSeconds() - markedSeconds
                        > engine.settings().sweepSeconds();
    }

    /** Follows the writes from before the mark until compactions have merged them. They must be in files. */
    public void follow(WriteMark mark) {
        markedSeconds = mark.seconds();
        progress.follow(mark);
    }

    /** Rewrites all data of the store into one sorted run. Merges and purges it if compactions do. */
    public void compact(TableStore store) {
        WriteMark mark = store.mark();
        store.compact();
        follow(mark);
        progress.check();
        allowPurging();
    }

    /**
     * Called before a write becomes visible. A write older than purgeable tombstones stops their purge, because it must
     * not meet only some of them.
     *
     * @param timestamp the least timestamp of the write, in microseconds
     */
    public void beforeWrite(long timestamp) {
        long horizon = FBUtilities.timestampMicros()
                - TimeUnit.SECONDS.toMicros(keepSeconds - writeSeconds() - 1 - PurgeRules.MAX_CLOCK_SKEW_SECONDS);
        if (timestamp < horizon) {
            noteLateWrite(timestamp);
        }
    }

    /** Called before the header of a partition with clustering columns is written. */
    public void beforeWrite(PartitionRecord header) {
        if (!hasRangeDeletions && header.deletesPartitionOrRange()) {
            persist("deletions", 1);
            hasRangeDeletions = true;
        }
    }

    /** Whether the table has deletions of partitions or ranges, and the last sweep is long enough ago. */
    public boolean needsSweep() {
        return hasRangeDeletions
                && FBUtilities.nowInSeconds() - lastSweepSeconds
                        > engine.settings().sweepSeconds();
    }

    /**
     * Records that a sweep has written deletions onto the rows that they shadow.
     *
     * @param startSeconds the start of the sweep, in seconds since 1970
     */
    public synchronized void markSwept(long startSeconds) {
        // a later deletion may shadow a row that was written after the start, by a clock that is behind
        sweptBefore = startSeconds - 1 - PurgeRules.MAX_CLOCK_SKEW_SECONDS;
        lastSweepSeconds = startSeconds;
        allowPurging();
    }

    /** A late write limits the purge until compactions have brought it together with the tombstones that shadow it. */
    private void noteLateWrite(long timestamp) {
        lateSeenSeconds = FBUtilities.nowInSeconds();
        if (timestamp < oldestLate) {
            lowerOldestLate(timestamp);
        }
    }

    private synchronized void lowerOldestLate(long timestamp) {
        if (timestamp < oldestLate) {
            persist("late", timestamp);
            oldestLate = timestamp;
            allowPurging();
        }
    }

    /** A table with data but without a stored bound is from before bounds were stored; its timestamps are unknown. */
    private MaxTimestamps maxTimestamps(Engine engine, String name) {
        String bound = engine.readCatalogue("newest:" + name);
        long known = engine.families(name + ".").isEmpty() ? Long.MIN_VALUE : Long.MAX_VALUE;
        return new MaxTimestamps(
                bound == null ? known : Long.parseLong(bound), timestamp -> persist("newest", timestamp));
    }

    /** Called periodically, so that few writes wait for the catalogue. */
    public void extendTimestampBound() {
        maxTimestamps.extendBound(FBUtilities.timestampMicros());
    }

    private String family(int generation) {
        return name + "." + generation;
    }

    private void persist(String what, long number) {
        engine.writeCatalogue(what + ":" + name, String.valueOf(number));
    }

    private void persist(Generations changed) {
        engine.writeCatalogue("generations:" + name, changed.text());
    }

    private void persist(List<ByteBuffer> columnNames) {
        engine.writeCatalogue("columns:" + name, ColumnNumbers.format(columnNames));
    }
}
