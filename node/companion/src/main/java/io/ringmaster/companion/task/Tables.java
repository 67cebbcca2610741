package io.ringmaster.companion.task;

import io.ringmaster.companion.cassandra.OpenKeyspaces;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.service.StorageService;

/**
 * The tables of a task, chosen by its arguments {@code keyspaces} and {@code tables}; by default all tables of users.
 */
public final class Tables {
    /** Ringmaster's own keyspace, which holds the probe table. */
    static final String OWN_KEYSPACE = "ringmaster";

    private Tables() {}

    /**
     * The chosen keyspaces, to be asked for once, when a task starts.
     *
     * @throws IllegalArgumentException the arguments name a keyspace or a table that is not there
     */
    static List<String> keyspaces(Map<String, String> args) {
        List<String> users = userKeyspaces();
        List<String> keyspaces = wanted(args, users);
        List<String> known = StorageService.instance.getNonSystemKeyspaces();
        Predicate<String> isThere = k -> known.contains(k) || users.contains(k); // those of users may be dropped now
        whyNot(keyspaces, isThere, users, list(args, "tables"), tableNames(keyspaces)::contains)
                .ifPresent(why -> {
                    throw new IllegalArgumentException(why);
                });
        return keyspaces;
    }

    private static List<String> wanted(Map<String, String> args, List<String> users) {
        List<String> named = list(args, "keyspaces");
        return named.isEmpty() ? users : named;
    }

    private static Set<String> tableNames(List<String> keyspaces) {
        return keyspaces.stream()
                .flatMap(k -> OpenKeyspaces.tables(k).stream())
                .map(ColumnFamilyStore::getTableName)
                .collect(Collectors.toSet());
    }

    static Optional<String> whyNot(
            List<String> keyspaces,
            Predicate<String> isKeyspace,
            List<String> users,
            List<String> tables,
            Predicate<String> isTable) {
        Stream<String> noKeyspace = keyspaces.stream()
                .filter(isKeyspace.negate())
                .map(k -> "keyspace '" + k + "' is not there; there are " + users);
        Stream<String> noTable = tables.stream()
                .filter(isTable.negate())
                .map(t -> "table '" + t + "' is not in " + String.join(",", keyspaces));
        return Stream.concat(noKeyspace, noTable).findFirst();
    }

    /** The end of an outcome, naming what was dropped since the task started; empty if all of it is there. */
    static String missing(Map<String, String> args) {
        List<String> keyspaces = wanted(args, userKeyspaces());
        return missing(
                keyspaces,
                k -> OpenKeyspaces.open(k).isPresent(),
                list(args, "tables"),
                tableNames(keyspaces)::contains);
    }

    static String missing(
            List<String> keyspaces, Predicate<String> isKeyspace, List<String> tables, Predicate<String> isTable) {
        String missing = Stream.concat(
                        keyspaces.stream().filter(isKeyspace.negate()).map(k -> "keyspace " + k),
                        tables.stream().filter(isTable.negate()).map(t -> "table " + t))
                .collect(Collectors.joining(", "));
        return missing.isEmpty() ? "" : "; not there: " + missing;
    }

    /** All keyspaces except Cassandra's and Ringmaster's own. */
    public static List<String> userKeyspaces() {
        return StorageService.instance.getNonSystemKeyspaces().stream()
                .filter(k -> !k.equals(OWN_KEYSPACE) && !SchemaConstants.isReplicatedSystemKeyspace(k))
                .toList();
    }

    /** The keyspaces whose rows come from users: theirs, and Cassandra's own with roles and permissions. */
    public static List<String> keyspacesWithRows() {
        return Stream.concat(userKeyspaces().stream(), Stream.of(SchemaConstants.AUTH_KEYSPACE_NAME))
                .toList();
    }

    /** Their tables. A view has no rows that its table has not, and is built from them. */
    static List<ColumnFamilyStore> withRows() {
        return keyspacesWithRows().stream()
                .flatMap(k -> OpenKeyspaces.tables(k).stream())
                .filter(t -> !t.metadata().isView())
                .toList();
    }

    /** The datacenters with replicas of the keyspace; empty if its strategy knows no datacenters. */
    static Set<String> datacenters(String keyspace) {
        KeyspaceMetadata known = Schema.instance.getKeyspaceMetadata(keyspace);
        return known == null || known.params.replication.klass != NetworkTopologyStrategy.class
                ? Set.of()
                : known.params.replication.options.keySet();
    }

    /** The keyspaces replicated in all of these datacenters, including Cassandra's own with roles and permissions. */
    static List<String> replicatedIn(String... datacenters) {
        return StorageService.instance.getNonSystemKeyspaces().stream()
                .filter(k -> {
                    KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(k);
                    return keyspace != null
                            && keyspace.params.replication.options.keySet().containsAll(List.of(datacenters));
                })
                .toList();
    }

    static List<ColumnFamilyStore> chosen(Map<String, String> args) {
        return keyspaces(args).stream().flatMap(k -> chosen(k, args).stream()).toList();
    }

    /** The chosen tables of one keyspace. */
    static List<ColumnFamilyStore> chosen(String keyspace, Map<String, String> args) {
        List<String> names = list(args, "tables");
        return OpenKeyspaces.tables(keyspace).stream()
                .filter(t -> names.isEmpty() || names.contains(t.getTableName()))
                .toList();
    }

    /**
     * Does work on one table, see {@link OpenKeyspaces#unlessDropped}.
     *
     * @return the result; empty if the table was dropped or the task stopped
     */
    static <T> Optional<T> unlessDropped(ColumnFamilyStore table, Progress progress, Callable<T> work)
            throws Exception {
        return OpenKeyspaces.isThere(id(table)) && !progress.isStopped()
                ? OpenKeyspaces.unlessDropped(List.of(id(table)), work)
                : Optional.empty();
    }

    /** {@code keyspace.table}. */
    static String name(ColumnFamilyStore table) {
        return table.getKeyspaceName() + "." + table.getTableName();
    }

    static TableId id(ColumnFamilyStore table) {
        return table.metadata().id;
    }

    static List<String> list(Map<String, String> args, String name) {
        String text = args.getOrDefault(name, "");
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",")).map(String::strip).toList();
    }
}
