package io.ringmaster.companion.task;

import com.google.common.collect.Iterables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.lifecycle.View;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.utils.concurrent.UncheckedInterruptedException;

/**
 * Rows that clients were promised and that no file of their table has yet. A snapshot of Cassandra 5.0 writes the
 * current memtable, if it is not clean, and waits for no other: the rows of a memtable that is being flushed would be
 * missing. So are those of a migration out of the RocksDB engine, which is a flush of hours, and the rest of one that a
 * crash interrupted: the engine presents both as memtables that are being flushed.
 */
final class UnwrittenRows {
    private static final long POLL_MS = 50;

    private UnwrittenRows() {}

    /**
     * Writes all rows to files that are in memory now, and waits for those that are on their way already.
     *
     * @return false if the task was stopped
     * @throws IllegalStateException a flush failed, or rows are still on their way after that time
     */
    static boolean flush(List<ColumnFamilyStore> tables, Duration atMost, Progress progress)
            throws InterruptedException {
        Set<Memtable> before = Collections.newSetFromMap(new IdentityHashMap<>());
        tables.forEach(t -> Iterables.addAll(before, t.getTracker().getView().getAllMemtables()));
        List<Future<?>> flushes = new ArrayList<>();
        tables.forEach(t -> flushes.add(t.forceFlush(FlushReason.USER_FORCED)));
        return await(atMost, progress, () -> {
            requireNoFailure(flushes);
            return unwritten(tables, before);
        });
    }

    /** A table with rows of these memtables that no file has. */
    private static Optional<String> unwritten(List<ColumnFamilyStore> tables, Set<Memtable> before) {
        return tables.stream()
                .filter(t -> isUnwritten(t.getTracker().getView(), before))
                .findFirst()
                .map(Tables::name);
    }

    /**
     * Until a thread takes up its flush, a memtable is not among those that are being flushed. The current one is
     * either clean, or is written by the snapshot.
     */
    private static boolean isUnwritten(View table, Set<Memtable> before) {
        return Iterables.any(table.getAllMemtables(), m -> m != table.getCurrentMemtable() && before.contains(m));
    }

    /** A flush that failed leaves its memtable where it is, as if it were at work. */
    static void requireNoFailure(List<Future<?>> flushes) {
        for (Future<?> flush : flushes) {
            try {
                if (flush.isDone()) {
                    flush.get();
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a flush failed: " + e.getCause(), e);
            } catch (InterruptedException e) {
                throw new UncheckedInterruptedException(e);
            }
        }
    }

    /** @param unwritten a table with rows that no file has */
    static boolean await(Duration atMost, Progress progress, Supplier<Optional<String>> unwritten)
            throws InterruptedException {
        long start = System.nanoTime();
        for (Optional<String> table = unwritten.get(); table.isPresent(); table = unwritten.get()) {
            if (progress.isStopped()) {
                return false;
            }
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new IllegalStateException("rows of " + table.get() + " are in no file yet: a flush or a migration"
                        + " out of RocksDB is at work -> run the backup again when it has ended");
            }
            String name = table.get();
            progress.at("waits until the rows of " + name + " are in files", () -> 0);
            Thread.sleep(POLL_MS);
        }
        return true;
    }
}
