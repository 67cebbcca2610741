package io.ringmaster.engine.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random statements, repairs, snapshots, migrations and kills on up to 100 random tables, sent to a cluster with the
 * engine and to a stock node. Each result must be the same, and neither disk nor memory may grow from round to round.
 * The second half has no kills of the engine's node, because a restart would hide a leak of memory.
 *
 * <p>{@code -D hours=8} runs longer than ten minutes, {@code -D engine.seed=N} repeats the random choices of a run.
 */
@Tag("cassandra")
@Tag("long")
@Timeout(value = 30, unit = TimeUnit.DAYS)
class EngineSoakTest {
    private static final long MEBIBYTE = 1 << 20;
    private static final Duration ROUND = Duration.ofSeconds(150);
    private static final int LEAST_ROUNDS = 4;
    private static final int MOST_TABLES = 100;
    private static final int MOST_TABLES_OF_KILLS = 30;

    /** Less than a table of large rows that stays in each of the default's rounds; more than RocksDB's own logs. */
    private static final long DISK_ALLOWANCE = 64 * MEBIBYTE;

    private static final long MEMORY_ALLOWANCE = 48 * MEBIBYTE;

    /** Of 100 tables, those with a statement that cannot be sent again and timed out. */
    private static final int ABANDONED_PERCENT = 5;

    @TempDir
    Path directory;

    private long disk;
    private long memory;

    @Test
    void aClusterWithTheEngineAnswersAsAStockNodeAndItsDiskAndMemoryStayFlat() throws Exception {
        String hours = System.getProperty("hours");
        Duration length = hours == null ? ROUND.multipliedBy(LEAST_ROUNDS) : minutes(Double.parseDouble(hours) * 60);
        long seed = Long.getLong("engine.seed", hours == null ? 1 : System.currentTimeMillis());
        System.out.println("engine.seed=" + seed + " for " + length.toMinutes() + " minutes");
        int rounds = Math.max(LEAST_ROUNDS, (int) length.dividedBy(ROUND));
        try (SoakNodes nodes = new SoakNodes(directory).start()) {
            int tables = 0;
            int abandoned = 0;
            for (int round = 0; round < rounds; round++) {
                boolean kills = round < rounds / 2;
                // depends on the number of the round only, and not on how many turns the rounds before had
                Random random = new Random(seed * 1_000_003 + round);
                if (round == rounds / 2) {
                    nodes.restartEngine();
                }
                // the first round without a kill has the most tables, so that later ones need no more memory
                int count = round == rounds / 2
                        ? MOST_TABLES
                        : 1 + random.nextInt(kills ? MOST_TABLES_OF_KILLS : MOST_TABLES);
                System.out.printf("round %d of %d: tables=%d kills=%s%n", round + 1, rounds, count, kills);
                abandoned += new SoakRound(nodes, random, round, kills).run(count, length.dividedBy(rounds));
                tables += count;
                assertFlat(nodes.engine(), round, rounds);
            }
            System.out.println("tables=" + tables + " abandoned=" + abandoned);
            assertThat(abandoned).isLessThanOrEqualTo(1 + tables * ABANDONED_PERCENT / 100);
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

    /** Without the commit log, which Cassandra limits. */
    private static long diskBytes(Node engine) throws IOException {
        AtomicLong bytes = new AtomicLong();
        for (String folder : List.of("data", "rocksdb")) {
            Files.walkFileTree(engine.directory().resolve(folder), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    bytes.addAndGet(attributes.size());
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException failure) {
                    // deleted meanwhile
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return bytes.get();
    }
}
