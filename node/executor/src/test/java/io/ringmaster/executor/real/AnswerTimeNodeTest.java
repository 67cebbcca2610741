package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.JvmSpec;
import io.ringmaster.model.spec.NodeResources;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long a node with many tables and tokens takes to answer its executor. */
@Tag("cassandra")
@Tag("long")
@Timeout(1800)
class AnswerTimeNodeTest {
    private static final String ADDRESS = "127.77.6.1";
    private static final int TABLES = 1048;
    private static final int KEYSPACES = 8;
    private static final int TOKENS = 256;
    private static final long MEBIBYTE = 1024 * 1024;

    /** The node computes meanwhile what is costly: its ownership every 2 s, the ages of repairs every 20 s. */
    private static final Duration MEASURED = Duration.ofSeconds(60);

    private static final Duration PAUSE = Duration.ofMillis(100);

    @TempDir
    Path directory;

    @Test
    void aNodeWithManyTablesAndTokensAnswersInMilliseconds() throws Exception {
        SeedServer seeds = new SeedServer();
        TestTargets target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .with("tokens", tokens())
                .with("resources", new NodeResources(1000, 2048 * MEBIBYTE, 1024 * MEBIBYTE, 4096 * MEBIBYTE))
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        try (seeds;
                RealNode node = RealNode.in(directory, ADDRESS, target.target())) {
            node.startExecutor();
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            node.put(target.next().created().target());
            node.await("open to clients", RealNode.OPEN);
            createTables();
            NodeStatus status = node.await(
                    KEYSPACES + " keyspaces",
                    RealNode.OPEN.and(s -> s.ring().keyspaces().size() == KEYSPACES));
            String tokens = "{\"mbean\":\"org.apache.cassandra.db:type=StorageService\",\"attribute\":\"Tokens\"}";
            assertThat(node.manage(tokens).body().split(",")).hasSize(TOKENS);

            CompanionClient companion = new CompanionClient(node.files().socket());
            long daemon = Objects.requireNonNull(status.daemonPid());
            judge("GET /node", () -> companion.node(daemon, Duration.ofSeconds(10)));
            judge("GET /v1/status", () -> node.get("/v1/status"));
        }
    }

    /** Evenly spread. */
    private static List<String> tokens() {
        BigInteger step = BigInteger.ONE.shiftLeft(64).divide(BigInteger.valueOf(TOKENS));
        BigInteger least = BigInteger.valueOf(Long.MIN_VALUE);
        return IntStream.range(0, TOKENS)
                .mapToObj(i -> least.add(step.multiply(BigInteger.valueOf(i))).toString())
                .toList();
    }

    private static void createTables() {
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(ADDRESS, 9042))
                .withLocalDatacenter("dc1")
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(60))
                        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
                        .build())
                .build()) {
            for (int i = 0; i < TABLES; i++) {
                String keyspace = "k" + i % KEYSPACES;
                if (i < KEYSPACES) {
                    session.execute("CREATE KEYSPACE " + keyspace
                            + " WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}");
                }
                session.execute("CREATE TABLE " + keyspace + ".t" + i + " (id int PRIMARY KEY, v text)");
            }
        }
    }

    private interface Question {
        void ask() throws Exception;
    }

    private static void judge(String name, Question question) throws Exception {
        for (int i = 0; i < 20; i++) {
            question.ask(); // classes are loaded, and the computer has ended its last table
        }
        List<Duration> answers = new ArrayList<>();
        long end = System.nanoTime() + MEASURED.toNanos();
        while (System.nanoTime() < end) {
            long asked = System.nanoTime();
            question.ask();
            answers.add(Duration.ofNanos(System.nanoTime() - asked));
            Thread.sleep(PAUSE.toMillis());
        }
        answers.sort(null);
        Duration median = answers.get(answers.size() / 2);
        Duration worst = answers.get(answers.size() - 1);
        System.out.printf(
                "%s with %d tables and %d tokens: %d answers, median %.1f ms, worst %.1f ms%n",
                name, TABLES, TOKENS, answers.size(), median.toNanos() / 1e6, worst.toNanos() / 1e6);
        assertThat(median).as("median of " + name).isLessThan(Duration.ofMillis(20));
        assertThat(worst).as("worst of " + name).isLessThan(Duration.ofMillis(500));
    }
}
