package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Torn and damaged files of RocksDB, and a full disk. */
@Tag("cassandra")
@Timeout(600)
class DamageTest {
    private static final int ROWS = 2000;
    private static final String LOGGED = "    logged: {inherits: rocksdb, parameters: {durability: wal}}";

    @TempDir
    Path directory;

    private Node node;

    @BeforeEach
    void setUp() throws IOException {
        node = new Node(directory.resolve("node"), "127.7.1.1", "127.7.1.1", LOGGED).alone();
    }

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void readsOfADamagedFileFailInsteadOfReturningWrongRows() throws Exception {
        create("rocksdb");
        for (int k = 0; k < ROWS; k++) {
            insert(k);
        }
        node.flush("ks");
        node.kill();
        damage(largest(".sst"));
        node.start();
        int refused = 0;
        for (int k = 0; k < ROWS; k++) {
            try {
                Row row = node.session()
                        .execute("SELECT v FROM ks.t WHERE k = " + k)
                        .one();
                assertThat(row).as("row %s", k).isNotNull();
                assertThat(row.getString("v")).isEqualTo(value(k));
            } catch (DriverException e) {
                refused++;
            }
        }
        assertThat(refused).isBetween(1, ROWS - 1);
        assertThat(node.logged())
                .contains("RocksDB cannot read: block checksum mismatch")
                .contains("CorruptSSTableException")
                .contains(rocksdb().toString());
    }

    @Test
    void aTornEndOfTheLogLosesOnlyTheLastWrite() throws Exception {
        create("logged");
        for (int k = 0; k < 200; k++) {
            insert(k);
        }
        node.kill();
        Path log = largest(".log");
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength(file.length() - 10);
        }
        node.start();
        Map<Integer, String> found = rows();
        assertThat(found).hasSize(199).doesNotContainKey(199);
        found.forEach((k, v) -> assertThat(v).isEqualTo(value(k)));
    }

    @Test
    void aNodeDoesNotStartIfItsLogIsDamagedBeforeTheEnd() throws Exception {
        create("logged");
        for (int k = 0; k < 200; k++) {
            insert(k);
        }
        node.kill();
        damage(largest(".log"));
        assertThatThrownBy(() -> node.start())
                .hasMessageContaining("the node ended while it started")
                .hasMessageContaining("RocksDB cannot read")
                .hasMessageContaining(rocksdb().toString());
    }

    @Test
    void aFullDiskStopsTheNodeAndLosesNothing() throws Exception {
        Path disk = Files.createDirectories(directory.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk.toString()) == 0, "mount is not permitted");
        try {
            Files.createSymbolicLink(rocksdb(), disk);
            create("rocksdb");
            Set<Integer> acknowledged = writeUntilFull();
            assertThat(node.logged()).contains("No space left on device");
            node.kill();
            assertThat(run("mount", "-o", "remount,size=400m", disk.toString())).isZero();
            node.start();
            Map<Integer, String> found = rows();
            assertThat(acknowledged).isNotEmpty().allSatisfy(k -> assertThat(found)
                    .containsEntry(k, value(k)));
        } finally {
            node.close();
            run("umount", "-l", disk.toString());
        }
    }

    private void create(String memtable) throws Exception {
        node.start();
        node.session()
                .execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        node.session().execute("CREATE TABLE ks.t (k int PRIMARY KEY, v text) WITH memtable = '" + memtable + "'");
    }

    private void insert(int k) {
        node.session().execute("INSERT INTO ks.t (k, v) VALUES (" + k + ", '" + value(k) + "')");
    }

    /** Hard to compress, so that files are as large as the written data. */
    private static String value(int k) {
        Random random = new Random(k);
        StringBuilder text = new StringBuilder();
        while (text.length() < 2000) {
            text.append(Long.toString(random.nextLong(), 36));
        }
        return text.toString();
    }

    /** Returns the acknowledged rows. A write that fails before the disk is full was only slow: the machine is busy. */
    private Set<Integer> writeUntilFull() throws IOException, InterruptedException {
        PreparedStatement write = node.session().prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)");
        Set<Integer> acknowledged = new HashSet<>();
        for (int k = 0; k < 50_000; k++) {
            try {
                node.session().execute(write.bind(k, value(k)));
                acknowledged.add(k);
            } catch (DriverException e) {
                if (node.logged().contains("RocksDB cannot write")) {
                    return acknowledged;
                }
                Thread.sleep(100);
            }
        }
        throw new AssertionError("no write failed on a full disk:\n" + node.tail());
    }

    private Map<Integer, String> rows() {
        Map<Integer, String> rows = new HashMap<>();
        for (Row row : node.session().execute("SELECT k, v FROM ks.t")) {
            rows.put(row.getInt("k"), row.getString("v"));
        }
        return rows;
    }

    private Path rocksdb() {
        return node.directory().resolve("rocksdb");
    }

    private Path largest(String ending) throws IOException {
        try (Stream<Path> files = Files.walk(rocksdb())) {
            return files.filter(f -> f.toString().endsWith(ending))
                    .max(Comparator.comparingLong(f -> f.toFile().length()))
                    .orElseThrow();
        }
    }

    private static void damage(Path path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(file.length() / 2);
            byte[] noise = new byte[64];
            new Random(1).nextBytes(noise);
            file.write(noise);
        }
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
