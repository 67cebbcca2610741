package io.ringmaster.model;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Immutable maps that iterate in key order. {@link Map#copyOf} iterates in an order that differs between processes,
 * which would make stored text and plans differ.
 */
public final class Ordered {
    private Ordered() {}

    public static <K extends Comparable<? super K>, V> Map<K, V> copy(Map<K, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
