package io.ringmaster.companion;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.jspecify.annotations.Nullable;

/** Converts JMX open types to maps, lists and scalars, which JSON can represent. */
final class JmxValues {
    private JmxValues() {}

    static @Nullable Object toJson(@Nullable Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean || value instanceof String) {
            return value;
        }
        if (value instanceof CompositeData composite) {
            Map<String, Object> map = new TreeMap<>();
            composite.getCompositeType().keySet().forEach(key -> map.put(key, toJson(composite.get(key))));
            return map;
        }
        if (value instanceof TabularData table) {
            return list(table.values());
        }
        if (value instanceof Map<?, ?> entries) {
            Map<String, Object> map = new LinkedHashMap<>();
            entries.forEach((key, item) -> map.put(String.valueOf(key), toJson(item)));
            return map;
        }
        if (value instanceof Collection<?> items) {
            return list(items);
        }
        if (value instanceof Object[] items) {
            return list(Arrays.asList(items));
        }
        return value.getClass().isArray() ? value : value.toString();
    }

    private static List<Object> list(Collection<?> items) {
        List<Object> list = new ArrayList<>();
        items.forEach(item -> list.add(toJson(item)));
        return list;
    }
}
