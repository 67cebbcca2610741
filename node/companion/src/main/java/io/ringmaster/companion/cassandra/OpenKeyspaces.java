package io.ringmaster.companion.cassandra;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.SystemKeyspace;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keyspaces and tables that users may drop at any moment. What is not there any more needs no work: neither a repair
 * nor a compaction nor a comparison fails because of it.
 */
public final class OpenKeyspaces {
    private static final Logger LOG = LoggerFactory.getLogger(OpenKeyspaces.class);
    private static final int ATTEMPTS = 3;

    private OpenKeyspaces() {}

    /** The keyspace; empty if it was dropped. {@code Keyspace.open} fails then. */
    public static Optional<Keyspace> open(String keyspace) {
        return Optional.ofNullable(Schema.instance.getKeyspaceInstance(keyspace));
    }

    /** The tables of the keyspace; none if it was dropped. */
    public static List<ColumnFamilyStore> tables(String keyspace) {
        return open(keyspace).map(k -> List.copyOf(k.getColumnFamilyStores())).orElse(List.of());
    }

    /** Whether the table is there, under the same id: one that was created again has other rows. */
    public static boolean isThere(TableId table) {
        return Schema.instance.getTableMetadata(table) != null;
    }

    /**
     * Does work on tables, again if one of them was truncated meanwhile, which ends compactions and streams.
     *
     * @return the result; empty if the work failed because a table was dropped meanwhile, so that it may be repeated
     *     with the fewer tables that are left
     */
    public static <T> Optional<T> unlessDropped(Collection<TableId> tables, Callable<T> work) throws Exception {
        return unlessDropped(tables, ATTEMPTS, work);
    }

    /** @param attempts how often truncations may fail the work */
    public static <T> Optional<T> unlessDropped(Collection<TableId> tables, int attempts, Callable<T> work)
            throws Exception {
        return unlessDropped(tables, attempts, OpenKeyspaces::state, work);
    }

    /** @param state of a table: another one after a truncation, none after a drop */
    static <T> Optional<T> unlessDropped(
            Collection<TableId> tables, int attempts, Function<TableId, Optional<Long>> state, Callable<T> work)
            throws Exception {
        for (int attempt = 1; ; attempt++) {
            Map<TableId, Long> before = states(tables, state);
            try {
                return Optional.of(work.call());
            } catch (Exception | AssertionError e) {
                Map<TableId, Long> after = states(tables, state);
                boolean dropped = !after.keySet().containsAll(before.keySet());
                boolean repeats = attempt < attempts && !after.equals(before);
                if (e instanceof InterruptedException || !(dropped || repeats)) {
                    throw e;
                }
                LOG.warn("Work on tables failed that were {} meanwhile", dropped ? "dropped" : "truncated", e);
                if (dropped) {
                    return Optional.empty();
                }
            }
        }
    }

    private static Map<TableId, Long> states(Collection<TableId> tables, Function<TableId, Optional<Long>> state) {
        Map<TableId, Long> states = new LinkedHashMap<>();
        tables.forEach(t -> state.apply(t).ifPresent(at -> states.put(t, at)));
        return states;
    }

    /** The time of the last truncation; empty after a drop. */
    private static Optional<Long> state(TableId table) {
        return isThere(table) ? Optional.of(SystemKeyspace.getTruncatedAt(table)) : Optional.empty();
    }
}
