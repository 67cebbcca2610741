package io.ringmaster.ports;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One mapping of a YAML configuration, read field by field. Every error is collected under the field's full name,
 * such as {@code pool.local.machines[0].cpus}, so that a user sees all of them at once.
 */
public final class ConfigSection {
    private final String path;
    private final Map<?, ?> values;
    private final Path directory;
    private final List<String> errors;
    private final Set<String> read = new TreeSet<>();

    private ConfigSection(String path, Map<?, ?> values, Path directory, List<String> errors) {
        this.path = path;
        this.values = values;
        this.directory = directory;
        this.errors = errors;
    }

    /**
     * @param directory of the configuration file; relative paths are resolved against it
     * @param errors receives one line for each error, which starts with the field's name
     */
    public static ConfigSection root(Map<?, ?> values, Path directory, List<String> errors) {
        return new ConfigSection("", values, directory, errors);
    }

    /** Adds an error; an empty {@code field} is this section itself. */
    public void error(String field, String message) {
        errors.add((field.isEmpty() ? path : name(field)) + ": " + message);
    }

    public boolean has(String field) {
        read.add(field);
        return values.get(field) != null;
    }

    /** The names of all fields, known or not. */
    public Set<String> fields() {
        Set<String> names = new TreeSet<>();
        values.keySet().forEach(key -> names.add(String.valueOf(key)));
        return names;
    }

    /** A required value; {@code substitute} if it is missing or invalid, which is an error. */
    public <T> T required(String field, String form, Function<String, T> parse, T substitute) {
        if (!has(field)) {
            error(field, "missing; must be " + form);
            return substitute;
        }
        return optional(field, form, parse).orElse(substitute);
    }

    /**
     * @param form completes "must be ..." in an error
     * @param parse throws {@link IllegalArgumentException} for an invalid value
     */
    public <T> Optional<T> optional(String field, String form, Function<String, T> parse) {
        if (!has(field)) {
            return Optional.empty();
        }
        return parsed(field, values.get(field), form, parse);
    }

    /**
     * The values of a list without nesting; invalid ones are left out. A list that is given must not be empty.
     *
     * @param form completes "must be ..." in an error about one value
     * @param parse throws {@link IllegalArgumentException} for an invalid value
     */
    public <T> List<T> texts(String field, String form, Function<String, T> parse) {
        var items = new ArrayList<T>();
        if (has(field)) {
            if (values.get(field) instanceof List<?> list && !list.isEmpty()) {
                for (int i = 0; i < list.size(); i++) {
                    parsed(field + "[" + i + "]", list.get(i), form, parse).ifPresent(items::add);
                }
            } else {
                error(field, "must be a list; each value must be " + form);
            }
        }
        return items;
    }

    private <T> Optional<T> parsed(String field, @Nullable Object value, String form, Function<String, T> parse) {
        if (value == null || value instanceof Map || value instanceof List) {
            error(field, "must be " + form);
            return Optional.empty();
        }
        try {
            return Optional.of(parse.apply(String.valueOf(value)));
        } catch (IllegalArgumentException e) {
            String why =
                    e instanceof NumberFormatException || e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
            error(field, "'" + value + "' must be " + form + why);
            return Optional.empty();
        }
    }

    public Path requiredPath(String field, String form) {
        return required(field, form, this::resolve, directory);
    }

    public Optional<Path> optionalPath(String field, String form) {
        return optional(field, form, this::resolve);
    }

    private Path resolve(String text) {
        return directory.resolve(text).normalize();
    }

    /** A nested mapping; an empty one if it is missing or invalid. */
    public ConfigSection section(String field) {
        Object value = has(field) ? values.get(field) : Map.of();
        return new ConfigSection(name(field), asMap(field, value), directory, errors);
    }

    public List<ConfigSection> list(String field) {
        var items = new ArrayList<ConfigSection>();
        if (has(field)) {
            if (values.get(field) instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    String item = field + "[" + i + "]";
                    items.add(new ConfigSection(name(item), asMap(item, list.get(i)), directory, errors));
                }
            } else {
                error(field, "must be a list");
            }
        }
        return items;
    }

    /** Call last: reports every field that was not read. */
    public void rejectUnknown() {
        for (Object key : values.keySet()) {
            if (!read.contains(String.valueOf(key))) {
                error(String.valueOf(key), "unknown field; known are " + String.join(", ", read));
            }
        }
    }

    /** Parses an IP address. Host names are refused, because a lookup can block and its answer can change. */
    public static String ip(String text) {
        String bare = text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
        if (!bare.matches("[0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*")) {
            throw new IllegalArgumentException("host names are not resolved");
        }
        try {
            InetAddress.getAllByName(bare);
            return bare;
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an address", e);
        }
    }

    private Map<?, ?> asMap(String field, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        error(field, "must be a mapping");
        return Map.of();
    }

    private String name(String field) {
        return path.isEmpty() ? field : path + "." + field;
    }
}
