package io.ringmaster.store.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.AuditRecord;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.StoredRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
class StoreCrashTest {
    private static final int KILLS = 3;

    @TempDir
    Path directory;

    /** @param changes the number of records in a commit: two fit into one transaction, 3,000 do not */
    @ParameterizedTest
    @ValueSource(ints = {2, 3_000})
    void a_server_killed_between_commits_loses_nothing_acknowledged_and_leaves_no_half_commit(int changes)
            throws Exception {
        Random random = new Random(changes);
        long acknowledged = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            acknowledged = runAndKill(acknowledged + 1, changes, 1 + random.nextInt(changes > 100 ? 3 : 60));
            Collection<StoredRecord> records = load();
            Set<Long> audited = numbers(records);
            for (long number = 1; number <= acknowledged; number++) {
                assertThat(audited).contains(number);
            }
            long newest = audited.stream().mapToLong(n -> n).max().orElseThrow();
            assertThat(newest).as("at most the commit in flight is newer").isBetween(acknowledged, acknowledged + 1);
            assertThat(versions(records)).containsExactly(newest);
            acknowledged = newest;
        }
    }

    private static Set<Long> numbers(Collection<StoredRecord> records) {
        return records.stream()
                .filter(AuditRecord.class::isInstance)
                .map(r -> ((AuditRecord) r).number())
                .collect(Collectors.toSet());
    }

    private static Set<Long> versions(Collection<StoredRecord> records) {
        return records.stream()
                .filter(ClusterRecord.class::isInstance)
                .map(r -> ((ClusterRecord) r).targetSpecVersion())
                .collect(Collectors.toSet());
    }

    /** @return the number of the last commit that was acknowledged before the kill */
    private long runAndKill(long first, int changes, int commits) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoreProcess.class.getName(),
                        directory.resolve("zookeeper").toString(),
                        Long.toString(first),
                        Integer.toString(changes))
                .redirectErrorStream(true)
                .start();
        long last = first - 1;
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            int seen = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(StoreProcess.ACKNOWLEDGED)) {
                    last = Long.parseLong(line.substring(StoreProcess.ACKNOWLEDGED.length()));
                    if (++seen == commits) {
                        // Not by Process.destroyForcibly: that closes the output, and its last lines count too.
                        assertThat(process.toHandle().destroyForcibly()).isTrue();
                    }
                }
            }
            assertThat(seen).as("commits before the kill").isGreaterThanOrEqualTo(commits);
            return last;
        } finally {
            process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
        }
    }

    private Collection<StoredRecord> load() throws IOException {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0);
                ZooKeeperSession session = ZooKeeperSession.connect(server, new DatacenterName("dc1"));
                ZooKeeperStore store = new ZooKeeperStore(session)) {
            return store.load();
        }
    }
}
