package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** First starts of a real node, with a directory of its own for each test. */
@Tag("cassandra")
@Timeout(600)
class FirstStartTest {
    private static final String ADDRESS = "127.77.1.1";

    @TempDir
    Path directory;

    private SeedServer seeds;
    private TestTargets target;

    @BeforeEach
    void prepare() throws IOException {
        seeds = new SeedServer();
        target = TestTargets.first().at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()));
    }

    @AfterEach
    void end() {
        seeds.close();
    }

    @Test
    void aNodeThatHasNotJoinedWhenItsClusterIsCreatedStartsAgainWithBootstrap() throws Exception {
        try (RealNode node = RealNode.in(directory, ADDRESS, target.target())) {
            node.startExecutor();
            NodeStatus starting = node.await("starting", s -> s.mode() == OperatingMode.STARTING);
            node.put(target.next().created().target());
            NodeStatus open = node.await("open to clients", RealNode.OPEN);
            assertThat(open.daemonPid()).isNotEqualTo(starting.daemonPid());
            assertThat(open.exits()).isZero();
            assertThat(Files.readString(node.files().executorLog())).contains("starting again with bootstrap");
            assertThat(Files.readString(node.files().conf().resolve("command"))).doesNotContain("auto_bootstrap");
            assertThat(new CompanionClient(node.files().socket())
                            .node(Objects.requireNonNull(open.daemonPid()), Duration.ofSeconds(10))
                            .awaitsClients())
                    .isFalse();
        }
    }

    @Test
    void theProductionPresetStartsWithTokensOfCassandraAndMetricMBeans() throws Exception {
        try (RealNode node = RealNode.in(directory, ADDRESS, target.production().target())) {
            node.startExecutor();
            NodeStatus status = node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            assertThat(status.problem()).isNull();
            String tokens = "{\"mbean\":\"org.apache.cassandra.db:type=StorageService\",\"attribute\":\"Tokens\"}";
            assertThat(node.manage(tokens).body().split(",")).hasSize(16);
            assertThat(node.manage("{\"query\":\"org.apache.cassandra.metrics:*\"}")
                            .body())
                    .contains("type=Table");
        }
    }
}
