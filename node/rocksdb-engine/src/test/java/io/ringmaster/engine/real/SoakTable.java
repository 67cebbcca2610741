package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A random table of the soak test, on both clusters. Its statements are sent one after the other. */
final class SoakTable {
    private static final int REMEMBERED = 200;

    private final SoakNodes nodes;
    private final Random random;
    private final String keyspace;
    private final String name;
    private final SoakKind kind;
    private final Schema schema;
    private final Statements statements;
    private final SoakMemtable memtable;
    private final SoakIndex index;
    private final Deque<String> history = new ArrayDeque<>();
    private boolean isAbandoned;

    /**
     * @param isKilled whether the engine's node is killed while it has this table. Stock storage may replay a row from
     *     the commit log whose tombstone it has purged: a table that purges is then never in stock storage there.
     */
    SoakTable(String name, SoakNodes nodes, Random random, boolean isKilled) throws Exception {
        this.nodes = nodes;
        this.random = random;
        this.name = name;
        SoakKind wanted = Schema.pick(List.of(SoakKind.values()), random);
        schema = new Schema(random, wanted.valueTypes());
        kind = schema.isCounter ? SoakKind.TIED : wanted;
        keyspace = kind == SoakKind.TIED ? SoakNodes.REPLICATED : SoakNodes.ALONE;
        statements = kind.statements(schema, random);
        memtable = new SoakMemtable(nodes, this, kind == SoakKind.TIED || !isKilled, random);
        index = new SoakIndex(nodes, this, schema);
        create(nodes.engine(), memtable.name());
        create(nodes.stock(), SoakMemtable.STOCK);
    }

    private void create(Node node, String in) throws Exception {
        String created = schema.create(in).replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")
                + (kind == SoakKind.TIED ? "" : " AND gc_grace_seconds = 1");
        note(created);
        assertThat(SoakNodes.repeat(node, cql(created))).isEmpty();
    }

    /** docs/engine.md: a row may show another one of two equal clustering values, such as the decimals 1.0 and 1.00. */
    private String cql(String statement) {
        return statement.replace("%s", qualified()).replace("1.00", "1.0");
    }

    void note(String event) {
        history.add(event);
        if (history.size() > REMEMBERED) {
            history.remove();
        }
    }

    String name() {
        return name;
    }

    String keyspace() {
        return keyspace;
    }

    String qualified() {
        return keyspace + "." + name;
    }

    SoakMemtable memtable() {
        return memtable;
    }

    SoakIndex index() {
        return index;
    }

    boolean isAbandoned() {
        return isAbandoned;
    }

    boolean isReplicated() {
        return keyspace.equals(SoakNodes.REPLICATED) && !isAbandoned;
    }

    /** Whether all its statements but lightweight transactions can be applied twice. */
    boolean isRepeatable() {
        return !schema.isCounter
                && !schema.regular.containsValue(SoakKind.LIST)
                && !schema.statics.containsValue(SoakKind.LIST)
                && !isAbandoned;
    }

    /** A truncation might overtake a write on its way to the replica, and a later repair would bring the row back. */
    boolean canBeTruncated() {
        return keyspace.equals(SoakNodes.ALONE) && !isAbandoned;
    }

    /** A snapshot lacks what an export has not written yet (docs/engine.md). */
    boolean canBeRestored() {
        return canBeTruncated()
                && memtable.isInRocksDb()
                && !memtable.wasExported()
                && index.name().isEmpty();
    }

    boolean canMoveOut() {
        return kind == SoakKind.TIED && memtable.isInRocksDb() && !isAbandoned;
    }

    void work(int count) throws Exception {
        for (int i = 0; i < count && !isAbandoned; i++) {
            String statement = statements.write();
            write(statement, isRepeatable() && !isTransaction(statement));
        }
    }

    /** Writes while a node is killed: only what can be sent again. */
    void workRepeatably(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            String statement = statements.write();
            if (!isTransaction(statement)) {
                write(statement, true);
            }
        }
    }

    private static boolean isTransaction(String statement) {
        return statement.contains(" IF ");
    }

    private void write(String statement, boolean isRepeated) throws Exception {
        note(statement);
        if (isTransaction(statement)) {
            // the servers' clocks give its timestamp: it must be between those of the statements before and after
            Thread.sleep(2);
        }
        Optional<List<String>> found = sent(nodes.engine(), statement, isRepeated);
        Optional<List<String>> expected = sent(nodes.stock(), statement, isRepeated);
        if (isTransaction(statement)) {
            Thread.sleep(2);
        }
        isAbandoned |= found.isEmpty() || expected.isEmpty();
        if (!isAbandoned) {
            assertThat(found.get()).as(history()).isEqualTo(expected.get());
        }
    }

    private Optional<List<String>> sent(Node node, String statement, boolean isRepeated) throws Exception {
        return isRepeated
                ? Optional.of(SoakNodes.repeat(node, cql(statement)))
                : SoakNodes.answer(node, cql(statement), 5000);
    }

    /** A counter that is deleted and incremented again has no defined value. This ends the work on such a table. */
    void finish() throws Exception {
        for (int i = 0; i < 3 && schema.isCounter && !isAbandoned; i++) {
            write(statements.deleteCounters(), true);
        }
    }

    void define(String statement) throws Exception {
        write(statement, true);
    }

    /**
     * Cassandra refuses to drop an indexed column. No column is added to a table with tied timestamps: a write of it
     * that is older than a replaced deletion shows (docs/engine.md).
     */
    void alter() throws Exception {
        if (index.name().isEmpty()) {
            define(kind == SoakKind.TIED ? statements.drop() : statements.alter());
        }
    }

    void truncate() throws Exception {
        define("TRUNCATE %s");
    }

    void drop() throws Exception {
        define("DROP TABLE IF EXISTS %s");
    }

    /** Compares all rows, the entries of an index and some random reads. */
    void check() throws Exception {
        checkContents(nodes.engine());
        for (int i = 0; i < 3; i++) {
            compare(nodes.engine(), statements.read());
        }
    }

    /** Compares what a node of the engine's cluster has with what the stock node has. */
    void checkContents(Node node) throws Exception {
        compare(node, "SELECT * FROM %s");
        for (String query : index.queries()) {
            compare(node, query);
        }
    }

    private void compare(Node node, String query) throws Exception {
        int pageSize = Schema.pick(List.of(2, 20, 5000), random);
        if (!isAbandoned) {
            new SoakComparison(node, nodes.stock(), cql(query), pageSize).assertSame(this::history);
        }
    }

    String history() {
        return qualified() + ", " + kind + ", " + memtable.name() + ":\n" + String.join(";\n", history);
    }
}
