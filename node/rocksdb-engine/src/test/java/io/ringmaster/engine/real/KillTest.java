package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.ringmaster.engine.management.EngineOperationsMBean;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kills a node under load. {@code -Dengine.kills=20} sets the number of kills in each mode. */
@Tag("cassandra")
@Timeout(900)
class KillTest {
    private static final int WRITERS = 4;
    private static final int KEYS = 500;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"rocksdb, true", "logged, true", "rocksdb, false"})
    void aKillDuringWritesFlushesAndPurgesLosesNoAcknowledgedWrite(String memtable, boolean isNative) throws Exception {
        String logged = "    logged: {inherits: rocksdb, parameters: {durability: wal}}";
        try (Node node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1", logged)
                .with("-Dringmaster.engine.native=" + isNative)
                .start()) {
            node.session()
                    .execute("CREATE KEYSPACE ks WITH replication ="
                            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
            node.session()
                    .execute("CREATE TABLE ks.t (k int, c int, n bigint, v text, PRIMARY KEY (k, c)) WITH memtable = '"
                            + memtable + "'");
            Map<Integer, Long> acknowledged = new ConcurrentHashMap<>();
            for (int kill = 0; kill < Integer.getInteger("engine.kills", 2); kill++) {
                writeUntilKilled(node, acknowledged, isNative);
                node.start();
                for (Row row : node.session().execute("SELECT k, c, n, v FROM ks.t")) {
                    Long least = acknowledged.remove(row.getInt("k"));
                    assertThat(row.getLong("n"))
                            .as("key %s", row.getInt("k"))
                            .isGreaterThanOrEqualTo(least == null ? 0 : least);
                    assertThat(row.getString("v"))
                            .as("both columns come from one write")
                            .endsWith(":" + row.getLong("n"));
                }
                assertThat(acknowledged).as("acknowledged and lost").isEmpty();
            }
        }
    }

    private static void writeUntilKilled(Node node, Map<Integer, Long> acknowledged, boolean isNative)
            throws Exception {
        CqlSession session = node.session();
        PreparedStatement write = session.prepare("INSERT INTO ks.t (k, c, n, v) VALUES (?, 0, ?, ?)");
        AtomicBoolean isOver = new AtomicBoolean();
        Thread[] writers = new Thread[WRITERS];
        for (int i = 0; i < WRITERS; i++) {
            int first = i;
            writers[i] = new Thread(() -> {
                for (long n = System.currentTimeMillis(); !isOver.get(); n++) {
                    int key = first + WRITERS * (int) (n % (KEYS / WRITERS));
                    try {
                        session.execute(write.bind(key, n, "x".repeat(2000) + ":" + n));
                        acknowledged.put(key, n);
                    } catch (DriverException e) {
                        return;
                    }
                }
            });
            writers[i].start();
        }
        Thread.sleep(1500);
        node.flush("ks");
        Thread.sleep(700);
        Thread work = new Thread(() -> {
            try {
                if (isNative) {
                    node.flush("ks");
                }
                while (!isNative) {
                    compact(node);
                }
            } catch (IOException e) {
                // expected: the node was killed meanwhile
            }
        });
        work.start();
        Thread.sleep(isNative ? 40 : 500);
        node.kill();
        isOver.set(true);
        for (Thread writer : writers) {
            writer.join(30_000);
        }
        work.join(30_000);
        assertThat(acknowledged).isNotEmpty();
    }

    /** Without the native library this merges and purges in Java. */
    private static void compact(Node node) throws IOException {
        node.call(
                EngineOperationsMBean.NAME,
                "compact",
                new Object[] {"ks", "t"},
                "java.lang.String",
                "java.lang.String");
    }
}
