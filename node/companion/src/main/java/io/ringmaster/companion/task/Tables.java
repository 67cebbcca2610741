package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.service.StorageService;

/** The tables that a task is about: its arguments {@code keyspaces} and {@code tables}, or all of the users. */
public final class Tables {
    private Tables() {}

    static List<String> keyspaces(Map<String, String> args) {
        List<String> known = StorageService.instance.getNonSystemKeyspaces();
        List<String> wanted = list(args, "keyspaces");
        wanted.stream().filter(k -> !known.contains(k)).findFirst().ifPresent(k -> {
            throw new IllegalArgumentException("keyspace '" + k + "' is not there; there are " + ofUsers());
        });
        return wanted.isEmpty() ? ofUsers() : wanted;
    }

    /** All but Cassandra's and Ringmaster's own. */
    public static List<String> ofUsers() {
        return StorageService.instance.getNonSystemKeyspaces().stream()
                .filter(k -> !k.equals(ProbeWork.KEYSPACE) && !SchemaConstants.isReplicatedSystemKeyspace(k))
                .toList();
    }

    /** All that name these datacenters in their replication, Cassandra's own with roles and permissions among them. */
    static List<String> keptIn(String... datacenters) {
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
            for (ColumnFamilyStore table : Keyspace.open(keyspace).getColumnFamilyStores()) {
                if (names.isEmpty() || names.contains(table.getTableName())) {
                    chosen.add(table);
                }
            }
        }
        names.stream()
                .filter(n -> chosen.stream().noneMatch(t -> t.getTableName().equals(n)))
                .findFirst()
                .ifPresent(n -> {
                    throw new IllegalArgumentException("table '" + n + "' is not in " + args.get("keyspaces"));
                });
        return chosen;
    }

    static List<String> list(Map<String, String> args, String name) {
        String text = args.getOrDefault(name, "");
        return text.isBlank()
                ? List.of()
                : Arrays.stream(text.split(",")).map(String::strip).toList();
    }
}
