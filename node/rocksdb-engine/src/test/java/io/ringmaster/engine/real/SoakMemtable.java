package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;

/** Where a random table of the soak test is on the engine's node, and its migrations. */
final class SoakMemtable {
    static final String STOCK = "trie";

    /** On the engine's node all but the stock one are in RocksDB; on the replica the second is stock storage, too. */
    private static final List<String> ALL = List.of("rocksdb", "logged", STOCK);

    private final SoakNodes nodes;
    private final SoakTable table;
    private final List<String> choices;
    private String name;
    private boolean wasExported;

    /** @param mayBeStock whether the table may be in stock storage */
    SoakMemtable(SoakNodes nodes, SoakTable table, boolean mayBeStock, Random random) {
        this.nodes = nodes;
        this.table = table;
        choices = ALL.stream().filter(m -> mayBeStock || !m.equals(STOCK)).toList();
        name = Schema.pick(choices, random);
    }

    String name() {
        return name;
    }

    boolean isInRocksDb() {
        return !name.equals(STOCK);
    }

    boolean wasExported() {
        return wasExported;
    }

    private String alter() {
        return "ALTER TABLE " + table.qualified() + " WITH memtable = '" + name + "'";
    }

    /** Moves the table in or out of the engine, or between its two modes. */
    void migrate(Random random) throws Exception {
        name = Schema.pick(choices.stream().filter(m -> !m.equals(name)).toList(), random);
        migrate();
    }

    private void migrate() throws Exception {
        wasExported |= !isInRocksDb();
        table.note("-- " + alter());
        assertThat(SoakNodes.repeat(nodes.engine(), alter())).isEmpty();
    }

    /** Returns without waiting for the end of the migration. */
    void startToMoveOut() {
        name = STOCK;
        table.note("-- a kill after the start of " + alter());
        nodes.engine().session().executeAsync(alter());
    }

    void resumeToMoveOut() throws Exception {
        migrate();
    }
}
