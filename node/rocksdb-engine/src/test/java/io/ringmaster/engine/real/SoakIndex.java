package io.ringmaster.engine.real;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The index that a random table of the soak test has at times. */
final class SoakIndex {
    private static final List<String> INDEXABLE = List.of("blob", "int", "text");

    private final SoakNodes nodes;
    private final SoakTable table;
    private final Schema schema;
    private @Nullable String column;
    private int number;

    SoakIndex(SoakNodes nodes, SoakTable table, Schema schema) {
        this.nodes = nodes;
        this.table = table;
        this.schema = schema;
    }

    Optional<String> name() {
        return column == null ? Optional.empty() : Optional.of(current());
    }

    private String current() {
        return "i" + number + "_" + table.name();
    }

    /** Drops the index, or creates one on a random column that can have one. */
    void toggle(Random random) throws Exception {
        if (column != null) {
            column = null;
            table.define("DROP INDEX IF EXISTS " + table.keyspace() + "." + current());
            return;
        }
        List<String> columns = schema.regular.entrySet().stream()
                .filter(candidate -> INDEXABLE.contains(candidate.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (!columns.isEmpty()) {
            String created = Schema.pick(columns, random);
            number++;
            table.define("CREATE INDEX IF NOT EXISTS " + current() + " ON %s (" + created + ")");
            awaitBuild();
            column = created;
        }
    }

    void awaitBuild() throws Exception {
        String query = "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = '" + table.keyspace()
                + "' AND index_name = '" + current() + "'";
        for (Node node : List.of(nodes.engine(), nodes.stock())) {
            Ring.await(node, "index " + current(), () -> !SoakNodes.repeat(node, query)
                    .isEmpty());
        }
    }

    /** Reads by the index, of each value. */
    List<String> queries() {
        return column == null
                ? List.of()
                : Schema.VALUES.get(schema.regular.get(column)).stream()
                        .map(value -> "SELECT * FROM %s WHERE " + column + " = " + value)
                        .toList();
    }
}
