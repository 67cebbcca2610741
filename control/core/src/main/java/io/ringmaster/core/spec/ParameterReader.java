package io.ringmaster.core.spec;

import io.ringmaster.core.spec.ParameterTable.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads values of cassandra.yaml as Cassandra will: {@code no} is false where it reads a truth value, and what it would
 * refuse is a problem here. Its table of parameters says what each one is.
 */
final class ParameterReader {
    private final FieldReader reader;
    private final boolean knowsAll;
    private final AsWritten written;

    /** Reads a value by what it looks like. */
    interface AsWritten {
        Optional<Object> read(Node node, String path);
    }

    /** @param knowsAll whether a name that the table lacks is a mistake, rather than one of a newer Cassandra */
    ParameterReader(FieldReader reader, boolean knowsAll, AsWritten written) {
        this.reader = reader;
        this.knowsAll = knowsAll;
        this.written = written;
    }

    /**
     * Entries of a mapping by their current names.
     *
     * @param parent the path of the mapping in the table; empty for cassandra.yaml itself
     * @param shown the path of the mapping in the spec
     */
    Map<String, Object> entries(Map<String, Node> given, String parent, String shown) {
        Map<String, String> chosen = chosen(given.keySet(), parent);
        Map<String, Object> values = new LinkedHashMap<>();
        given.forEach((name, node) -> {
            String path = FieldReader.join(parent, name);
            String field = FieldReader.join(shown, name);
            Optional<Row> row = ParameterTable.row(path);
            String counts = chosen.getOrDefault(current(parent, name), name);
            if (row.isEmpty()) {
                unknown(node, name, parent, field).ifPresent(value -> values.put(name, value));
            } else if (!counts.equals(name)) {
                reader.refuse(
                        field,
                        node,
                        "is a former name of the parameter " + counts + ", which is also given",
                        "keep one of them");
            } else {
                value(node, path, field, row.get()).ifPresent(value -> put(values, name, row.get(), value));
            }
        });
        return values;
    }

    private Optional<Object> unknown(Node node, String name, String parent, String field) {
        if (!knowsAll) {
            return written.read(node, field);
        }
        reader.refuse(
                field,
                node,
                "is not a parameter of Cassandra " + ParameterTable.VERSION,
                Nearest.guess(name, ParameterTable.names(parent)).orElse("leave it out"));
        return Optional.empty();
    }

    /** The name that counts of each parameter: its current one, otherwise the first former one. */
    private static Map<String, String> chosen(Collection<String> names, String parent) {
        Map<String, String> chosen = new HashMap<>();
        names.forEach(name -> chosen.merge(
                current(parent, name),
                name,
                (first, next) -> current(parent, next).equals(next) ? next : first));
        return chosen;
    }

    private static String current(String parent, String name) {
        return ParameterTable.row(FieldReader.join(parent, name))
                .filter(Row::isFormer)
                .map(row -> last(row.current()))
                .orElse(name);
    }

    private static void put(Map<String, Object> values, String name, Row row, Object value) {
        if (!row.isFormer() || isKept(row, value)) {
            values.put(name, value);
        } else {
            values.put(last(row.current()), withUnit(row.unit(), value));
        }
    }

    /** Whether only the former name can say it: no current value means what a negative one meant. */
    private static boolean isKept(Row row, Object value) {
        return row.unit().equals("-") || (row.unit().endsWith("?") && value instanceof Number n && n.longValue() < 0);
    }

    static Object withUnit(String unit, Object value) {
        if (unit.isEmpty() || !(value instanceof Number number)) {
            return value;
        }
        long whole = number instanceof Double fraction ? Math.round(fraction) : number.longValue();
        return unit.equals("Mbit/s") ? whole * 125_000 + "B/s" : whole + unit.replace("?", "");
    }

