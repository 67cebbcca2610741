package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import io.ringmaster.engine.operate.OperationsMBean;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two real nodes: what one has goes to the other, and what was written on the way does not come back. */
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

    private static void fill(CqlSession session, String table, int from, int to) {
        PreparedStatement insert = session.prepare("INSERT INTO " + table + " (p, c, v) VALUES (?, ?, ?)");
        for (int i = from; i < to; i++) {
            session.execute(insert.bind(i / 4, i % 4, "v" + i));
        }
    }

    private static long count(Node node, String table) {
        return node.session().execute("SELECT count(*) FROM " + table).one().getLong(0);
    }

    @Test
    void aNodeThatJoinsRepairsAndRestartsHasAllDataAndNoneThatWasDeleted() throws Exception {
        try (Node first = node("first", "127.7.1.1").start();
                Node second = node("second", "127.7.1.2")) {
            first.session()
                    .execute(
                            "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
            first.session()
                    .execute("CREATE TABLE ks.t (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
            fill(first.session(), "ks.t", 0, ROWS);
            first.session()
                    .execute(
                            "CREATE KEYSPACE one WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            first.session()
                    .execute("CREATE TABLE one.u (p int, c int, v text, PRIMARY KEY (p, c)) WITH memtable = 'rocksdb'");
            fill(first.session(), "one.u", 0, ROWS);
            first.session().execute("DELETE FROM ks.t WHERE p = 3");
            second.start();
            assertThat(count(second, "ks.t")).isEqualTo(ROWS - 4);
            cleanUp(first);
            assertThat(count(first, "one.u")).as("each row has one owner").isEqualTo(ROWS);
            // what it was sent is its own: it answers alone
            second.kill();
            fill(first.session(), "ks.t", ROWS, ROWS + 40);
            second.start();
            first.storage(
                    "repairAsync",
                    new Object[] {"ks", Map.of("incremental", "false", "parallelism", "parallel")},
                    "java.lang.String",
                    "java.util.Map");
            awaitRepair(first);
            assertThat(first.sstables("ks", "t"))
                    .as("written for the stream and the repair, and left behind")
                    .isNotEmpty();

            first.session().execute("TRUNCATE ks.t");
            // so that the first must answer itself
            second.kill();
            first.kill();
            first.start();
            assertThat(first.logged()).contains("which was written for a stream or a validation");
            assertThat(first.sstables("ks", "t")).isEmpty();
            assertThat(count(first, "ks.t")).as("resurrected").isZero();
        }
    }

    /** Of a table of which the other node owns a part now. */
    private static void cleanUp(Node node) throws Exception {
        long before = records(node, "one.u");
        node.call(OperationsMBean.NAME, "cleanup", new Object[] {"one", "u"}, "java.lang.String", "java.lang.String");
        node.call(OperationsMBean.NAME, "compact", new Object[] {"one", "u"}, "java.lang.String", "java.lang.String");
        assertThat(records(node, "one.u")).isPositive().isLessThan(before);
        node.call(OperationsMBean.NAME, "verify", new Object[0]);
    }

    private static long records(Node node, String table) throws Exception {
        Map<?, ?> tables = (Map<?, ?>) Objects.requireNonNull(node.attribute(OperationsMBean.NAME, "Tables"));
        return (Long) ((Map<?, ?>) Objects.requireNonNull(tables.get(table))).get("records");
    }

    private static void awaitRepair(Node node) throws Exception {
        long deadline = System.nanoTime() + 90_000_000_000L;
        while (System.nanoTime() < deadline) {
            if (node.logged().contains("Repair command #1 finished")) {
                return;
            }
            Thread.sleep(300);
        }
        throw new AssertionError("the repair did not end:\n" + node.tail());
    }
}
