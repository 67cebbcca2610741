package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A random table of the soak test. In half of the tables timestamps are equal often; in the others they rise. */
final class SoakTable {
    private static final List<String> INDEXABLE = List.of("blob", "int", "text");
    private static final int TTL_SECONDS = 3;
    private static final int REMEMBERED = 200;

    private final SoakPair nodes;
    private final Random random;
    private final String name;
    private final Schema schema;
    private final Statements statements;
    private final Deque<String> history = new ArrayDeque<>();

    /** Only with rising timestamps: a purged tombstone would not shadow a later write with a lesser timestamp. */
    private final boolean isPurged;

    private String memtable;
    private @Nullable String index;
    private int indexes;
    private boolean wasStock;
    private boolean awaitsHints;
    /** No longer compared: see {@link #work} and {@link #killed}. */
    private boolean isAbandoned;

    SoakTable(String name, SoakPair nodes, Random random) {
        this.nodes = nodes;
        this.random = random;
        this.name = name;
        schema = new Schema(random);
        isPurged = random.nextBoolean();
        statements = new Statements(
                schema, random, isPurged ? nodes::timestamp : Statements.fewTimestamps(random), TTL_SECONDS);
        memtable = Schema.pick(SoakPair.MEMTABLES, random);
        wasStock = memtable.equals(SoakPair.STOCK);
        define(schema.create(memtable) + " AND speculative_retry = 'NEVER'"
                + (isPurged ? " AND gc_grace_seconds = 1" : ""));
    }

    String name() {
        return name;
    }

    /** Whether hints or a repair may deliver its writes. */
    boolean canMissWrites() {
        return !isPurged && !isAbandoned;
    }

    boolean canBeRestored() {
        return canMissWrites() && !schema.isCounter && index == null && !memtable.equals(SoakPair.STOCK);
    }

    /** docs/engine.md: a row may show another one of two equal clustering values, such as the decimals 1.0 and 1.00. */
    private String cql(String statement) {
        return statement.replace("%s", "ks." + name).replace("1.00", "1.0");
    }

    void note(String event) {
        history.add(event);
        if (history.size() > REMEMBERED) {
            history.remove();
        }
    }

    /**
     * Notes a kill. Stock storage may replay a row from the commit log whose tombstone it has purged (seed 1 of the
     * first version of this test, with stock storage on both nodes).
     */
    void killed() {
        note("-- kill");
        isAbandoned |= isPurged && wasStock;
    }

    private void define(String statement) {
        note(statement);
        try {
            nodes.either().session().execute(cql(statement));
        } catch (InvalidQueryException e) {
            note("-- invalid: " + e.getMessage());
        }
    }

    void work(int count) throws Exception {
        for (int i = 0; i < count && !isAbandoned; i++) {
            if (!write(nodes.either(), DefaultConsistencyLevel.ALL, statements.write())) {
                // its hint may expire with gc_grace_seconds
                isAbandoned = isPurged;
                awaitsHints = true;
                nodes.awaitHints();
            }
        }
    }

    /** Writes while the engine's node is killed. */
    void workAtStock(int count) {
        for (int i = 0; i < count; i++) {
            String statement = statements.write();
            // lightweight transactions and logged batches need both nodes
            if (!statement.contains(" IF ")) {
                String possible = statement.replace("BEGIN BATCH", "BEGIN UNLOGGED BATCH");
                write(nodes.stock(), DefaultConsistencyLevel.ONE, possible);
            }
        }
        awaitsHints = true;
    }

    private boolean write(Node coordinator, ConsistencyLevel level, String statement) {
        note(statement);
        boolean isKnown = SoakPair.write(coordinator, level, cql(statement));
        if (!isKnown) {
            note("-- timed out");
        }
        return isKnown;
    }

    /** Moves the table in or out of the engine, or between its two modes. */
    void migrate() {
        define(migration());
    }

