package io.ringmaster.engine.real;

import static io.ringmaster.engine.real.Schema.pick;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Random statements for a table. {@code %s} is a placeholder for its name. */
final class Statements {
    private final Schema schema;
    private final Random random;
    private final LongSupplier timestamps;
    private final int ttl;
    private final boolean hasTransactions;
    private int added;

    /** Rows with a TTL do not expire during a test. */
    Statements(Schema schema, Random random) {
        this(schema, random, fewTimestamps(random), 5000, true);
    }

    /**
     * @param timestamps in microseconds
     * @param ttl the lesser of two TTLs, in seconds; 0 for no TTL
     * @param hasTransactions whether some statements are lightweight transactions
     */
    Statements(Schema schema, Random random, LongSupplier timestamps, int ttl, boolean hasTransactions) {
        this.schema = schema;
        this.random = random;
        this.timestamps = timestamps;
        this.ttl = ttl;
        this.hasTransactions = hasTransactions;
    }

    /** Few values, so that ties are frequent. */
    static LongSupplier fewTimestamps(Random random) {
        return () -> 1 + random.nextInt(8);
    }

    private long timestamp() {
        return timestamps.getAsLong();
    }

    private String key(Map<String, String> columns, int count) {
        List<String> conditions = new ArrayList<>();
        for (Map.Entry<String, String> column : List.copyOf(columns.entrySet()).subList(0, count)) {
            conditions.add(column.getKey() + " = " + keyValue(column.getValue()));
        }
        return String.join(" AND ", conditions);
    }

    private String keyValue(String type) {
        return pick(Schema.KEYS.get(type), random);
    }

    private String partition() {
        return key(schema.partition, schema.partition.size());
    }

    private String row() {
        return schema.clustering.isEmpty()
                ? partition()
                : partition() + " AND " + key(schema.clustering, schema.clustering.size());
    }

