package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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

    /** @param memtables each for a table of its own in the same node */
    @ParameterizedTest
    @CsvSource({"rocksdb logged, true", "rocksdb, false"})
    void aKillDuringWritesFlushesAndPurgesLosesNoAcknowledgedWrite(String memtables, boolean isNative)
            throws Exception {
        String logged = "    logged: {inherits: rocksdb, parameters: {durability: wal}}";
        try (Node node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1", logged)
                .with("-Dringmaster.engine.native=" + isNative)
                .alone()
                .start()) {
            node.session()
                    .execute("CREATE KEYSPACE ks WITH replication ="
                            + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
            List<Written> tables = new ArrayList<>();
            for (String memtable : memtables.split(" ", -1)) {
                node.session()
                        .execute("CREATE TABLE ks.%1$s (k int, c int, n bigint, v text, PRIMARY KEY (k, c))"
                                .concat(" WITH memtable = '%1$s'")
                                .formatted(memtable));
                tables.add(new Written(memtable, new ConcurrentHashMap<>()));
            }
            for (int kill = 0; kill < Integer.getInteger("engine.kills", 2); kill++) {
                writeUntilKilled(node, tables, isNative);
                node.start();
                for (Written table : tables) {
                    table.assertKept(node.session());
                }
            }
        }
    }

    private record Written(String table, Map<Integer, Long> acknowledged) {
        void assertKept(CqlSession session) {
            for (Row row : session.execute("SELECT k, c, n, v FROM ks." + table)) {
                Long least = acknowledged.remove(row.getInt("k"));
                assertThat(row.getLong("n"))
                        .as("key %s of %s", row.getInt("k"), table)
                        .isGreaterThanOrEqualTo(least == null ? 0 : least);
                assertThat(row.getString("v"))
                        .as("both columns come from one write")
                        .endsWith(":" + row.getLong("n"));
            }
            assertThat(acknowledged).as("acknowledged and lost in " + table).isEmpty();
        }
    }

    private static void writeUntilKilled(Node node, List<Written> tables, boolean isNative) throws Exception {
        CqlSession session = node.session();
        AtomicBoolean isOver = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (Written table : tables) {
            PreparedStatement write =
                    session.prepare("INSERT INTO ks." + table.table() + " (k, c, n, v) VALUES (?, 0, ?, ?)");
            for (int i = 0; i < WRITERS; i++) {
                int first = i;
                threads.add(started(() -> {
                    for (long n = System.currentTimeMillis(); !isOver.get(); n++) {
                        int key = first + WRITERS * (int) (n % (KEYS / WRITERS));
                        try {
                            session.execute(write.bind(key, n, "x".repeat(2000) + ":" + n));
                            table.acknowledged().put(key, n);
                        } catch (DriverException e) {
                            return;
                        }
                    }
                }));
            }
        }
        Thread.sleep(1500);
        node.flush("ks");
        Thread.sleep(700);
        for (Written table : tables) {
            threads.add(started(() -> {
                try {
                    if (isNative) {
                        node.flush("ks", table.table());
                    }
                    while (!isNative) {
                        // merges and purges in Java
                        Ring.compact(node, "ks", table.table());
                    }
                } catch (IOException e) {
                    // expected: the node was killed meanwhile
                }
            }));
        }
        Thread.sleep(isNative ? 40 : 500);
        node.kill();
        isOver.set(true);
        for (Thread thread : threads) {
            thread.join(30_000);
        }
        assertThat(tables)
                .allSatisfy(table ->
                        assertThat(table.acknowledged()).as(table.table()).isNotEmpty());
    }

    private static Thread started(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }
}
