package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Builds of indexes and views of a table with much data in RocksDB, on one real node. */
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
class BuildCopiesTest {
    private static final int ROWS = 30_000;
    private static final int MAX_REQUESTS = 64;

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void start() throws Exception {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1")
                .alone()
                .start();
        cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        cql("CREATE TABLE ks.other (k int PRIMARY KEY)");
        cql("CREATE TABLE ks.t (k int PRIMARY KEY, v int, w text) WITH memtable = 'rocksdb'");
        PreparedStatement insert = node.session().prepare("INSERT INTO ks.t (k, v, w) VALUES (?, ?, ?)");
        Queue<CompletionStage<AsyncResultSet>> requests = new ArrayDeque<>();
        for (int k = 0; k < ROWS; k++) {
            requests.add(node.session().executeAsync(insert.bind(k, k, "w".repeat(10_000))));
            if (requests.size() == MAX_REQUESTS) {
                requests.remove().toCompletableFuture().get();
            }
        }
        for (CompletionStage<AsyncResultSet> request : requests) {
            request.toCompletableFuture().get();
        }
    }

    @AfterEach
    void end() {
        node.close();
    }

    private List<Row> cql(String statement) {
        return node.session().execute(statement).all();
    }

    /** Counts in small pages: 5000 rows of this table at once take long to read in a small heap. */
    private int rows() {
        int rows = 0;
        for (Row unused : node.session()
                .execute(SimpleStatement.newInstance("SELECT k FROM ks.t").setPageSize(500))) {
            rows++;
        }
        return rows;
    }

    @Test
    void aBuildDoesNotDelayTheFlushesOfOtherTables() throws Exception {
        String copyStarts = "Writing RocksDBMemtable(ks/t-";
        cql("INSERT INTO ks.other (k) VALUES (1)");
        cql("CREATE INDEX by_v ON ks.t (v)");
        while (!node.logged().contains(copyStarts)) {
            Thread.sleep(5);
        }
        node.flush("ks", "other");
        assertThat(node.sstables("ks", "other")).isNotEmpty();
        String logged = node.logged();
        assertThat(logged.substring(logged.indexOf(copyStarts)).lines())
                .as("sstables that were complete before the flush of another table")
                .noneMatch(line -> line.contains("Completed flushing") && line.contains("/ks/t-"));

        cql("INSERT INTO ks.t (k, v) VALUES (-1, -1)");
        Ring.await(
                node,
                "the index",
                () -> !cql("SELECT * FROM system.\"IndexInfo\" WHERE table_name = 'ks' AND index_name = 'by_v'")
                        .isEmpty());
        for (int k : new int[] {-1, 0, 1, ROWS / 2, ROWS - 1}) {
            assertThat(cql("SELECT k FROM ks.t WHERE v = " + k)).hasSize(1);
        }
        Ring.await(node, "the end of the copies", () -> node.sstables("ks", "t").isEmpty());
        assertThat(node.logged()).doesNotContain("ingested ");
        assertThat(rows()).isEqualTo(ROWS + 1);

        cql("CREATE MATERIALIZED VIEW ks.by_v_view AS SELECT k, v FROM ks.t WHERE k IS NOT NULL AND v IS NOT NULL"
                + " PRIMARY KEY (v, k)");
        Ring.await(node, "the whole view", () -> Ring.count(node, "ks.by_v_view") == ROWS + 1);
        node.kill();
        node.start();
        assertThat(node.sstables("ks", "t")).isEmpty();
        assertThat(rows()).isEqualTo(ROWS + 1);
        assertThat(cql("SELECT k FROM ks.t WHERE v = 77")).hasSize(1);
    }
}
