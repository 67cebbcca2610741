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

/**
 * Keyspaces and tables that users may drop at any moment. What is not there any more needs no work: neither a repair
 * nor a compaction nor a comparison fails because of it.
 */
public final class Keyspaces {
    private Keyspaces() {}

    /** The keyspace; empty if it was dropped. {@code Keyspace.open} fails then. */
    public static Optional<Keyspace> open(String keyspace) {
        return Optional.ofNullable(Schema.instance.getKeyspaceInstance(keyspace));
    }

    /** The tables of the keyspace; none if it was dropped. */
    public static List<ColumnFamilyStore> tables(String keyspace) {
        return open(keyspace)
                .map(k -> List.copyOf(k.getColumnFamilyStores()))
                .orElse(List.of());
    }

    /** Whether the table is there, under the same id: one that was created again has other rows. */
    public static boolean isThere(TableId table) {
        return Schema.instance.getTableMetadata(table) != null;
    }

    /**
     * Does work on tables. A failure counts only if all of them are there as they were before.
     *
     * @return the result; empty if the work failed because a table was dropped or truncated meanwhile, so that it may
     *     be repeated with what is left
     */
    public static <T> Optional<T> unlessChanged(Collection<TableId> tables, Callable<T> work) throws Exception {
        return unlessChanged(tables, Keyspaces::state, work);
    }

    /** @param state of a table: another one after a drop or a truncation */
    static <T> Optional<T> unlessChanged(
            Collection<TableId> tables, Function<TableId, Optional<Long>> state, Callable<T> work) throws Exception {
        Map<TableId, Optional<Long>> before = states(tables, state);
        try {
            return Optional.of(work.call());
        } catch (Exception | AssertionError e) {
            if (e instanceof InterruptedException || states(tables, state).equals(before)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static Map<TableId, Optional<Long>> states(
            Collection<TableId> tables, Function<TableId, Optional<Long>> state) {
        Map<TableId, Optional<Long>> states = new LinkedHashMap<>();
        tables.forEach(t -> states.put(t, state.apply(t)));
        return states;
    }

    /** The time of the last truncation; empty after a drop. */
    private static Optional<Long> state(TableId table) {
        return isThere(table) ? Optional.of(SystemKeyspace.getTruncatedAt(table)) : Optional.empty();
    }
}
