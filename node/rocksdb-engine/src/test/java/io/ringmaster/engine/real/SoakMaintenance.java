package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.management.EngineOperationsMBean;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an operator does with a table of the soak test. */
record SoakMaintenance(SoakNodes nodes, SoakTable table) {
    void flush(Node node) throws Exception {
        table.note("-- flush of " + (node.equals(nodes.engine()) ? "the engine" : "stock"));
        node.flush(table.keyspace(), table.name());
    }

    /** Compacts the data that is in RocksDB, and the sstables on both clusters. */
    void compact() throws Exception {
        table.note("-- compaction");
        if (table.memtable().isInRocksDb()) {
            Ring.compact(nodes.engine(), table.keyspace(), table.name());
        }
        for (Node node : List.of(nodes.engine(), nodes.stock())) {
            node.storage(
                    "forceKeyspaceCompaction",
                    new Object[] {false, table.keyspace(), new String[] {table.name()}},
                    "boolean",
                    "java.lang.String",
                    "[Ljava.lang.String;");
        }
    }

    void cleanup() throws Exception {
        if (table.memtable().isInRocksDb()) {
            table.note("-- cleanup");
            nodes.engine()
                    .call(
                            EngineOperationsMBean.NAME,
                            "cleanup",
                            new Object[] {table.keyspace(), table.name()},
                            "java.lang.String",
                            "java.lang.String");
        }
    }

    void rebuildIndex() throws Exception {
        Optional<String> index = table.index().name();
        if (index.isPresent()) {
            table.note("-- rebuild of the index");
            nodes.engine()
                    .storage(
                            "rebuildSecondaryIndex",
                            new Object[] {table.keyspace(), table.name(), new String[] {index.get()}},
                            "java.lang.String",
                            "java.lang.String",
                            "[Ljava.lang.String;");
            table.index().awaitBuild();
        }
    }

    /** The stock table stays as it is: what was truncated is restored. */
    void truncateAndRestore(String snapshot) throws Exception {
        table.note("-- truncation and restore");
        String name = table.qualified();
        Node engine = nodes.engine();
        engine.storage(
                "takeSnapshot",
                new Object[] {snapshot, Map.of(), new String[] {name}},
                "java.lang.String",
                "java.util.Map",
                "[Ljava.lang.String;");
        List<Path> copies = engine.snapshots(table.keyspace(), snapshot);
        if (copies.isEmpty()) {
            // nothing is in RocksDB: the table is empty, or its data are sstables, as after a change of its mode
            boolean isEmpty = SoakNodes.repeat(engine, "SELECT * FROM " + name).isEmpty();
            assertThat(isEmpty
                            || !engine.ofSnapshots(table.keyspace(), snapshot, "*-Data.db")
                                    .isEmpty())
                    .as("no sstable in the snapshot of %s", table.history())
                    .isTrue();
            return;
        }
        assertThat(SoakNodes.repeat(engine, "TRUNCATE " + name)).isEmpty();
        assertThat(SoakNodes.repeat(engine, "SELECT * FROM " + name)).isEmpty();
        engine.restore(table.keyspace(), table.name(), copies.get(0));
        table.check();
    }
}
