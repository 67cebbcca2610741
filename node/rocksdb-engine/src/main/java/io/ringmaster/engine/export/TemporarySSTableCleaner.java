package io.ringmaster.engine.export;

import io.ringmaster.engine.store.TemporaryMarks;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.cassandra.concurrent.ScheduledExecutors;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Directories;
import org.apache.cassandra.db.compaction.OperationType;
import org.apache.cassandra.db.lifecycle.LifecycleTransaction;
import org.apache.cassandra.db.lifecycle.SSTableSet;
import org.apache.cassandra.io.sstable.Component;
import org.apache.cassandra.io.sstable.Descriptor;
import org.apache.cassandra.io.sstable.format.SSTableFormat;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes temporary sstables once their stream or validation has released them.
 *
 * <p>A complete one becomes part of a lifecycle transaction that never commits: Cassandra's listings skip it
 * ({@code nodetool refresh}), the release of its last reader deletes it, and so does the start after a crash.
 */
public final class TemporarySSTableCleaner {
    private static final Logger LOG = LoggerFactory.getLogger(TemporarySSTableCleaner.class);
    private static final long SOON_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int SELDOM = 10;
    private static final long RELEASE_SECONDS = 10;

    /** The tables that temporary sstables were requested of, with the time of the last request. */
    private static final Map<ColumnFamilyStore, Request> REQUESTED = new ConcurrentHashMap<>();

    /** The tables with a copy that is being written for a build. */
    private static final Set<ColumnFamilyStore> HELD = ConcurrentHashMap.newKeySet();

    private static int runs;

    private TemporarySSTableCleaner() {}

    private record Request(long nanos, TemporaryMarks marks) {}

    /** Called when Cassandra starts to write a temporary sstable. */
    public static void expect(ColumnFamilyStore cfs, TemporaryMarks marks) {
        REQUESTED.put(cfs, new Request(System.nanoTime(), marks));
    }

    /** Called each second. Lists the directories of a table each time for a minute after a request, then seldom. */
    public static synchronized void run() {
        boolean isAll = runs++ % SELDOM == 0;
        REQUESTED.keySet().removeIf(cfs -> !cfs.isValid());
        REQUESTED.forEach((cfs, last) -> {
            if (isAll || System.nanoTime() - last.nanos < SOON_NANOS) {
                clean(cfs, last.marks);
            }
        });
    }

    /** Called before temporary sstables are written that will be loaded for a build. Those of the table stay then. */
    public static synchronized void hold(ColumnFamilyStore cfs) {
        HELD.add(cfs);
    }

    /** Called when they are loaded. They are deleted when no build is pending. */
    public static void release(ColumnFamilyStore cfs) {
        HELD.remove(cfs);
    }

    private static void clean(ColumnFamilyStore cfs, TemporaryMarks marks) {
        if (HELD.contains(cfs)) {
            return;
        }
        if (TemporarySSTables.areLoaded(cfs, marks) && !PendingBuilds.exist(cfs)) {
            TemporarySSTables.removeLoaded(cfs, marks);
        }
        Map<Descriptor, Set<Component>> listed = cfs.getDirectories()
                .sstableLister(Directories.OnTxnErr.IGNORE)
                .skipTemporary(true)
                .list();
        // after the listing, so that an sstable that was added meanwhile is not taken for an unknown one
        Set<Descriptor> live = live(cfs);
        listed.forEach((descriptor, components) -> {
            // the table of contents is the last file of an sstable to be written
            if (!live.contains(descriptor) && components.contains(SSTableFormat.Components.TOC)) {
                Set<Integer> found = TemporarySSTables.marks(descriptor, marks);
                if (!found.isEmpty()) {
                    deleteWhenReleased(cfs, descriptor, () -> marks.retire(found));
                }
            }
        });
    }

    private static Set<Descriptor> live(ColumnFamilyStore cfs) {
        Set<Descriptor> live = cfs.getLiveSSTables().stream()
                .map(sstable -> sstable.descriptor)
                .collect(Collectors.toSet());
        cfs.getSSTables(SSTableSet.CANONICAL).forEach(sstable -> live.add(sstable.descriptor));
        return live;
    }

    /** All readers of an sstable share what their last release runs. Cassandra's own may open a moment later. */
    private static void deleteWhenReleased(ColumnFamilyStore cfs, Descriptor descriptor, Runnable afterwards) {
        SSTableReader reader = SSTableReader.open(cfs, descriptor, cfs.metadata);
        LifecycleTransaction transaction = LifecycleTransaction.offline(OperationType.WRITE);
        transaction.trackNew(reader);
        reader.markObsolete(() -> {
            transaction.abort();
            afterwards.run();
            LOG.info("removed {}: a temporary sstable of a stream or a validation", descriptor);
        });
        Future<?> unused = ScheduledExecutors.optionalTasks.schedule(
                () -> reader.selfRef().release(), RELEASE_SECONDS, TimeUnit.SECONDS);
    }
}
