package io.ringmaster.engine.store;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Upper bounds of the stored timestamps of a table, in microseconds. A writer whose clock is far ahead raises only the
 * bound of one of {@value #GROUPS} groups of slots, until the clock of the node has reached it.
 *
 * @param common of all timestamps but those of the future
 * @param future by group
 */
record TimestampBounds(long common, Map<Integer, Long> future) {
    private static final int GROUPS = 64;

    /** The bounds of an empty table. */
    static final TimestampBounds NONE = new TimestampBounds(Long.MIN_VALUE, Map.of());
    /** The bounds of data with unknown timestamps. */
    static final TimestampBounds UNKNOWN = new TimestampBounds(Long.MAX_VALUE, Map.of());

    static TimestampBounds read(String text) {
        String[] parts = text.split(" ", -1);
        Map<Integer, Long> future = new TreeMap<>();
        for (int i = 1; i < parts.length; i++) {
            int colon = parts[i].indexOf(':');
            future.put(Integer.valueOf(parts[i].substring(0, colon)), Long.valueOf(parts[i].substring(colon + 1)));
        }
        return new TimestampBounds(Long.parseLong(parts[0]), future);
    }

    String text() {
        return future.entrySet().stream()
                .map(entry -> " " + entry.getKey() + ":" + entry.getValue())
                .collect(Collectors.joining("", String.valueOf(common), ""));
    }

    /** The bound of the timestamps in a slot. */
    long of(int slot) {
        return future.isEmpty() ? common : Math.max(common, future.getOrDefault(slot % GROUPS, Long.MIN_VALUE));
    }

    TimestampBounds withCommon(long greater) {
        Map<Integer, Long> left = new TreeMap<>(future);
        left.values().removeIf(timestamp -> timestamp <= greater);
        return new TimestampBounds(greater, left);
    }

    TimestampBounds withFuture(int slot, long greater) {
        Map<Integer, Long> more = new TreeMap<>(future);
        more.put(slot % GROUPS, greater);
        return new TimestampBounds(common, more);
    }
}
