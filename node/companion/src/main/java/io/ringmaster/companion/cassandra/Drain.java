package io.ringmaster.companion.cassandra;

import com.google.common.collect.Iterables;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.memtable.AbstractAllocatorMemtable;
import org.apache.cassandra.db.memtable.Memtable;
import org.apache.cassandra.service.StorageService;

/** Cassandra's drain. It only logs what fails in it, and returns at once if another one was made before. */
public final class Drain {
    private Drain() {}

    /**
     * Flushes everything to disk and takes the node out of service. Waits for a drain that is at work.
     *
     * @throws IllegalStateException Cassandra is not drained, or could not write rows to files
     */
    public static void run() throws IOException, InterruptedException, ExecutionException {
        StorageService.instance.drain();
        whyNotDone(StorageService.instance.getOperationMode(), unwritten()).ifPresent(why -> {
            throw new IllegalStateException(why);
        });
    }

    /** @param unwritten the tables with rows that no file has */
    static Optional<String> whyNotDone(String mode, List<String> unwritten) {
        if (!mode.equals("DRAINED")) {
            return Optional.of("the drain ended, and the node is " + mode + ": Cassandra's log says why");
        }
        return unwritten.isEmpty()
                ? Optional.empty()
                : Optional.of("rows of " + unwritten.size() + (unwritten.size() == 1 ? " table" : " tables")
                        + " are in the commit log alone, for example of " + unwritten.get(0)
                        + ": a flush failed, Cassandra's log says why");
    }

    private static List<String> unwritten() {
        return StorageService.instance.getNonSystemKeyspaces().stream()
                .flatMap(keyspace -> OpenKeyspaces.tables(keyspace).stream())
                .filter(Drain::isUnwritten)
                .map(table -> table.getKeyspaceName() + "." + table.getTableName())
                .toList();
    }

    private static boolean isUnwritten(ColumnFamilyStore table) {
        return Iterables.any(table.getTracker().getView().getAllMemtables(), Drain::isInMemory);
    }

    /** The engine's memtables are none of these: what they hold is on disk. */
    static boolean isInMemory(Memtable memtable) {
        return memtable instanceof AbstractAllocatorMemtable && !memtable.isClean();
    }
}
