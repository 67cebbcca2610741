package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A random table of the soak test, on both clusters. Its statements are sent one after the other. */
final class SoakTable {
    private static final List<String> INDEXABLE = List.of("blob", "int", "text");
    private static final int REMEMBERED = 200;

    private final SoakNodes nodes;
    private final Random random;
    private final String keyspace;
    private final String name;
    private final SoakKind kind;
    private final Schema schema;
    private final Statements statements;
    private final boolean isKilled;
    private final Deque<String> history = new ArrayDeque<>();

    private String memtable;
    private @Nullable String index;
    private int indexes;
    private boolean wasExported;
    private boolean isAbandoned;

    /** @param isKilled whether the engine's node is killed while it has this table */
    SoakTable(String name, SoakNodes nodes, Random random, boolean isKilled) throws Exception {
        this.nodes = nodes;
        this.random = random;
        this.name = name;
        this.isKilled = isKilled;
        SoakKind wanted = Schema.pick(List.of(SoakKind.values()), random);
        schema = new Schema(random, wanted.valueTypes());
        kind = schema.isCounter ? SoakKind.TIED : wanted;
        keyspace = kind == SoakKind.TIED ? SoakNodes.REPLICATED : SoakNodes.ALONE;
        statements = kind.statements(schema, random);
        memtable = Schema.pick(memtables(), random);
        String options = kind == SoakKind.TIED ? "" : " AND gc_grace_seconds = 1";
        String created = schema.create(memtable).replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS") + options;
        note(created);
        assertThat(SoakNodes.repeat(nodes.engine(), cql(created))).isEmpty();
        assertThat(SoakNodes.repeat(nodes.stock(), cql(created.replace(memtable(memtable), memtable(SoakNodes.STOCK)))))
                .isEmpty();
    }

    /**
     * Stock storage may replay a row from the commit log whose tombstone it has purged. A table that purges is
     * therefore never in stock storage on a node that is killed.
     */
    private List<String> memtables() {
        return SoakNodes.MEMTABLES.stream()
                .filter(m -> !m.equals(SoakNodes.STOCK) || kind == SoakKind.TIED || !isKilled)
                .toList();
    }

    private static String memtable(String name) {
        return "memtable = '" + name + "'";
    }

    /** docs/engine.md: a row may show another one of two equal clustering values, such as the decimals 1.0 and 1.00. */
    private String cql(String statement) {
        return statement.replace("%s", keyspace + "." + name).replace("1.00", "1.0");
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

    Optional<String> index() {
        return index == null ? Optional.empty() : Optional.of(indexName());
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
        return canBeTruncated() && isInRocksDb() && !wasExported && index == null;
    }

    boolean canMoveOut() {
        return kind == SoakKind.TIED && isInRocksDb() && !isAbandoned;
    }

    boolean isInRocksDb() {
        return !memtable.equals(SoakNodes.STOCK);
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

    private void define(String statement) throws Exception {
        write(statement, true);
    }

    /** Moves the table in or out of the engine, or between its two modes. */
    void migrate() throws Exception {
        memtable = Schema.pick(
                memtables().stream().filter(m -> !m.equals(memtable)).toList(), random);
        migrate(memtable);
    }

    private void migrate(String to) throws Exception {
        wasExported |= to.equals(SoakNodes.STOCK);
        note("ALTER to " + to);
        assertThat(SoakNodes.repeat(nodes.engine(), cql("ALTER TABLE %s WITH " + memtable(to))))
                .isEmpty();
    }

    /** Returns without waiting for the end of the migration. */
    void startToMoveOut() {
        memtable = SoakNodes.STOCK;
        note("ALTER to " + memtable + " and a kill");
        nodes.engine().session().executeAsync(cql("ALTER TABLE %s WITH " + memtable(memtable)));
    }

    void resumeToMoveOut() throws Exception {
        migrate(memtable);
    }

    /**
     * Cassandra refuses to drop an indexed column. No column is added to a table with tied timestamps: a write of it
     * that is older than a replaced deletion shows (docs/engine.md).
     */
    void alter() throws Exception {
        if (index == null) {
            define(kind == SoakKind.TIED ? statements.drop() : statements.alter());
        }
    }

    void toggleIndex() throws Exception {
        if (index != null) {
            index = null;
            define("DROP INDEX IF EXISTS " + keyspace + "." + indexName());
            return;
        }
        List<String> columns = schema.regular.entrySet().stream()
                .filter(column -> INDEXABLE.contains(column.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (!columns.isEmpty()) {
            String column = Schema.pick(columns, random);
            indexes++;
            define("CREATE INDEX IF NOT EXISTS " + indexName() + " ON %s (" + column + ")");
            awaitIndex(indexName());
            index = column;
        }
    }

    private String indexName() {
        return "i" + indexes + "_" + name;
    }

    void awaitIndex(String built) throws Exception {
        String query = "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = '" + keyspace
                + "' AND index_name = '" + built + "'";
        for (Node node : List.of(nodes.engine(), nodes.stock())) {
            Ring.await(
                    node, "index " + built, () -> !SoakNodes.repeat(node, query).isEmpty());
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
        if (index != null) {
            for (String value : Schema.VALUES.get(schema.regular.get(index))) {
                compare(node, "SELECT * FROM %s WHERE " + index + " = " + value);
            }
        }
    }

    private void compare(Node node, String query) throws Exception {
        int pageSize = Schema.pick(List.of(2, 20, 5000), random);
        if (!isAbandoned) {
            new SoakComparison(node, nodes.stock(), cql(query), pageSize).assertSame(this::history);
        }
    }

    String history() {
        return keyspace + "." + name + ", " + kind + ", " + memtable + ":\n" + String.join(";\n", history);
    }
}