    private Optional<Object> value(Node node, String path, String field, Row row) {
        if (row.kind().isScalar()) {
            return scalar(node, field, row);
        }
        return switch (row.kind()) {
            case LIST -> list(node, field, row);
            case CLASS -> parameterizedClass(node, field, row, path);
            case MAP -> mapping(node, field, row, path);
            case UNTYPED -> Optional.of(untyped(node, field));
            default -> written.read(node, field);
        };
    }

    /** Cassandra's own cassandra.yaml has lists of one mapping, which are kept as they are written. */
    private Optional<Object> parameterizedClass(Node node, String field, Row row, String path) {
        if (only(node) instanceof ScalarNode scalar) {
            return Optional.of(scalar.getValue());
        }
        return node instanceof SequenceNode && only(node) instanceof MappingNode entries && isListForm(entries)
                ? written.read(node, field)
                : mapping(node, field, row, path);
    }

    /** In a list, Cassandra takes the parameters only as a list, too. */
    private static boolean isListForm(MappingNode entries) {
        boolean named = false;
        for (NodeTuple entry : entries.getValue()) {
            String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
            named |= key.equals("class_name");
            if (key.equals("parameters")
                    && !(entry.getValueNode() instanceof SequenceNode list
                            && list.getValue().stream().anyMatch(MappingNode.class::isInstance))) {
                return false;
            }
        }
        return named;
    }

    /** Cassandra makes many values of a list of one, too. */
    private static Node only(Node node) {
        return node instanceof SequenceNode list && list.getValue().size() == 1
                ? list.getValue().get(0)
                : node;
    }

    private Optional<Object> scalar(Node node, String field, Row row) {
        if (!(only(node) instanceof ScalarNode scalar)) {
            reader.refuse(field, node, "is " + FieldReader.describe(node) + ", allowed: " + row.form());
            return Optional.empty();
        }
        Optional<Object> value = row.read(scalar.getValue()).filter(v -> isAllowed(row, v));
        if (value.isEmpty()) {
            reader.refuse(field, node, "'" + scalar.getValue() + "' is not allowed, allowed: " + row.form());
        }
        return value;
    }

    /** A value of a former name must also be one of the current name. */
    private static boolean isAllowed(Row row, Object value) {
        return !row.isFormer()
                || isKept(row, value)
                || ParameterTable.row(row.current())
                        .flatMap(current -> current.read(String.valueOf(withUnit(row.unit(), value))))
                        .isPresent();
    }

    private Optional<Object> list(Node node, String field, Row row) {
        if (!(node instanceof SequenceNode sequence)) {
            reader.refuse(field, node, "is " + FieldReader.describe(node) + ", allowed: " + row.form());
            return Optional.empty();
        }
        String[] item = row.detail().split(" ", 2);
        Row each = new Row(
                ParameterKind.valueOf(item[0].toUpperCase(Locale.ROOT)), item.length == 1 ? "" : item[1], "", "");
        List<Object> values = new ArrayList<>();
        sequence.getValue().forEach(child -> scalar(child, field, each).ifPresent(values::add));
        return Optional.of(values);
    }

    private Optional<Object> mapping(Node node, String field, Row row, String path) {
        if (!(node instanceof MappingNode)) {
            reader.refuse(field, node, "is " + FieldReader.describe(node) + ", allowed: " + row.form());
            return Optional.empty();
        }
        return Optional.of(entries(reader.mapping(node, field, row.form()), path, field));
    }

    /** Plain words are truth values for Cassandra, where nothing says what a value is. */
    private Object untyped(Node node, String field) {
        if (node instanceof MappingNode mapping) {
            Map<String, Object> values = new LinkedHashMap<>();
            for (NodeTuple entry : mapping.getValue()) {
                String key = entry.getKeyNode() instanceof ScalarNode k ? k.getValue() : "?";
                values.put(key, untyped(entry.getValueNode(), field));
            }
            return values;
        }
        Optional<Object> word = node instanceof ScalarNode scalar && scalar.getScalarStyle() == ScalarStyle.PLAIN
                ? Yaml11.truth(scalar.getValue()).map(v -> v)
                : Optional.empty();
        return word.or(() -> written.read(node, field)).orElse("");
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
