package io.ringmaster.companion.settings;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.cassandra.config.Config;
import org.apache.cassandra.config.Converters;
import org.apache.cassandra.config.DataRateSpec;
import org.apache.cassandra.config.DataStorageSpec;
import org.apache.cassandra.config.DurationSpec;
import org.apache.cassandra.config.ParameterizedClass;
import org.apache.cassandra.config.Properties;
import org.apache.cassandra.config.Replacement;
import org.apache.cassandra.config.Replacements;
import org.yaml.snakeyaml.introspector.Property;

/** The table of parameters, as Cassandra's own classes have it: path, kind, detail, current path, missing unit. */
final class CassandraTypes {
    private static final Map<String, String> UNITS = Map.of(
            "Nanoseconds", "ns",
            "Microseconds", "us",
            "Milliseconds", "ms",
            "Seconds", "s",
            "Minutes", "m",
            "Bytes", "B",
            "Kibibytes", "KiB",
            "Mebibytes", "MiB");
    private static final Map<Class<?>, String> SCALARS = Map.of(
            boolean.class, "boolean",
            Boolean.class, "boolean",
            int.class, "int",
            Integer.class, "int",
            long.class, "long",
            Long.class, "long",
            double.class, "double",
            Double.class, "double",
            Float.class, "double",
            String.class, "string");

    /** What a value of a former name lacks. */
    private static final Map<Converters, String> MISSING = Map.ofEntries(
            Map.entry(Converters.IDENTITY, ""),
            Map.entry(Converters.INTEGER_PRIMITIVE_LONG, ""),
            Map.entry(Converters.LONG_BYTES_DATASTORAGE_MEBIBYTES_DATASTORAGE, ""),
            Map.entry(Converters.MILLIS_DURATION_LONG, "ms"),
            Map.entry(Converters.MILLIS_DURATION_INT, "ms"),
            Map.entry(Converters.MILLIS_DURATION_DOUBLE, "ms"),
            Map.entry(Converters.MILLIS_CUSTOM_DURATION, "ms?"),
            Map.entry(Converters.SECONDS_DURATION, "s"),
            Map.entry(Converters.NEGATIVE_SECONDS_DURATION, "s?"),
            Map.entry(Converters.MINUTES_CUSTOM_DURATION, "m?"),
            Map.entry(Converters.MEBIBYTES_DATA_STORAGE_LONG, "MiB"),
            Map.entry(Converters.MEBIBYTES_DATA_STORAGE_INT, "MiB"),
            Map.entry(Converters.LONG_BYTES_DATASTORAGE_MEBIBYTES_INT, "MiB"),
            Map.entry(Converters.NEGATIVE_MEBIBYTES_DATA_STORAGE_INT, "MiB?"),
            Map.entry(Converters.KIBIBYTES_DATASTORAGE, "KiB"),
            Map.entry(Converters.BYTES_DATASTORAGE, "B"),
            Map.entry(Converters.BYTES_CUSTOM_DATASTORAGE, "B?"),
            Map.entry(Converters.MEBIBYTES_PER_SECOND_DATA_RATE, "MiB/s"),
            Map.entry(Converters.MEGABITS_TO_BYTES_PER_SECOND_DATA_RATE, "Mbit/s"),
            Map.entry(Converters.KEYSPACE_COUNT_THRESHOLD_TO_GUARDRAIL, "-"),
            Map.entry(Converters.TABLE_COUNT_THRESHOLD_TO_GUARDRAIL, "-"));

    private final Map<Class<? extends Object>, Map<String, Replacement>> former =
            Replacements.getNameReplacements(Config.class);
    private final Map<String, String> rows = new TreeMap<>();

    private CassandraTypes() {}

    static String table() {
        CassandraTypes types = new CassandraTypes();
        types.add("", Config.class);
        return types.rows.entrySet().stream()
                .map(e -> e.getKey() + "\t" + e.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private void add(String prefix, Class<?> type) {
        Properties.defaultLoader().getProperties(type).forEach((name, property) -> add(prefix + name, property));
        former.getOrDefault(type, Map.of()).values().forEach(r -> addFormer(prefix, r, type));
    }

    private void add(String path, Property property) {
        Class<?> type = property.getType();
        String kind = kind(type, property.getActualTypeArguments());
        if (path.equals("startup_checks")) {
            kind = "untyped\t";
        }
        rows.put(path, kind + "\t\t");
        if (kind.startsWith("map")) {
            add(path + ".", type);
        }
    }

    /** The three periods of caches kept their names, and take a number of seconds, too. */
    private void addFormer(String prefix, Replacement r, Class<?> type) {
        if (r.oldName.equals(r.newName)) {
            rows.put(prefix + r.oldName, "seconds\t\t\t");
            return;
        }
        Class<?> old = r.converter == Converters.IDENTITY
                ? Properties.defaultLoader().getProperties(type).get(r.newName).getType()
                : r.oldType;
        rows.put(prefix + r.oldName, kind(old, null) + "\t" + prefix + r.newName + "\t" + MISSING.get(r.converter));
    }

    private static String kind(Class<?> type, Class<?>[] arguments) {
        if (SCALARS.containsKey(type)) {
            return SCALARS.get(type) + "\t";
        }
        if (type.isEnum()) {
            return "enum\t"
                    + Arrays.stream(type.getEnumConstants())
                            .map(c -> ((Enum<?>) c).name())
                            .collect(Collectors.joining(","));
        }
        if (DurationSpec.class.isAssignableFrom(type)) {
            return "duration\t" + bound(type);
        }
        if (DataStorageSpec.class.isAssignableFrom(type)) {
            return "size\t" + bound(type);
        }
        if (DataRateSpec.class.isAssignableFrom(type)) {
            return "rate\t";
        }
        if (type == ParameterizedClass.class) {
            return "class\t";
        }
        if (type.isArray() || Set.class.isAssignableFrom(type) || List.class.isAssignableFrom(type)) {
            Class<?> item = type.isArray() ? type.getComponentType() : arguments[0];
            return item == String.class || item.isEnum()
                    ? "list\t" + kind(item, null).strip().replace('\t', ' ')
                    : "any\t";
        }
        return Map.class.isAssignableFrom(type) || !isBean(type) ? "any\t" : "map\t";
    }

    /** {@code ms int} for {@code IntMillisecondsBound}. */
    private static String bound(Class<?> type) {
        String name = type.getSimpleName().replace("Bound", "");
        String size = name.startsWith("Int") ? "Int" : "Long";
        return UNITS.get(name.substring(size.length())) + " " + size.toLowerCase(Locale.ROOT);
    }

    /** Whether a YAML mapping sets its properties. */
    private static boolean isBean(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors()).anyMatch(c -> c.getParameterCount() == 0)
                && Arrays.stream(type.getDeclaredConstructors())
                        .filter(c -> c.getParameterCount() == 1)
                        .map(c -> c.getParameterTypes()[0])
                        .noneMatch(p -> p == int.class || Map.class.isAssignableFrom(p) || p == List.class)
                && Properties.defaultLoader().getProperties(type).values().stream()
                        .noneMatch(p -> p.getType() == Object.class);
    }
}
