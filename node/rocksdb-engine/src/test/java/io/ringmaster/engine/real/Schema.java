package io.ringmaster.engine.real;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A random table. {@code %s} in its statements is a placeholder for the table's name. */
final class Schema {
    static final Map<String, List<String>> KEYS = Map.ofEntries(
            Map.entry("int", List.of("-1", "0", "1", "2147483647")),
            Map.entry("text", List.of("''", "'a'", "'ab'", "'\u00fc'")),
            Map.entry("blob", List.of("0x", "0x00", "0x0000", "0xff")),
            Map.entry("decimal", List.of("1.0", "1.00", "-2")),
            Map.entry("varint", List.of("-1", "0", "340282366920938463463374607431768211456")),
            Map.entry("boolean", List.of("true", "false")),
            Map.entry("double", List.of("-1.5", "0", "NaN")),
            Map.entry("timestamp", List.of("0", "1700000000000")),
            Map.entry("date", List.of("'1969-12-31'", "'2024-02-29'")),
            Map.entry("inet", List.of("'127.0.0.1'", "'::1'")),
            Map.entry("uuid", List.of("f47ac10b-58cc-4372-a567-0e02b2c3d479", "50554d6e-29bb-11e5-b345-feff819cdc9f")),
            Map.entry(
                    "timeuuid",
                    List.of("50554d6e-29bb-11e5-b345-feff819cdc9f", "60554d6e-29bb-11e5-b345-feff819cdc9f")),
            Map.entry("frozen<list<int>>", List.of("[]", "[1]", "[1, -1]")),
            Map.entry("frozen<tuple<int, text>>", List.of("(1, 'a')", "(1, null)")));

    static final Map<String, List<String>> VALUES = Map.ofEntries(
            Map.entry("int", List.of("null", "0", "7", "-9")),
            Map.entry("text", List.of("null", "''", "'x'", "'y'")),
            Map.entry("blob", List.of("null", "0x", "0xcafe")),
            Map.entry("duration", List.of("null", "1mo2d3h", "-5s")),
            Map.entry("vector<float, 2>", List.of("null", "[1, 2]", "[0, -1.5]")),
            Map.entry("frozen<map<int, text>>", List.of("null", "{}", "{1: 'a', 2: 'b'}")),
            Map.entry("frozen<pair>", List.of("null", "{a: 1, b: 'x'}", "{a: null, b: ''}")),
            Map.entry("list<text>", List.of("null", "[]", "['a']", "['b', 'c', 'a']")),
            Map.entry("set<int>", List.of("null", "{}", "{1}", "{-1, 2, 3}")),
            Map.entry("map<int, text>", List.of("null", "{}", "{1: 'a'}", "{-1: 'b', 1: 'c'}")),
            Map.entry("pair", List.of("null", "{a: 1, b: 'x'}", "{a: 2}")));

    final Map<String, String> partition = new LinkedHashMap<>();
    final Map<String, String> clustering = new LinkedHashMap<>();
    final Map<String, String> regular = new LinkedHashMap<>();
    final Map<String, String> statics = new LinkedHashMap<>();
    final boolean isCounter;
    final List<String> valueTypes;
    private final String order;

    Schema(Random random) {
        this(random, VALUES.keySet().stream().sorted().toList());
    }

    /** @param valueTypes some keys of {@link #VALUES}, for all columns that are no counters */
    Schema(Random random, List<String> valueTypes) {
        List<String> keyTypes = KEYS.keySet().stream().sorted().toList();
        this.valueTypes = valueTypes;
        for (int i = random.nextInt(2); i >= 0; i--) {
            partition.put("p" + i, pick(keyTypes, random));
        }
        List<String> orders = new ArrayList<>();
        for (int i = 0, n = random.nextInt(4); i < n; i++) {
            clustering.put("c" + i, pick(keyTypes, random));
            orders.add("c" + i + (random.nextBoolean() ? " ASC" : " DESC"));
        }
        order = orders.isEmpty() ? "" : " AND CLUSTERING ORDER BY (" + String.join(", ", orders) + ")";
        isCounter = random.nextInt(8) == 0;
        for (int i = 0, n = 1 + random.nextInt(4); i < n; i++) {
            regular.put("r" + i, isCounter ? "counter" : pick(valueTypes, random));
        }
        for (int i = 0, n = clustering.isEmpty() ? 0 : random.nextInt(3); i < n; i++) {
            statics.put("s" + i, isCounter ? "counter" : pick(valueTypes, random));
        }
    }

    static <T> T pick(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    /** @param memtable the configuration in cassandra.yaml */
    String create(String memtable) {
        StringBuilder columns = new StringBuilder();
        partition.forEach(
                (name, type) -> columns.append(name).append(' ').append(type).append(", "));
        clustering.forEach(
                (name, type) -> columns.append(name).append(' ').append(type).append(", "));
        regular.forEach(
                (name, type) -> columns.append(name).append(' ').append(type).append(", "));
        statics.forEach(
                (name, type) -> columns.append(name).append(' ').append(type).append(" static, "));
        String key = "(" + String.join(", ", partition.keySet()) + ")"
                + (clustering.isEmpty() ? "" : ", " + String.join(", ", clustering.keySet()));
        return "CREATE TABLE %s (" + columns + "PRIMARY KEY (" + key + ")) WITH memtable = '" + memtable + "'" + order;
    }
}
