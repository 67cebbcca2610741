package io.ringmaster.engine;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.cql3.statements.schema.CreateTableStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;

/** A table of random columns, with random keys from few values, so that updates collide. */
public final class RandomTable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Values for each type that a key may have, edge cases included. */
    private static final Map<String, List<String>> VALUES = Map.ofEntries(
            Map.entry("int", List.of("-2147483648", "-1", "0", "1", "2147483647")),
            Map.entry("bigint", List.of("-9223372036854775808", "-1", "0", "256")),
            Map.entry("smallint", List.of("-32768", "0", "7")),
            Map.entry("tinyint", List.of("-128", "0", "127")),
            Map.entry("varint", List.of("-99999999999999999999999", "-1", "0", "128", "99999999999999999999999")),
            Map.entry("decimal", List.of("1", "1.0", "1.00", "-1E+300", "0", "1E-300")),
            Map.entry("text", List.of("", "a", "a\u0000", "a\u0000b", "ab", "\u00fc", "\uffff")),
            Map.entry("ascii", List.of("", "a", "b")),
            Map.entry("blob", List.of("", "00", "0000", "00ff", "ff", "fe00")),
            Map.entry("boolean", List.of("true", "false")),
            Map.entry("float", List.of("-1.5", "-0.0", "0.0", "NaN", "Infinity")),
            Map.entry("double", List.of("-1.5", "-0.0", "0.0", "NaN", "-Infinity")),
            Map.entry("timestamp", List.of("-1", "0", "1700000000000")),
            Map.entry("date", List.of("1969-12-31", "1970-01-01", "2024-02-29")),
            Map.entry("time", List.of("00:00:00", "23:59:59.999999999")),
            Map.entry("inet", List.of("127.0.0.1", "::1", "255.255.255.255")),
            Map.entry(
                    "uuid",
                    List.of(
                            "00000000-0000-0000-0000-000000000000",
                            "f47ac10b-58cc-4372-a567-0e02b2c3d479",
                            "50554d6e-29bb-11e5-b345-feff819cdc9f")),
            Map.entry(
                    "timeuuid",
                    List.of("50554d6e-29bb-11e5-b345-feff819cdc9f", "ffffffff-29bb-11e5-8080-808080808080")),
            Map.entry("frozen<list<int>>", List.of("[]", "[1]", "[1, -1]")),
            Map.entry("frozen<tuple<int, text>>", List.of("1:a", "1", "-1:b")));

    private static final List<String> REGULAR = List.of(
            "int", "text", "blob", "decimal", "boolean", "duration", "vector<float, 2>", "frozen<map<int, text>>");
    private static final List<String> COMPLEX =
            List.of("list<text>", "set<int>", "map<decimal, text>", "map<int, int>");

    private final TableMetadata metadata;
    private final Random random;
    private final List<DecoratedKey> keys = new ArrayList<>();

    private RandomTable(TableMetadata metadata, Random random) {
        this.metadata = metadata;
        this.random = random;
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            keys.add(metadata.partitioner.decorateKey(partitionKey()));
        }
    }

    public static RandomTable of(Random random) {
        List<String> types = new ArrayList<>(VALUES.keySet());
        types.sort(null);
        StringBuilder columns = new StringBuilder();
        int partition = 1 + random.nextInt(2);
        int clustering = random.nextInt(4);
        for (int i = 0; i < partition; i++) {
            columns.append("p")
                    .append(i)
                    .append(' ')
                    .append(pick(types, random))
                    .append(", ");
        }
        for (int i = 0; i < clustering; i++) {
            columns.append("c")
                    .append(i)
                    .append(' ')
                    .append(pick(types, random))
                    .append(", ");
        }
        boolean isCounter = random.nextInt(8) == 0;
        for (int i = random.nextInt(4); i >= 0; i--) {
            String type = isCounter ? "counter" : pick(random.nextInt(3) == 0 ? COMPLEX : REGULAR, random);
            columns.append("r")
                    .append(random.nextInt(1000))
                    .append(i)
                    .append(' ')
                    .append(type)
                    .append(", ");
            if (clustering > 0 && random.nextBoolean()) {
                columns.append("s")
                        .append(random.nextInt(1000))
                        .append(i)
                        .append(' ')
                        .append(type)
                        .append(" static, ");
            }
        }
        return new RandomTable(
                CreateTableStatement.parse(
                                "CREATE TABLE t" + NUMBER.incrementAndGet() + " (" + columns + "PRIMARY KEY (("
                                        + names("p", partition) + ")"
                                        + (clustering == 0 ? "" : ", " + names("c", clustering)) + "))"
                                        + order(clustering, random),
                                "ks")
                        .build(),
                random);
    }

    private static String names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(prefix + i);
        }
        return String.join(", ", names);
    }

    private static String order(int clustering, Random random) {
        List<String> orders = new ArrayList<>();
        for (int i = 0; i < clustering; i++) {
            orders.add("c" + i + (random.nextBoolean() ? " ASC" : " DESC"));
        }
        return orders.isEmpty() ? "" : " WITH CLUSTERING ORDER BY (" + String.join(", ", orders) + ")";
    }

    static <T> T pick(List<T> from, Random random) {
        return from.get(random.nextInt(from.size()));
    }

    public TableMetadata metadata() {
        return metadata;
    }

    public List<DecoratedKey> keys() {
        return keys;
    }

    public DecoratedKey key() {
        return pick(keys, random);
    }

    private ByteBuffer partitionKey() {
        List<ByteBuffer> values = new ArrayList<>();
        metadata.partitionKeyColumns().forEach(column -> values.add(value(column.type)));
        if (values.size() > 1) {
            return CompositeType.build(
                    org.apache.cassandra.db.marshal.ByteBufferAccessor.instance, values.toArray(ByteBuffer[]::new));
        }
        return values.get(0).hasRemaining() ? values.get(0) : ByteBufferUtil.bytes("not empty");
    }

    /** A random value for a key column. */
    private ByteBuffer value(AbstractType<?> type) {
        AbstractType<?> written = type.unwrap();
        String plain = written.asCQL3Type().toString();
        String name = written.isCollection() || written.isTuple()
                ? "frozen<" + plain.replaceAll("^frozen<(.*)>$", "$1") + ">"
                : plain;
        if (written.allowsEmpty() && written.isEmptyValueMeaningless() && random.nextInt(12) == 0) {
            return ByteBufferUtil.EMPTY_BYTE_BUFFER;
        }
        List<String> values = VALUES.get(name);
        if (values == null) {
            throw new IllegalStateException("no values of type " + name);
        }
        String text = pick(values, random);
        return written.isCollection() ? list(text) : written.fromString(text);
    }

    private static ByteBuffer list(String text) {
        List<Integer> elements = new ArrayList<>();
        for (String element : text.replaceAll("[\\[\\] ]", "").split(",", -1)) {
            if (!element.isEmpty()) {
                elements.add(Integer.valueOf(element));
            }
        }
        return org.apache.cassandra.db.marshal.ListType.getInstance(
                        org.apache.cassandra.db.marshal.Int32Type.instance, false)
                .decompose(elements);
    }

    public Clustering<?> clustering() {
        return Clustering.make(components(metadata.comparator.size()));
    }

    private ByteBuffer[] components(int count) {
        ByteBuffer[] components = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            components[i] = value(metadata.comparator.subtype(i));
        }
        return components;
    }

    /** A random slice that is not empty. */
    public Slice slice() {
        while (true) {
            Slice slice = Slice.make(bound(true), bound(false));
            if (!slice.isEmpty(metadata.comparator)) {
                return slice;
            }
        }
    }

    private ClusteringBound<?> bound(boolean isStart) {
        int size = metadata.comparator.size();
        ByteBuffer[] components = components(size == 0 ? 0 : random.nextInt(size + 1));
        if (components.length == 0) {
            return isStart
                    ? org.apache.cassandra.db.BufferClusteringBound.BOTTOM
                    : org.apache.cassandra.db.BufferClusteringBound.TOP;
        }
        boolean isInclusive = random.nextBoolean();
        return org.apache.cassandra.db.BufferClusteringBound.create(
                ClusteringBound.boundKind(isStart, isInclusive), components);
    }
}
