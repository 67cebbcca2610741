package io.ringmaster.engine.store;

import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.cassandra.db.commitlog.CommitLogPosition;
import org.apache.cassandra.db.commitlog.IntervalSet;

/**
 * The intervals of the commit log whose writes to a table are in RocksDB's files. Sstables of stock storage carry the
 * same in their metadata. They are durable, so that a replay skips them.
 */
public final class PersistedIntervals {
    private final Consumer<String> persist;
    private volatile IntervalSet<CommitLogPosition> intervals;

    /**
     * @param stored the text that was persisted last; empty if there is none
     * @param persist makes a text durable before it returns
     */
    PersistedIntervals(String stored, Consumer<String> persist) {
        this.persist = persist;
        this.intervals = parse(stored);
    }

    /** Whether the writes at a position are in files. */
    public boolean contains(CommitLogPosition position) {
        return intervals.contains(position);
    }

    /**
     * Adds intervals, after their writes are in files.
     *
     * @param oldestSegment intervals before this segment are forgotten, because no commit log has them any more
     */
    public synchronized void add(IntervalSet<CommitLogPosition> added, long oldestSegment) {
        IntervalSet.Builder<CommitLogPosition> builder = new IntervalSet.Builder<>();
        addFrom(oldestSegment, intervals, builder);
        addFrom(oldestSegment, added, builder);
        replace(builder.build());
    }

    /** Called when the data is deleted. */
    synchronized void clear() {
        replace(IntervalSet.empty());
    }

    private void replace(IntervalSet<CommitLogPosition> changed) {
        if (!changed.equals(intervals)) {
            persist.accept(format(changed));
            intervals = changed;
        }
    }

    private static void addFrom(
            long oldestSegment, IntervalSet<CommitLogPosition> from, IntervalSet.Builder<CommitLogPosition> to) {
        Iterator<CommitLogPosition> ends = from.ends().iterator();
        for (CommitLogPosition start : from.starts()) {
            CommitLogPosition end = ends.next();
            if (end.segmentId >= oldestSegment) {
                to.add(start, end);
            }
        }
    }

    private static String format(IntervalSet<CommitLogPosition> intervals) {
        Iterator<CommitLogPosition> ends = intervals.ends().iterator();
        return intervals.starts().stream()
                .map(start -> format(start) + " " + format(ends.next()))
                .collect(Collectors.joining(" "));
    }

    private static String format(CommitLogPosition position) {
        return position.segmentId + ":" + position.position;
    }

    private static IntervalSet<CommitLogPosition> parse(String stored) {
        IntervalSet.Builder<CommitLogPosition> builder = new IntervalSet.Builder<>();
        if (!stored.isEmpty()) {
            Iterator<CommitLogPosition> positions = Arrays.stream(stored.split(" ", -1))
                    .map(PersistedIntervals::position)
                    .iterator();
            while (positions.hasNext()) {
                builder.add(positions.next(), positions.next());
            }
        }
        return builder.build();
    }

    private static CommitLogPosition position(String text) {
        int colon = text.indexOf(':');
        return new CommitLogPosition(
                Long.parseLong(text.substring(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    }
}