    /** A statement that changes data. */
    String write() {
        if (schema.isCounter) {
            // the value of a counter that is deleted and incremented again is undefined, in stock Cassandra too
            return count();
        }
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4, 5 -> insert();
            case 6, 7, 8, 9, 10, 11 -> update();
            case 12, 13, 14, 15 -> delete();
            case 16 -> batch();
            case 17 -> hasTransactions ? conditional() : insert();
            default -> collection();
        };
    }

    private String insert() {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        Stream.of(schema.partition, schema.clustering)
                .flatMap(columns -> columns.entrySet().stream())
                .forEach(column -> {
                    names.add(column.getKey());
                    values.add(keyValue(column.getValue()));
                });
        Stream.of(schema.regular, schema.statics)
                .flatMap(columns -> columns.entrySet().stream())
                .forEach(column -> {
                    if (random.nextInt(3) > 0) {
                        names.add(column.getKey());
                        values.add(pick(Schema.VALUES.get(column.getValue()), random));
                    }
                });
        return "INSERT INTO %s (" + String.join(", ", names) + ") VALUES (" + String.join(", ", values)
                + ") USING TIMESTAMP " + timestamp()
                + (ttl > 0 && random.nextInt(5) == 0 ? " AND TTL " + (ttl + random.nextInt(2)) : "");
    }

    private String update() {
        boolean isStatic = !schema.statics.isEmpty() && random.nextInt(4) == 0;
        Map.Entry<String, String> column =
                pick(List.copyOf((isStatic ? schema.statics : schema.regular).entrySet()), random);
        return "UPDATE %s USING TIMESTAMP " + timestamp() + " SET " + column.getKey() + " = "
                + pick(Schema.VALUES.get(column.getValue()), random) + " WHERE " + (isStatic ? partition() : row());
    }

    private String collection() {
        Map.Entry<String, String> column = pick(List.copyOf(schema.regular.entrySet()), random);
        String name = column.getKey();
        String set =
                switch (column.getValue()) {
                    case "list<text>" ->
                        pick(List.of("%n = %n + ['z']", "%n = ['q'] + %n", "%n[0] = 'i'", "%n = %n - ['a']"), random);
                    case "set<int>" -> pick(List.of("%n = %n + {9, 1}", "%n = %n - {1}"), random);
                    case "map<int, text>" ->
                        pick(List.of("%n[1] = 'm'", "%n[7] = null", "%n = %n + {5: 'p'}", "%n = %n - {1}"), random);
                    case "pair" -> pick(List.of("%n.a = 5", "%n.b = null", "%n.b = 'u'"), random);
                    default -> "%n = null";
                };
        return "UPDATE %s USING TIMESTAMP " + timestamp() + " SET " + set.replace("%n", name) + " WHERE " + row();
    }

    private String count() {
        boolean isStatic = !schema.statics.isEmpty() && random.nextInt(4) == 0;
        String column = pick(List.copyOf((isStatic ? schema.statics : schema.regular).keySet()), random);
        return "UPDATE %s SET " + column + " = " + column + (random.nextBoolean() ? " + 3" : " - 2") + " WHERE "
                + (isStatic ? partition() : row());
    }

    /** A deletion in a table with counters, which has no timestamp. */
    String deleteCounters() {
        return delete().replaceAll(" USING TIMESTAMP [0-9]+", "");
    }

    private String delete() {
        String using = " USING TIMESTAMP " + timestamp();
        int kind = random.nextInt(4);
        if (kind == 0) {
            return "DELETE FROM %s" + using + " WHERE " + partition();
        }
        if (kind == 1 && !schema.clustering.isEmpty()) {
            return "DELETE FROM %s" + using + " WHERE " + slice();
        }
        if (kind == 2) {
            return "DELETE " + pick(List.copyOf(schema.regular.keySet()), random) + " FROM %s" + using + " WHERE "
                    + row();
        }
        return "DELETE FROM %s" + using + " WHERE " + row();
    }

    /** A condition on a clustering prefix and a range of the next clustering column. */
    private String slice() {
        int prefix = random.nextInt(schema.clustering.size());
        Map.Entry<String, String> column =
                List.copyOf(schema.clustering.entrySet()).get(prefix);
        String condition = partition() + (prefix == 0 ? "" : " AND " + key(schema.clustering, prefix));
        String least = column.getKey() + pick(List.of(" > ", " >= "), random) + keyValue(column.getValue());
        String most = column.getKey() + pick(List.of(" < ", " <= "), random) + keyValue(column.getValue());
        return switch (random.nextInt(3)) {
            case 0 -> condition + " AND " + least;
            case 1 -> condition + " AND " + most;
            default -> condition + " AND " + least + " AND " + most;
        };
    }

    private String batch() {
        List<String> statements = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            statements.add(random.nextBoolean() ? insert() : random.nextBoolean() ? update() : delete());
        }
        return "BEGIN " + (random.nextBoolean() ? "UNLOGGED " : "") + "BATCH " + String.join("; ", statements)
                + "; APPLY BATCH";
    }

    private String conditional() {
        return switch (random.nextInt(3)) {
            case 0 -> insert().replaceAll(" USING .*", " IF NOT EXISTS");
            case 1 -> "DELETE FROM %s WHERE " + row() + " IF EXISTS";
            default ->
                update().replaceAll(" USING TIMESTAMP [0-9]+", "") + " IF "
                        + pick(List.copyOf(schema.regular.keySet()), random) + " = null";
        };
    }

    /** A statement that reads. */
    String read() {
        String columns = pick(List.of("*", "*", "JSON *", "count(*)"), random);
        if (columns.equals("*") && random.nextInt(4) == 0) {
            columns = String.join(", ", schema.partition.keySet()) + ", "
                    + pick(List.copyOf(schema.regular.keySet()), random);
        }
        String limit = random.nextInt(4) == 0 ? " LIMIT " + (1 + random.nextInt(3)) : "";
        if (random.nextInt(6) == 0 && !schema.clustering.isEmpty()) {
            limit = " PER PARTITION LIMIT 1" + limit;
        }
        boolean isSorted = !schema.clustering.isEmpty() && random.nextBoolean();
        String order = isSorted
                ? " ORDER BY " + schema.clustering.keySet().iterator().next() + pick(List.of(" ASC", " DESC"), random)
                : "";
        return switch (random.nextInt(7)) {
            case 0 -> "SELECT " + columns + " FROM %s" + limit;
            case 1 -> "SELECT DISTINCT " + String.join(", ", schema.partition.keySet()) + " FROM %s";
            case 2 ->
                "SELECT " + columns + " FROM %s WHERE token(" + String.join(", ", schema.partition.keySet())
                        + pick(List.of(") > ", ") <= "), random) + random.nextLong() + limit;
            case 3 -> writetimes();
            case 4 ->
                schema.clustering.isEmpty()
                        ? "SELECT " + columns + " FROM %s WHERE " + partition()
                        : "SELECT " + columns + " FROM %s WHERE " + slice() + order + limit;
            case 5 -> "SELECT " + columns + " FROM %s WHERE " + row();
            default -> "SELECT " + columns + " FROM %s WHERE " + partition() + order + limit;
        };
    }

    private String writetimes() {
        List<String> simple = schema.regular.entrySet().stream()
                .filter(column -> !column.getValue().matches("list.*|set.*|map.*|pair|counter"))
                .map(column -> "writetime(" + column.getKey() + ")")
                .toList();
        return "SELECT " + (simple.isEmpty() ? "*" : String.join(", ", simple)) + " FROM %s";
    }

    /** A statement that changes the table. Later statements use the changed schema. */
    String alter() {
        if (schema.isCounter || (random.nextBoolean() && schema.regular.size() > 1)) {
            return drop();
        }
        String type = pick(schema.valueTypes, random);
        String name = "a" + added++;
        schema.regular.put(name, type);
        return "ALTER TABLE %s ADD IF NOT EXISTS " + name + " " + type;
    }

    /** A statement that drops a column, unless there is only one. Later statements use the changed schema. */
    String drop() {
        if (schema.regular.size() == 1) {
            return "ALTER TABLE %s WITH comment = 'x'";
        }
        String dropped = pick(List.copyOf(schema.regular.keySet()), random);
        schema.regular.remove(dropped);
        return "ALTER TABLE %s DROP IF EXISTS " + dropped;
    }
}
