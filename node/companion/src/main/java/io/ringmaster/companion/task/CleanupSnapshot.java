package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import java.io.File;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.utils.FBUtilities;

/**
 * A snapshot of tables before rows of ranges that the node handed over are removed, so that a mistake can be undone. It
 * needs room for as many bytes as the tables have, since it keeps their files while all rows are written again.
 * Cassandra removes it when its time is over.
 */
final class CleanupSnapshot {
    /** The argument of a cleanup that asks for it. */
    static final String ARGUMENT = "snapshot";

    /** How the names of these snapshots start. */
    static final String TAG = "ringmaster-cleanup-";

    private static final String KEPT = "3d";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private CleanupSnapshot() {}

    /** Returns what was done, for people; empty if nobody asked for it, or if there is no table to keep. */
    static String take(Map<String, String> args, List<ColumnFamilyStore> tables, long bytes) throws Exception {
        if (!Boolean.parseBoolean(args.get(ARGUMENT)) || tables.isEmpty()) {
            return "";
        }
        long free = Stream.of(DatabaseDescriptor.getAllDataFileLocations())
                .mapToLong(location -> new File(location).getUsableSpace())
                .min()
                .orElse(0);
        if (!hasRoom(bytes, free)) {
            return ", without a snapshot: " + FBUtilities.prettyPrintMemory(free) + " are free, and it may need "
                    + FBUtilities.prettyPrintMemory(2 * bytes);
        }
        String tag = TAG + TIME.format(Instant.now());
        List<ColumnFamilyStore> left = left(tables);
        while (!left.isEmpty()
                && OpenKeyspaces.unlessDropped(left.stream().map(Tables::id).toList(), snapshot(tag, left))
                        .isEmpty()) {
            StorageService.instance.clearSnapshot(Map.of(), tag);
            left = left(tables);
        }
        return left.isEmpty() ? "" : ", with snapshot " + tag + ", which Cassandra removes after " + KEPT;
    }

    /** The tables that nobody dropped meanwhile. */
    private static List<ColumnFamilyStore> left(List<ColumnFamilyStore> tables) {
        return tables.stream().filter(t -> OpenKeyspaces.isThere(Tables.id(t))).toList();
    }

    private static Callable<Boolean> snapshot(String tag, List<ColumnFamilyStore> tables) {
        return () -> {
            StorageService.instance.takeSnapshot(
                    tag, Map.of("ttl", KEPT), names(tables.stream().map(Tables::name)));
            return true;
        };
    }

    /** @throws IllegalArgumentException there is none: Cassandra would take a snapshot of every keyspace */
    static String[] names(Stream<String> tables) {
        String[] names = tables.toArray(String[]::new);
        if (names.length == 0) {
            throw new IllegalArgumentException("a snapshot of no table");
        }
        return names;
    }

    /** The files of the snapshot, and those that replace them, one of them twice while it is written. */
    static boolean hasRoom(long bytes, long free) {
        return free / 2 >= bytes;
    }
}
