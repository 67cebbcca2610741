package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.JvmSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One real executor as the main process of a container, with one real Cassandra. */
@Tag("cassandra")
@Timeout(600)
class ContainedNodeTest {
    private static final String ADDRESS = "127.7.1.4";

    @TempDir
    Path directory;

    @Test
    void aNodeDrainsOnSigtermAndHasItsRowsInTheNextContainer() throws Exception {
        SeedServer seeds = new SeedServer();
        TestTargets target = TestTargets.first()
                .at(new NodePorts(7000, 7001, 9042, 7070), List.of(seeds.url()))
                .options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        try (seeds;
                RealNode node = RealNode.in(directory, ADDRESS, target.target())) {
            Path token = Files.move(node.files().token(), directory.resolve("secret"));
            Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("r--r-----"));
            Path output = directory.resolve("output");
            Process container = node.startContained(token, output);
            node.await("NORMAL", s -> s.mode() == OperatingMode.NORMAL);
            assertThat(node.probe("/v1/live")).isEqualTo(200);
            assertThat(node.probe("/v1/ready")).as("while CQL is closed").isEqualTo(503);
            node.put(target.next().created().target());
            NodeStatus first = node.await("open to clients", RealNode.OPEN);
            assertThat(node.probe("/v1/ready")).isEqualTo(200);
            cql("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            cql("CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
            cql("INSERT INTO ks.t (k, v) VALUES (1, 'kept')");

            assertThat(probesWhileItEnds(node, container))
                    .as("readiness until there is nobody to ask")
                    .contains(503)
                    .isSortedAccordingTo(Comparator.naturalOrder());
            assertThat(container.exitValue()).isZero();
            assertThat(Files.readString(node.files().systemLog())).contains("DRAINED");
            assertThat(Files.readString(output)).contains("DRAINED", "the executor ends with exit code 0");
            assertThat(Files.readString(node.files().executorLog()))
                    .contains("the container ends: draining the daemon");
            assertThat(node.files().daemonPid()).doesNotExist();

            node.startContained(token, output);
            NodeStatus second = node.await("open to clients again", RealNode.OPEN);
            assertThat(node.probe("/v1/ready")).isEqualTo(200);
            assertThat(second.ring().hostId()).isEqualTo(first.ring().hostId());
            assertThat(second.exits()).as("an ordered end is no failure").isZero();
            assertThat(cql("SELECT v FROM ks.t WHERE k = 1")).isEqualTo("kept");
        }
    }

    /**
     * Sends SIGTERM and asks whether the node is ready until there is nobody to ask. The first answers may still be
     * yes: on a busy machine the executor sees the signal some time after it is sent.
     */
    private static List<Integer> probesWhileItEnds(RealNode node, Process container) throws Exception {
        node.terminate();
        List<Integer> answers = new ArrayList<>();
        while (!container.waitFor(20, TimeUnit.MILLISECONDS)) {
            try {
                answers.add(node.probe("/v1/ready"));
            } catch (IOException e) {
                assertThat(container.waitFor(10, TimeUnit.SECONDS))
                        .as(e.toString())
                        .isTrue();
            }
        }
        return answers;
    }

    /** The first column of the first row, or nothing. */
    private static String cql(String statement) {
        try (CqlSession session = CqlSession.builder()
                .addContactPoint(new InetSocketAddress(ADDRESS, 9042))
                .withLocalDatacenter("dc1")
                .build()) {
            var row = session.execute(statement).one();
            return row == null ? "" : String.valueOf(row.getObject(0));
        }
    }
}
