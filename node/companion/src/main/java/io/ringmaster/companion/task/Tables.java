package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.locator.NetworkTopologyStrategy;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.StorageService;

/**
 * The tables of a task, chosen by its arguments {@code keyspaces} and {@code tables}; by default all tables of users.
 */
public final class Tables {
    /** Ringmaster's own keyspace, which holds the probe table. */
    static final String OWN_KEYSPACE = "ringmaster";

    private Tables() {}

    static List<String> keyspaces(Map<String, String> args) {
        List<String> known = StorageService.instance.getNonSystemKeyspaces();
        List<String> wanted = list(args, "keyspaces");
        wanted.stream().filter(k -> !known.contains(k)).findFirst().ifPresent(k -> {
            throw new IllegalArgumentException("keyspace '" + k + "' is not there; there are " + userKeyspaces());
        });
        return wanted.isEmpty() ? userKeyspaces() : wanted;
    }

    /** All keyspaces except Cassandra's and Ringmaster's own. */
    public static List<String> userKeyspaces() {
        return StorageService.instance.getNonSystemKeyspaces().stream()
                .filter(k -> !k.equals(OWN_KEYSPACE) && !SchemaConstants.isReplicatedSystemKeyspace(k))
                .toList();
    }

    /** The keyspaces whose rows come from users: theirs, and Cassandra's own with roles and permissions. */
    static List<String> keyspacesWithRows() {
        return Stream.concat(userKeyspaces().stream(), Stream.of(SchemaConstants.AUTH_KEYSPACE_NAME))
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
        List<ColumnFamilyStore> chosen = new ArrayList<>();
        List<String> names = list(args, "tables");
        for (String keyspace : keyspaces(args)) {
            chosen.addAll(chosen(keyspace, args));
        }
        names.stream()
                .filter(n -> chosen.stream().noneMatch(t -> t.getTableName().equals(n)))
                .findFirst()
                .ifPresent(n -> {
                    throw new IllegalArgumentException("table '" + n + "' is not in " + args.get("keyspaces"));
                });
        return chosen;
    }

    /** The chosen tables of one keyspace. */
    static List<ColumnFamilyStore> chosen(String keyspace, Map<String, String> args) {
        List<String> names = list(args, "tables");
        return Keyspace.open(keyspace).getColumnFamilyStores().stream()
                .filter(t -> names.isEmpty() || names.contains(t.getTableName()))
                .toList();
    }

    /** {@code keyspace.table} of each table of the keyspace. */
    static List<String> names(String keyspace) {
        Keyspace instance = Schema.instance.getKeyspaceInstance(keyspace);
        if (instance == null) {
            return List.of(); // dropped in the meantime
        }
        return instance.getColumnFamilyStores().stream()
                .map(t -> t.getKeyspaceName() + "." + t.getTableName())
                .sorted()
                .toList();
    }

    static List<String> list(Map<String, String> args, String name) {
        String text = args.getOrDefault(name, "");
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",")).map(String::strip).toList();
    }
}
