package io.ringmaster.core.spec;

import io.ringmaster.model.spec.CassandraTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Every parameter of cassandra.yaml in Cassandra {@value #VERSION}, by path: {@code audit_logging_options.enabled} is
 * one of a mapping.
 */
final class ParameterTable {
    static final String VERSION = "5.0.9";
    private static final Map<String, Row> ROWS = read();

    private ParameterTable() {}

    /**
     * A parameter, or the former name of one.
     *
     * @param detail of the kind: a smallest unit, or the words of an enum
     * @param current the path that Cassandra gives it today; empty for a current name
     * @param unit what the value of a former name lacks; a {@code ?} after it leaves a negative value, which means
     *     "off", under the former name, and {@code -} leaves any value there
     */
    record Row(ParameterKind kind, String detail, String current, String unit) {
        String form() {
            return kind.form(detail);
        }

        Optional<Object> read(String text) {
            return kind.read(text, detail);
        }

        boolean isFormer() {
            return !current.isEmpty();
        }
    }

    static Optional<Row> row(String path) {
        return Optional.ofNullable(ROWS.get(path));
    }

    /** The names in a mapping; of cassandra.yaml itself, if the path is empty. */
    static List<String> names(String path) {
        String prefix = path.isEmpty() ? "" : path + ".";
        return ROWS.keySet().stream()
                .filter(p -> p.startsWith(prefix) && p.indexOf('.', prefix.length()) < 0)
                .map(p -> p.substring(prefix.length()))
                .toList();
    }

    private static Map<String, Row> read() {
        Map<String, Row> rows = new TreeMap<>();
        CassandraTable.rows()
                .forEach(c -> rows.put(
                        c.get(0),
                        new Row(
                                ParameterKind.valueOf(c.get(1).toUpperCase(Locale.ROOT)),
                                c.get(2),
                                c.get(3),
                                c.get(4))));
        rows.entrySet().stream()
                .filter(e -> e.getValue().kind() == ParameterKind.CLASS)
                .map(Map.Entry::getKey)
                .toList()
                .forEach(path -> {
                    rows.put(path + ".class_name", new Row(ParameterKind.STRING, "", "", ""));
                    rows.put(path + ".parameters", new Row(ParameterKind.ANY, "", "", ""));
                });
        return rows;
    }
}
