package io.ringmaster.cqlshell;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.type.codec.TypeCodec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One value of a row as text and as JSON. */
final class Values {
    private static final ObjectMapper PLAIN = new ObjectMapper();

    private Values() {}

    /** The form of {@code cqlsh}: text without quotes, everything else as a literal; null is {@code null}. */
    static String text(Row row, int column) {
        Object value = row.getObject(column);
        return value instanceof String s ? s : unquoted(literal(row, column, value));
    }

    static JsonNode json(Row row, int column) {
        Object value = row.getObject(column);
        if (value == null) {
            return JsonNodeFactory.instance.nullNode();
        }
        boolean natural = value instanceof Number || value instanceof Boolean || value instanceof String;
        if (natural || value instanceof Collection || value instanceof Map) {
            return PLAIN.valueToTree(simplified(value));
        }
        return JsonNodeFactory.instance.textNode(unquoted(literal(row, column, value)));
    }

    private static @Nullable Object simplified(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            var copy = new java.util.LinkedHashMap<String, @Nullable Object>();
            map.forEach((k, v) -> copy.put(String.valueOf(k), simplified(v)));
            return copy;
        }
        if (value instanceof Collection<?> all) {
            return all.stream().map(Values::simplified).toList();
        }
        return value == null || value instanceof Number || value instanceof Boolean ? value : value.toString();
    }

    private static String literal(Row row, int column, @Nullable Object value) {
        if (value == null) {
            return "null";
        }
        ColumnDefinition definition = row.getColumnDefinitions().get(column);
        TypeCodec<Object> codec = row.codecRegistry().codecFor(definition.getType(), value);
        return codec.format(value);
    }

    private static String unquoted(String literal) {
        boolean quoted = literal.length() >= 2 && literal.startsWith("'") && literal.endsWith("'");
        return quoted ? literal.substring(1, literal.length() - 1).replace("''", "'") : literal;
    }
}
