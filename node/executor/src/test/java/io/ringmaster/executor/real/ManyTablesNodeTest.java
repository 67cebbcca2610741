package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.JvmSpec;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One real node with the heap of the example, 256 MiB, under loads that ended it once. */
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ManyTablesNodeTest {
    private static final String ADDRESS = "127.77.3.1";
    private static final int KEYSPACES = 37;
    private static final int TABLES = 4;

    @TempDir
    private static Path directory;

    private static SeedServer seeds;
    private static TestTargets target;
    private static RealNode node;

    @BeforeAll
    static void start() throws Exception {
        seeds = new SeedServer();
        target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                // on a busy computer a write of a megabyte takes longer than the two seconds that Cassandra waits
                .spec(1, Map.of("write_request_timeout", "30s"))
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        node = RealNode.in(directory, ADDRESS, target.target());
        node.startExecutor();
        node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
        target = target.next().created();
        node.put(target.target());
        node.await("open to clients", RealNode.OPEN);
    }

    @AfterAll
    static void end() throws Exception {
        node.close();
        seeds.close();
    }

    private static CqlSession session() {
        return CqlSession.builder()
                .addContactPoint(new InetSocketAddress(ADDRESS, 9042))
                .withLocalDatacenter("dc1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
                        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                        .build())
                .build();
    }

    private static NodeStatus steady() throws Exception {
        NodeStatus status = node.await("open to clients", RealNode.OPEN);
        assertThat(status.exits()).isZero();
        try (var logs = Files.list(node.files().logs())) {
            assertThat(logs.map(Path::toString)).noneMatch(name -> name.endsWith(".hprof"));
        }
        return status;
    }

    @Test
    @Order(1)
    void aRowInEachOf148TablesFitsTheHeap() throws Exception {
        try (CqlSession session = session()) {
            for (int k = 0; k < KEYSPACES; k++) {
                session.execute("CREATE KEYSPACE k" + k
                        + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
                for (int t = 0; t < TABLES; t++) {
                    session.execute("CREATE TABLE k" + k + ".t" + t + " (id int PRIMARY KEY, v text)");
                    session.execute("INSERT INTO k" + k + ".t" + t + " (id, v) VALUES (1, 'one')");
                }
                if (k < 30) {
                    session.execute("CREATE INDEX ON k" + k + ".t0 (v)");
                }
            }
        }
        steady();
    }

    @Test
    @Order(2)
    void aRestartReadsThemAgainWithTheCheckThatReadsTheSchemaOnce() throws Exception {
        Long before = steady().daemonPid();
        target = target.next().run(true, target.target().restarts() + 1);
        node.put(target.target());
        node.await(
                "restarted",
                RealNode.OPEN.and(s -> s.mode() == OperatingMode.NORMAL && !Objects.equals(s.daemonPid(), before)));
        steady();
        assertThat(Files.readString(node.files().systemLog()))
                .contains("Startup complete")
                .doesNotContain("Cannot replace a startup check");
        try (CqlSession session = session()) {
            for (int k = 0; k < KEYSPACES; k++) {
                for (int t = 0; t < TABLES; t++) {
                    assertThat(session.execute("SELECT v FROM k" + k + ".t" + t).all())
                            .hasSize(1);
                }
            }
        }
    }

    @Test
    @Order(3)
    void eightWritesOfAMegabyteAtOnceFitTheDirectMemory() throws Exception {
        try (CqlSession session = session()) {
            session.execute("CREATE TABLE k0.big (id int PRIMARY KEY, v text)");
            String value = "x".repeat(1_000_000);
            for (int round = 0; round < 25; round++) {
                List<CompletableFuture<AsyncResultSet>> writes = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    writes.add(session.executeAsync(
                                    "INSERT INTO k0.big (id, v) VALUES (" + (round * 8 + i) + ", '" + value + "')")
                            .toCompletableFuture());
                }
                writes.forEach(CompletableFuture::join);
            }
        }
        steady();
    }
}
