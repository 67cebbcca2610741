package io.ringmaster.engine.store;

import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyMetaData;
import org.rocksdb.LevelMetaData;
import org.rocksdb.SstFileMetaData;

/**
 * The time up to which all writes of a table are merged: RocksDB's compactions have brought them into the oldest sorted
 * run, where each record has one value. No data that a tombstone from before that time shadows is in another run, so a
 * compaction may drop the tombstone, whichever runs it merges.
 *
 * <p>Compactions do not report what they merged. {@link #follow} therefore marks the present, and {@link #check} finds
 * out later whether newer runs still have writes from before the mark.
 */
final class MergeProgress {
    /** Rare, because the metadata of tables with many files is large. */
    private static final long CHECK_SECONDS = 300;

    private final LongConsumer persist;
    private volatile long mergedSeconds;
    private @Nullable WriteMark mark;
    private long checkedSeconds;

    /**
     * @param mergedSeconds the last stored result, in seconds since 1970
     * @param persist stores a greater result
     */
    MergeProgress(long mergedSeconds, LongConsumer persist) {
        this.mergedSeconds = mergedSeconds;
        this.persist = persist;
    }

    /** In seconds since 1970. */
    long mergedSeconds() {
        return mergedSeconds;
    }

    /** Starts to follow the writes from before a mark. They must be in files, not in the write buffer. */
    synchronized void follow(WriteMark next) {
        mark = next;
    }

    /** Whether an earlier mark is still followed. */
    synchronized boolean isFollowing() {
        return mark != null;
    }

    /** Called periodically. Does nothing if the last check was a short time ago. */
    synchronized void check(long nowSeconds) {
        if (mark != null && nowSeconds - checkedSeconds >= CHECK_SECONDS) {
            checkedSeconds = nowSeconds;
            check();
        }
    }

    synchronized void check() {
        if (mark != null && mark.store().isMerged(mark.sequence())) {
            mergedSeconds = Math.max(mergedSeconds, mark.seconds());
            persist.accept(mergedSeconds);
            mark = null;
        }
    }

    /**
     * Whether all writes of a column family up to a sequence number are in its oldest sorted run. Each file of level 0
     * is a run, and each further level.
     */
    static boolean isMerged(ColumnFamilyMetaData family, long sequence) {
        List<LevelMetaData> levels = family.levels().stream()
                .filter(level -> !level.files().isEmpty())
                .sorted(Comparator.comparingInt(LevelMetaData::level))
                .toList();
        if (levels.isEmpty()) {
            return true;
        }
        LevelMetaData last = levels.get(levels.size() - 1);
        long oldestRunFiles = last.level() == 0 ? 1 : last.files().size();
        return levels.stream()
                .flatMap(level -> level.files().stream()
                        .sorted(Comparator.comparingLong(SstFileMetaData::largestSeqno))
                        .skip(level == last ? oldestRunFiles : 0))
                .allMatch(file -> file.smallestSeqno() > sequence);
    }
}
