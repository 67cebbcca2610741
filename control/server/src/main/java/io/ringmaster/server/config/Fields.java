package io.ringmaster.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One YAML mapping read field by field. Everything wrong is collected under the field's full name. */
final class Fields {
    private final String path;
    private final Map<?, ?> values;
    private final List<String> wrong;
    private final Set<String> read = new TreeSet<>();

    private Fields(String path, Map<?, ?> values, List<String> wrong) {
        this.path = path;
        this.values = values;
        this.wrong = wrong;
    }

    static Fields root(Map<?, ?> values, List<String> wrong) {
        return new Fields("", values, wrong);
    }

    void complain(String field, String what) {
        wrong.add((field.isEmpty() ? path : name(field)) + ": " + what);
    }

    boolean has(String field) {
        read.add(field);
        return values.get(field) != null;
    }

    /** A required value; {@code substitute} stands in when it is wrong or missing, which is noted. */
    <T> T required(String field, String form, Function<String, T> parse, T substitute) {
        if (!has(field)) {
            complain(field, "missing; must be " + form);
            return substitute;
        }
        return optional(field, form, parse).orElse(substitute);
    }

    <T> Optional<T> optional(String field, String form, Function<String, T> parse) {
        if (!has(field)) {
            return Optional.empty();
        }
        Object value = values.get(field);
        if (value instanceof Map || value instanceof List) {
            complain(field, "must be " + form);
            return Optional.empty();
        }
        try {
            return Optional.of(parse.apply(String.valueOf(value)));
        } catch (IllegalArgumentException e) {
            String why =
                    e instanceof NumberFormatException || e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
            complain(field, "'" + value + "' must be " + form + why);
            return Optional.empty();
        }
    }

    /** A nested mapping; an empty one when it is missing or wrong. */
    Fields map(String field) {
        Object value = has(field) ? values.get(field) : Map.of();
        return new Fields(name(field), asMap(field, value), wrong);
    }

    List<Fields> list(String field) {
        var items = new ArrayList<Fields>();
        if (has(field)) {
            if (values.get(field) instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    String item = field + "[" + i + "]";
                    items.add(new Fields(name(item), asMap(item, list.get(i)), wrong));
                }
            } else {
                complain(field, "must be a list");
            }
        }
        return items;
    }

    /** Call last: whatever was not read is unknown. */
    void noOthers() {
        for (Object key : values.keySet()) {
            if (!read.contains(String.valueOf(key))) {
                complain(String.valueOf(key), "unknown field; known are " + String.join(", ", read));
            }
        }
    }

    private Map<?, ?> asMap(String field, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        complain(field, "must be a mapping");
        return Map.of();
    }

    private String name(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}
