package io.ringmaster.engine.store;

import io.ringmaster.engine.encoding.CollectionElements;
import io.ringmaster.engine.encoding.PartitionRecord;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;

/** Decides which tombstones of a table compactions may drop, and which they must keep. */
public final class TombstoneRetention {
    private final Engine engine;
    private final String table;
    private final TableStores stores;
    private final MergeProgress progress;
    private final LateWrites lateWrites;
    private volatile boolean hasRangeDeletions;
    /** The start of the last sweep of this process; 0 before it. */
    private long sweptSeconds;

    private final boolean hasRows;
    /** The start of the process counts as a sweep, because deletions from before it are not purged sooner. */
    private volatile long lastSweepSeconds = FBUtilities.nowInSeconds();

    private volatile long markedSeconds;
    /** Durable, because data from before a restart were written under it. */
    private volatile long keepSeconds;
    /** Compactions do not merge all data of such elements, so only purges in Java drop their tombstones. */
    private boolean hasAmbiguousElements;

    private long oldestOutside = Long.MIN_VALUE;
    /** The number of running copies to sstables. */
    private int copies;

    TombstoneRetention(Engine engine, String table, TableMetadata metadata, TableStores stores) {
        this.engine = engine;
        this.table = table;
        this.stores = stores;
        this.progress = new MergeProgress(stored("merged", 0), seconds -> persist("merged", seconds));
        this.lateWrites = new LateWrites(
                stored("late", Long.MAX_VALUE),
                FBUtilities.nowInSeconds(),
                engine.settings().sweepSeconds(),
                timestamp -> persist("late", timestamp));
        this.keepSeconds = stored("keep", keepSeconds(metadata.params.gcGraceSeconds));
        if (engine.readCatalogue("keep:" + table) == null) {
            persist("keep", keepSeconds);
        }
        this.hasAmbiguousElements = CollectionElements.areAmbiguous(metadata);
        this.hasRangeDeletions = engine.readCatalogue("deletions:" + table) != null;
        this.hasRows = metadata.comparator.size() > 0;
    }

    private long stored(String what, long otherwise) {
        String text = engine.readCatalogue(what + ":" + table);
        return text == null ? otherwise : Long.parseLong(text);
    }

    private void persist(String what, long number) {
        engine.writeCatalogue(what + ":" + table, String.valueOf(number));
    }

    private long keepSeconds(long graceSeconds) {
        return graceSeconds + engine.settings().purgeDelaySeconds();
    }

    /**
     * Updates which tombstones compactions may drop.
     *
     * @param graceSeconds {@code gc_grace_seconds} of the table
     * @param outside reads the least timestamp of the data outside of RocksDB, in microseconds
     */
    public synchronized void update(long graceSeconds, LongSupplier outside) {
        long oldestElsewhere = copies > 0 ? Long.MIN_VALUE : outside.getAsLong();
        updateKeepSeconds(keepSeconds(graceSeconds));
        if (oldestElsewhere > oldestOutside && oldestOutside != Long.MIN_VALUE) {
            // the data are not elsewhere any more, because they were ingested just now
            beforeWrite(oldestOutside);
        }
        oldestOutside = oldestElsewhere;
        progress.check(FBUtilities.nowInSeconds());
        allow();
    }

    private void updateKeepSeconds(long changed) {
        if (changed < keepSeconds) {
            // a write that may not be merged yet was not late under the longer time, and is under the shorter one
            noteLateWrite(TimeUnit.SECONDS.toMicros(settledBefore() - keepSeconds));
        }
        if (changed != keepSeconds) {
            persist("keep", changed);
            keepSeconds = changed;
        }
    }

    /** Called after a schema change, before {@link #update}. */
    public synchronized void updateColumns(TableMetadata metadata) {
        hasAmbiguousElements = CollectionElements.areAmbiguous(metadata);
    }

    /**
     * Runs a copy of data to sstables. Until they are part of the table, a tombstone of newer data must not be purged:
     * it shadows what is copied.
     */
    public void whileNothingIsPurged(Runnable copy) {
        addCopies(1);
        try {
            copy.run();
        } finally {
            addCopies(-1);
        }
    }

    private synchronized void addCopies(int change) {
        copies += change;
        // until the next update, which knows the sstables of the copy
        oldestOutside = Long.MIN_VALUE;
        allow();
    }

    private synchronized void allow() {
        long mergedBefore = mergedBefore();
        lateWrites.forgetBefore(settledBefore() - writeSeconds());
        NativePurgeRules rules = stores.current().nativePurgeRules();
        if (stores.isExporting()) {
            rules.forbid();
        } else {
            rules.keepElements(hasAmbiguousElements);
            rules.allow(keepSeconds, limit(), sweptBefore(), mergedBefore);
        }
    }

    /** Tombstones with this timestamp or a greater one are kept, whatever their age. In microseconds. */
    public synchronized long limit() {
        return Math.min(oldestOutside, lateWrites.oldest());
    }

    /** The time that a write may take from {@link #beforeWrite} until RocksDB has it. */
    private long writeSeconds() {
        return engine.settings().purgeDelaySeconds() / 2;
    }

    /** A purge in Java merges all data of a record before it drops a tombstone. */
    private long mergedBefore() {
        return stores.current().mergesInCompactions() ? progress.mergedSeconds() : FBUtilities.nowInSeconds();
    }

    /** The time from before which no write is shadowed by a tombstone in another run or record. */
    private long settledBefore() {
        return hasRangeDeletions ? Math.min(mergedBefore(), lastSweepSeconds) : mergedBefore();
    }

    /**
     * Deletions of partitions and ranges from before this second shadow no other record. A row that was written since
     * the sweep started is newer than they are, or late.
     */
    private long sweptBefore() {
        // without clustering columns the deletion of a partition is in the only record of the partition
        return hasRows ? sweptSeconds - Math.max(keepSeconds, 1 + PurgeRules.MAX_CLOCK_SKEW_SECONDS) : Long.MAX_VALUE;
    }

    /** Whether the writes so far should be marked, so that their tombstones can be dropped once they are merged. */
    public boolean needsMark() {
        return stores.current().mergesInCompactions()
                && !progress.isFollowing()
                && FBUtilities.nowInSeconds() - markedSeconds
                        > engine.settings().sweepSeconds();
    }

    /** Follows the writes from before the mark until compactions have merged them. They must be in files. */
    public void follow(WriteMark mark) {
        markedSeconds = mark.seconds();
        progress.follow(mark);
    }

    /** Called after a compaction of all data. */
    void checkMerged() {
        progress.check();
        allow();
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

    private synchronized void noteLateWrite(long timestamp) {
        if (lateWrites.note(timestamp, FBUtilities.nowInSeconds())) {
            allow();
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
        sweptSeconds = startSeconds;
        lastSweepSeconds = startSeconds;
        allow();
    }
}
