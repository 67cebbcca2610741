package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Decommission, replacement and a second datacenter, with a table in RocksDB. */
@Tag("cassandra")
@Tag("long")
@Timeout(500)
class ClusterTest {
    private static final int ROWS = 400;

    @TempDir
    Path directory;

    private Node node(String name, String address) throws Exception {
        return new Node(directory.resolve(name), address, "127.7.1.1");
    }

    private static void createKeyspace(Node node, String replication) {
        node.session().execute("CREATE KEYSPACE ks WITH replication = " + replication);
        Ring.create(node, "ks.t", "rocksdb");
    }

    /** Writes rows and deletions, and flushes the first half. */
    private static List<String> fill(Node node) throws Exception {
        Ring.fill(node.session(), "ks.t", 0, ROWS / 2);
        node.flush("ks");
        Ring.fill(node.session(), "ks.t", ROWS / 2, ROWS);
        node.session().execute("DELETE FROM ks.t WHERE p = 3");
        node.session().execute("DELETE FROM ks.t WHERE p = 60 AND c > 1");
        node.session().execute("INSERT INTO ks.t (p, c, v) VALUES (3, 0, 'again')");
        List<String> filled = Ring.contents(node, "ks.t");
        assertThat(filled).hasSize(ROWS - 4 - 2 + 1);
        return filled;
    }

    @Test
    void aDecommissionedNodeStreamsItsRowsToTheOther() throws Exception {
        try (Node first = node("first", "127.7.1.1").start();
                Node second = node("second", "127.7.1.2").start()) {
            createKeyspace(first, "{'class': 'SimpleStrategy', 'replication_factor': 1}");
            List<String> filled = fill(first);
            assertThat(Ring.records(second, "ks.t")).as("not all on the first").isPositive();
            second.storage("decommission", new Object[] {true}, "boolean");
            second.kill();
            assertThat(Ring.contents(first, "ks.t")).isEqualTo(filled);
            Ring.await(first, "the ingestion of sstables", () -> first.sstables("ks", "t")
                    .isEmpty());
            assertThat(Ring.contents(first, "ks.t")).isEqualTo(filled);
            first.kill();
            first.start();
            assertThat(Ring.contents(first, "ks.t")).isEqualTo(filled);
        }
    }

    @Test
    void theReplacementOfADeadNodeHasItsRows() throws Exception {
        try (Node first = node("first", "127.7.1.1").start();
                Node second = node("second", "127.7.1.2").start();
                Node third = node("third", "127.7.1.3")) {
            createKeyspace(first, "{'class': 'SimpleStrategy', 'replication_factor': 2}");
            List<String> filled = fill(first);
            second.kill();
            Ring.awaitDown(first, "127.7.1.2");
            third.with("-Dcassandra.replace_address_first_boot=127.7.1.2", "-Dcassandra.broadcast_interval_ms=10000")
                    .start();
            first.kill();
            assertThat(Ring.contents(third, "ks.t")).isEqualTo(filled);
        }
    }

    @Test
    void aSecondDatacenterIsRebuiltFromTheFirst() throws Exception {
        try (Node first = node("first", "127.7.1.1").start();
                Node second = node("second", "127.7.1.2")) {
            createKeyspace(first, "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}");
            List<String> filled = fill(first);
            second.in("datacenter2").with("-Dcassandra.auto_bootstrap=false").start();
            first.session()
                    .execute("ALTER KEYSPACE ks WITH replication ="
                            + " {'class': 'NetworkTopologyStrategy', 'datacenter1': 1, 'datacenter2': 1}");
            second.storage("rebuild", new Object[] {"datacenter1"}, "java.lang.String");
            first.kill();
            assertThat(Ring.contents(second, "ks.t")).isEqualTo(filled);
        }
    }
}
