package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What many tables cost in each preset: 500 tables with a row each, in few and in many keyspaces, a hundred of them
 * with an index. The times are printed; the figures of docs/operations-measurements.md are from here.
 */
@RealNodes(preset = Preset.DEVELOPMENT, tls = false, roles = false, why = "both presets, by a spec of its own")
@Tag("cassandra")
@Tag("long")
@Timeout(2400)
class ManyTablesTest {
    private static final Duration SOON = Duration.ofMinutes(15);
    private static final int TABLES = 500;

    private Playground playground = Playground.attached();

    @AfterEach
    void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "development, 100, '{cpus: 1, memory: 1GiB, heap: 448MiB, disk: 4GiB}'",
        "production, 10, '{cpus: 1, memory: 1536MiB, heap: 768MiB, disk: 4GiB}'"
    })
    void a_cluster_with_many_tables_does_all_that_one_with_few_does(String preset, int keyspaces, String node)
            throws IOException {
        playground = Playground.up("--datacenters", "1", "--nodes", "2", "--spare-machines", "1");
        apply(preset, node, 2);
        ClusterStatus status = playground.whole(2, SOON);
        time(preset, keyspaces, "create", () -> create(status, keyspaces));
        time(preset, keyspaces, "status", () -> playground.run("cluster", "status", "rides"));
        time(preset, keyspaces, "restart", () -> playground.run("cluster", "restart", "rides", "--yes", "--wait"));
        time(
                preset,
                keyspaces,
                "backup",
                () -> playground.run("backup", "create", "rides", "--to", "local", "--yes", "--wait"));
        time(preset, keyspaces, "repair", () -> playground.run("repair", "start", "rides", "--yes", "--wait"));
        time(preset, keyspaces, "join", () -> apply(preset, node, 3));
        assertEveryRow(playground.whole(3, SOON), keyspaces);
        assertThat(heapDumps()).isEmpty();
    }

    @Test
    void a_heap_that_the_tables_do_not_fit_is_named_and_one_dump_stays() throws IOException {
        playground = Playground.up("--datacenters", "1", "--nodes", "1");
        apply("development", "{cpus: 1, memory: 512MiB, heap: 96MiB, disk: 4GiB}", 1);
        ClusterStatus status = playground.whole(1, SOON);
        Thread tables = new Thread(() -> createUntilItEnds(status), "tables");
        tables.start();
        try {
            NodeState ended = Patience.until(
                    "the daemon to end for lack of memory",
                    SOON,
                    () -> playground.status().datacenters().get(0).nodes().get(0),
                    node -> node.problem() != null && node.problem().message().contains("OutOfMemoryError"));
            assertThat(ended.problem().field()).isEqualTo("heap");
            assertThat(ended.problem().message()).contains(".hprof (").contains("MiB)");
            assertThat(ended.problem().nextStep()).hasToString("raise heap in the spec");
            assertThat(heapDumps()).hasSize(1);
        } finally {
            tables.interrupt();
        }
    }

    private static void createUntilItEnds(ClusterStatus status) {
        try (CqlSession session = Playground.session(status, "dc1")) {
            Ddl.execute(session, "CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
            for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
                Ddl.execute(session, "CREATE TABLE k.t" + i + " (id int PRIMARY KEY, v text)");
                session.execute("INSERT INTO k.t" + i + " (id, v) VALUES (1, 'one')");
            }
        } catch (DriverException e) {
            // the daemon has ended, or is about to
        }
    }

    /** The playground's own cluster, with another preset and size. */
    private String apply(String preset, String node, int nodes) {
        String spec = playground.client("dc1").spec(Playground.RIDES).source();
        String changed = spec.replaceAll("(?m)^preset:.*", "preset: " + preset)
                .replaceAll("(?ms)^node:.*?(?=^\\w)", "node: " + node + "\n")
                .replaceAll("nodes: \\d+", "nodes: " + nodes);
        try {
            Path file = Files.writeString(Playground.HOME.resolve("many-tables.yaml"), changed);
            return playground.run("cluster", "apply", "-f", file.toString(), "--yes", "--wait");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void create(ClusterStatus status, int keyspaces) {
        try (CqlSession session = Playground.session(status, "dc1")) {
            for (int i = 0; i < TABLES; i++) {
                String keyspace = "k" + i % keyspaces;
                if (i < keyspaces) {
                    Ddl.execute(
                            session,
                            "CREATE KEYSPACE " + keyspace
                                    + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
                }
                Ddl.execute(session, "CREATE TABLE " + keyspace + ".t" + i + " (id int PRIMARY KEY, v text)");
                if (i % 5 == 0) {
                    session.execute("CREATE INDEX ON " + keyspace + ".t" + i + " (v)");
                }
                session.execute("INSERT INTO " + keyspace + ".t" + i + " (id, v) VALUES (1, 'one')");
            }
        }
    }

    private static void assertEveryRow(ClusterStatus status, int keyspaces) {
        try (CqlSession session = Playground.session(status, "dc1")) {
            for (int i = 0; i < TABLES; i++) {
                assertThat(session.execute(ServingDatacenter.quorum("SELECT id FROM k" + i % keyspaces + ".t" + i))
                                .all())
                        .as("table " + i)
                        .hasSize(1);
            }
        }
    }

    private static List<Path> heapDumps() throws IOException {
        try (Stream<Path> files = Files.walk(Playground.HOME.resolve("playground"))) {
            return files.filter(file -> file.toString().endsWith(".hprof")).toList();
        }
    }

    private static void time(String preset, int keyspaces, String what, Runnable work) {
        long start = System.nanoTime();
        work.run();
        System.out.printf(
                "%s, %d tables in %d keyspaces: %s took %.1f s%n",
                preset, TABLES, keyspaces, what, (System.nanoTime() - start) / 1e9);
    }
}
