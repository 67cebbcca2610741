package io.ringmaster.engine.real;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A table of large rows, so that there are flushes and compactions. */
record SoakBulk(SoakNodes nodes, String table, Random random) {
    private static final int MOST_PARTITIONS = 40;
    private static final int ROWS_EACH = 20;

    void create() throws Exception {
        for (Node node : new Node[] {nodes.engine(), nodes.stock()}) {
            String memtable = node.equals(nodes.engine()) ? "rocksdb" : SoakMemtable.STOCK;
            SoakNodes.repeat(
                    node,
                    "CREATE TABLE IF NOT EXISTS " + table
                            + " (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = '" + memtable + "'");
        }
    }

    /** Writes the same rows on both clusters; each write repeats until it is acknowledged. */
    void write() throws IOException, InterruptedException {
        long seed = random.nextLong();
        int partitions = 1 + random.nextInt(MOST_PARTITIONS);
        for (Node node : new Node[] {nodes.engine(), nodes.stock()}) {
            Random values = new Random(seed);
            for (int p = 0; p < partitions; p++) {
                List<String> inserts = new ArrayList<>();
                for (int c = 0; c < ROWS_EACH; c++) {
                    inserts.add("INSERT INTO " + table + " (p, c, v) VALUES (" + p + ", " + c + ", '"
                            + incompressible(values) + "')");
                }
                SoakNodes.repeat(node, "BEGIN UNLOGGED BATCH " + String.join("; ", inserts) + "; APPLY BATCH");
            }
        }
    }

    private static String incompressible(Random random) {
        StringBuilder value = new StringBuilder();
        while (value.length() < 2000) {
            value.append(Long.toString(random.nextLong(), 36));
        }
        return value.toString();
    }

    void check() throws InterruptedException {
        new SoakComparison(nodes.engine(), nodes.stock(), "SELECT * FROM " + table, 100)
                .assertSame(() -> "writes of large rows");
    }

    void drop() throws Exception {
        for (Node node : new Node[] {nodes.engine(), nodes.stock()}) {
            SoakNodes.repeat(node, "DROP TABLE IF EXISTS " + table);
        }
    }
}
