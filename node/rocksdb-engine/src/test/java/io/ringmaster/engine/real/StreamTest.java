package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.engine.management.EngineOperationsMBean;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Streams between two real nodes, and the removal of the temporary sstables that they leave. */
@Tag("cassandra")
@Tag("long")
@Timeout(500)
class StreamTest {
    private static final int ROWS = 400;

    @TempDir
    Path directory;

    private Node node(String name, String address) throws Exception {
        return new Node(directory.resolve(name), address, "127.7.1.1");
    }

    @Test
    void bootstrapRepairAndRestartKeepAllRowsAndResurrectNone() throws Exception {
        try (Node first = node("first", "127.7.1.1").start();
                Node second = node("second", "127.7.1.2")) {
            first.session()
                    .execute("CREATE KEYSPACE ks WITH replication ="
                            + " {'class': 'SimpleStrategy', 'replication_factor': 2}");
            first.session()
                    .execute("CREATE TABLE ks.t (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
            Ring.fill(first.session(), "ks.t", 0, ROWS);
            first.session()
                    .execute("CREATE KEYSPACE one WITH replication ="
                            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
            first.session()
                    .execute("CREATE TABLE one.u (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
            Ring.fill(first.session(), "one.u", 0, ROWS);
            first.session().execute("DELETE FROM ks.t WHERE p = 3");
            second.start();
            assertThat(Ring.count(second, "ks.t")).isEqualTo(ROWS - 4);
            cleanUp(first);
            assertThat(Ring.count(first, "one.u")).as("each row has one owner").isEqualTo(ROWS);
            // the second node misses the next writes, so that the repair streams them
            second.kill();
            Ring.fill(first.session(), "ks.t", ROWS, ROWS + 40);
            second.start();
            Ring.repair(first, "ks", Map.of());
            first.session().execute("TRUNCATE ks.t");
            // so that the first node answers without the second
            second.kill();
            first.kill();
            first.start();
            assertThat(first.sstables("ks", "t")).isEmpty();
            assertThat(Ring.count(first, "ks.t")).as("resurrected").isZero();
        }
    }

    /** Cleans up a table after the second node took over a part of it. */
    private static void cleanUp(Node node) throws Exception {
        long before = Ring.records(node, "one.u");
        node.call(
                EngineOperationsMBean.NAME,
                "cleanup",
                new Object[] {"one", "u"},
                "java.lang.String",
                "java.lang.String");
        Ring.compact(node, "one", "u");
        assertThat(Ring.records(node, "one.u")).isPositive().isLessThan(before);
        node.call(EngineOperationsMBean.NAME, "verify", new Object[0]);
    }
}