    String migration() {
        List<String> others =
                SoakPair.MEMTABLES.stream().filter(m -> !m.equals(memtable)).toList();
        memtable = Schema.pick(others, random);
        wasStock |= memtable.equals(SoakPair.STOCK);
        return "ALTER TABLE %s WITH memtable = '" + memtable + "'";
    }

    /** Returns without waiting for the end of the migration. */
    void startMigration() {
        String statement = migration();
        note(statement + "; -- and a kill");
        nodes.stock().session().executeAsync(cql(statement));
    }

    /** Cassandra refuses to drop an indexed column. */
    void alter() {
        if (index == null) {
            define(statements.alter());
        }
    }

    void toggleIndex() throws Exception {
        if (index != null) {
            index = null;
            define("DROP INDEX ks.i" + indexes + "_" + name);
            return;
        }
        List<String> columns = schema.regular.entrySet().stream()
                .filter(column -> INDEXABLE.contains(column.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        if (!columns.isEmpty()) {
            index = Schema.pick(columns, random);
            String created = "i" + ++indexes + "_" + name;
            define("CREATE INDEX " + created + " ON %s (" + index + ")");
            for (Node node : List.of(nodes.engine(), nodes.stock())) {
                Ring.await(node, "index " + created, () -> !Ring.answer(node, built(created), 1)
                        .isEmpty());
            }
        }
    }

    private static String built(String created) {
        return "SELECT index_name FROM system.\"IndexInfo\" WHERE table_name = 'ks' AND index_name = '" + created + "'";
    }

    void flush() throws Exception {
        Node node = nodes.either();
        note("-- flush of " + (node.equals(nodes.engine()) ? "the engine" : "stock"));
        node.flush("ks", name);
    }

    void compact() throws Exception {
        note("-- compaction");
        if (!memtable.equals(SoakPair.STOCK)) {
            Ring.compact(nodes.engine(), "ks", name);
        }
        nodes.stock()
                .storage(
                        "forceKeyspaceCompaction",
                        new Object[] {false, "ks", new String[] {name}},
                        "boolean",
                        "java.lang.String",
                        "[Ljava.lang.String;");
    }

    /** Restores the engine's data from a snapshot. A repair brings it to the stock node. */
    void restore() throws Exception {
        Thread.sleep((TTL_SECONDS + 2) * 1000L);
        check();
        Node engine = nodes.engine();
        Ring.await(engine, "ingestion of " + name, () -> engine.sstables("ks", name)
                .isEmpty());
        String all = cql("SELECT * FROM %s");
        List<String> before = Ring.answer(engine, all, 5000);
        engine.storage(
                "takeSnapshot",
                new Object[] {"soak", Map.of(), new String[] {"ks." + name}},
                "java.lang.String",
                "java.util.Map",
                "[Ljava.lang.String;");
        define("TRUNCATE %s");
        check();
        engine.restore("ks", name, engine.snapshots("ks", "soak").get(0));
        note("-- restored");
        assertThat(Ring.answer(engine, all, 5000)).as(history()).isEqualTo(before);
        nodes.repair(List.of(this));
        check();
        nodes.clearSnapshots();
    }

    /** Compares all rows, all timestamps and some random reads. */
    void check() throws Exception {
        if (isAbandoned) {
            return;
        }
        compare("SELECT * FROM %s");
        if (index != null) {
            for (String value : Schema.VALUES.get(schema.regular.get(index))) {
                compare("SELECT * FROM %s WHERE " + index + " = " + value);
            }
        }
        for (int i = 0; i < 3; i++) {
            compare(statements.read());
        }
        awaitsHints = false;
    }

    private void compare(String statement) throws Exception {
        int pageSize = Schema.pick(List.of(2, 20, 5000), random);
        new SoakComparison(nodes, cql(statement), pageSize, awaitsHints).assertSame(this::history);
    }

    void drop() {
        define("DROP TABLE %s");
    }

    String history() {
        return name + ", " + memtable + ":\n" + String.join(";\n", history);
    }
}
