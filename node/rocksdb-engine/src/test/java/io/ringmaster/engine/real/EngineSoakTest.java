package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random statements, repairs, snapshots, migrations and kills on up to 100 random tables, one replica of each in
 * RocksDB and one in stock storage. Each result must be the same, and neither disk nor memory may grow from round to
 * round. The second half has no kills, because a restart would hide a leak of memory.
 *
 * <p>{@code -Dhours=8} runs longer than ten minutes, {@code -Dengine.seed=N} repeats the random choices of a run.
 */
@Tag("cassandra")
@Tag("long")
@Timeout(value = 30, unit = TimeUnit.DAYS)
class EngineSoakTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final Duration ROUND = Duration.ofSeconds(150);
    private static final int LEAST_ROUNDS = 4;
    private static final int MOST_TABLES = 100;

    /** Less than a table that stays in each of the default's rounds, and more than RocksDB's write-ahead logs. */
    private static final long DISK_ALLOWANCE = 64 * MEBIBYTE;

    private static final long MEMORY_ALLOWANCE = 48 * MEBIBYTE;

    @TempDir
    Path directory;

    private long disk;
    private long memory;

    @Test
    void aReplicaInRocksDbReadsAsAStockReplicaAndItsDiskAndMemoryStayFlat() throws Exception {
        String hours = System.getProperty("hours");
        Duration length = hours == null ? ROUND.multipliedBy(LEAST_ROUNDS) : minutes(Double.parseDouble(hours) * 60);
        long seed = Long.getLong("engine.seed", hours == null ? 1 : System.currentTimeMillis());
        System.out.println("engine.seed=" + seed + " for " + length.toMinutes() + " minutes");
        Random random = new Random(seed);
        try (SoakPair nodes = new SoakPair(directory, random).start()) {
            int rounds = Math.max(LEAST_ROUNDS, (int) length.dividedBy(ROUND));
            for (int round = 0; round < rounds; round++) {
                if (round == rounds / 2) {
                    nodes.restartEngine();
                }
                // the first round without a kill has the most tables, so that later ones need no more memory
                int tables =
                        round == rounds / 2 ? MOST_TABLES : 1 + random.nextInt(round < rounds / 2 ? 30 : MOST_TABLES);
                new SoakRound(nodes, random, round, round < rounds / 2).run(tables, length.dividedBy(rounds));
                assertFlat(nodes.engine(), round, rounds);
            }
        } catch (Exception | AssertionError e) {
            throw new AssertionError("engine.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    private static Duration minutes(double minutes) {
        return Duration.ofSeconds(Math.round(minutes * 60));
    }

    /** Compares with the first round, and memory with the first one after the last restart. */
    private void assertFlat(Node engine, int round, int rounds) throws Exception {
        System.out.printf(
                "round %d of %d: anonymous_bytes=%d disk_bytes=%d%n",
                round + 1, rounds, engine.anonymousBytes(), diskBytes(engine));
        if (round == 0) {
            disk = diskBytes(engine);
        }
        if (round == rounds / 2) {
            memory = engine.anonymousBytes();
        }
        Ring.await(
                engine,
                "disk as small as after the first round, " + disk + " bytes",
                () -> diskBytes(engine) < disk + DISK_ALLOWANCE);
        if (round > rounds / 2) {
            assertThat(engine.anonymousBytes()).as("memory").isLessThan(memory + MEMORY_ALLOWANCE);
        }
    }

    /** Without the commit log, which Cassandra limits, and without the node's own log. */
    private static long diskBytes(Node engine) throws IOException {
        AtomicLong bytes = new AtomicLong();
        Files.walkFileTree(engine.directory(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.endsWith("commitlog") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (!file.getFileName().toString().startsWith("log-")) {
                    bytes.addAndGet(attributes.size());
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                // deleted meanwhile
                return FileVisitResult.CONTINUE;
            }
        });
        return bytes.get();
    }
}
