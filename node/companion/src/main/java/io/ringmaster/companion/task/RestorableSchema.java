package io.ringmaster.companion.task;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cassandra.schema.SchemaConstants;
import org.apache.cassandra.schema.TableMetadata;

/**
 * Whether the statements of {@code DESCRIBE SCHEMA} make all tables of a backup. What cannot be restored is refused
 * when the backup is taken: then the table can still be changed, or copied in another way.
 */
final class RestorableSchema {
    private RestorableSchema() {}

    /**
     * @param schema maps with the column {@code statement}
     * @throws IllegalStateException naming each table that no statement makes under its id
     */
    static void require(List<TableMetadata> tables, List<Map<String, String>> schema) {
        Set<String> made = schema.stream()
                .flatMap(element -> CqlText.split(element.getOrDefault("statement", "")).stream())
                .flatMap(statement -> CqlText.id(statement).stream())
                .collect(Collectors.toSet());
        List<String> lost = new ArrayList<>();
        for (TableMetadata table : tables) {
            if (!isOfCassandra(table) && !made.contains(table.id.toString())) {
                lost.add(table.keyspace + "." + table.name);
            }
        }
        if (!lost.isEmpty()) {
            throw new IllegalStateException("no statement of DESCRIBE SCHEMA makes " + String.join(", ", lost)
                    + ", as of one with COMPACT STORAGE: a restore would fail -> copy it into another table and drop it,"
                    + " or set drop_compact_storage_enabled: true in cassandra_yaml and ALTER TABLE ... DROP COMPACT"
                    + " STORAGE");
        }
    }

    /** What the tables have and {@code DESCRIBE SCHEMA} leaves out: {@code trigger log of trips.place}. */
    static List<String> leftOut(List<TableMetadata> tables) {
        List<String> leftOut = new ArrayList<>();
        for (TableMetadata table : tables) {
            table.triggers.forEach(
                    trigger -> leftOut.add("trigger " + trigger.name + " of " + table.keyspace + "." + table.name));
        }
        return leftOut;
    }

    private static boolean isOfCassandra(TableMetadata table) {
        return SchemaConstants.isReplicatedSystemKeyspace(table.keyspace);
    }
}
