package io.ringmaster.executor.real;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.companion.NoAnswerException;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.spec.JvmSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One real node through what must not end it: a collection, silent clients, a limit of open files, and an executor of
 * another release. Its daemon is the same in all tests but the last.
 */
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LastingNodeTest {
    private static final String ADDRESS = "127.77.4.1";
    private static final NodePorts PORTS = new NodePorts(7000, 7001, 9042, 7070);
    private static final int CLIENTS = 2000;
    private static final Predicate<NodeStatus> NORMAL = s -> s.mode() == OperatingMode.NORMAL;

    @TempDir
    private static Path directory;

    private static SeedServer seeds;
    private static TestTargets target;
    private static RealNode node;
    private static NodeStatus first;

    @BeforeAll
    static void start() throws Exception {
        seeds = new SeedServer();
        target = TestTargets.first().at(PORTS, List.of(seeds.url())).options(JvmSpec.Collector.SERIAL, RealNode.ALONE);
        node = RealNode.in(directory, ADDRESS, target.target());
        // without a descriptor, an executor reads no class from a directory
        node.packClasses(directory.resolve("classes"));
        node.startExecutor();
        node.await("NORMAL", NORMAL);
        target = target.next().created();
        node.put(target.target());
        first = node.await("open to clients", RealNode.OPEN.and(NORMAL));
    }

    @AfterAll
    static void end() throws Exception {
        node.close();
        seeds.close();
    }

    private static ProcessLook executor() throws Exception {
        return new ProcessLook(node.await("NORMAL", NORMAL).executorPid());
    }

    /** The node is NORMAL, by the daemon of the first start. */
    private static NodeStatus assertSameDaemon() throws Exception {
        NodeStatus now = node.await("NORMAL", NORMAL.and(RealNode.OPEN));
        assertThat(now.daemonPid()).isEqualTo(first.daemonPid());
        assertThat(now.exits()).isZero();
        assertThat(now.problem()).isNull();
        return now;
    }

    @Test
    @Order(1)
    void aFullCollectionKeepsTheLockOfTheExecutor() throws Exception {
        ProcessLook executor = executor();
        List<String> locks = executor.locks();
        assertThat(locks).as("the locks of the executor").isNotEmpty();
        for (int i = 0; i < 3; i++) {
            executor.collectGarbage();
            Thread.sleep(500); // a cleaner runs after the collection
        }
        assertThat(executor.locks()).isEqualTo(locks);

        Path output = directory.resolve("second.log");
        Process second = node.startSecondExecutor(output);
        try {
            assertThat(second.waitFor(30, TimeUnit.SECONDS))
                    .as("a second executor ends")
                    .isTrue();
        } finally {
            second.destroyForcibly();
        }
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(Files.readString(output)).contains("another executor runs in this directory");
        assertThat(executor().pid()).isEqualTo(executor.pid());
        assertSameDaemon();
    }

    @Test
    @Order(2)
    void anExecutorWithoutADescriptorGoesOnAndItsDaemonCountsAsAlive() throws Exception {
        ProcessLook executor = executor();
        Map<String, Long> threads = executor.threads();
        assertThat(threads).containsKeys("supervisor", "HTTP-Dispatcher", "volume", "log keeper");
        long limit = executor.descriptors() + 20L;
        long before = executor.limitDescriptors(limit);
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                SocketChannel client = SocketChannel.open();
                clients.add(client);
                client.configureBlocking(false); // the executor accepts only the first
                client.connect(new InetSocketAddress(ADDRESS, PORTS.executor()));
            }
            long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
            while (executor.descriptors() < limit - 1 && System.nanoTime() < deadline) {
                Thread.sleep(100);
            }
            assertThat(executor.descriptors()).as("of " + limit).isGreaterThanOrEqualTo((int) limit - 1);
            Thread.sleep(10_000); // several turns of its loop
            close(clients);
            assertThat(assertSameDaemon().executorPid()).isEqualTo(executor.pid());
        } finally {
            close(clients);
            executor.limitDescriptors(before);
        }
        assertThat(executor.threads()).containsKeys("supervisor", "HTTP-Dispatcher", "volume", "log keeper");
        assertThat(Files.readString(node.files().executorLog())).contains("Too many open files");
    }

    @Test
    @Order(3)
    void clientsOfTheCompanionThatSayNothingDoNotEndIt() throws Exception {
        ProcessLook daemon = new ProcessLook(Objects.requireNonNull(first.daemonPid()));
        Map<String, Long> threads = daemon.threads();
        List<SocketChannel> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(SocketChannel.open(
                        UnixDomainSocketAddress.of(node.files().socket())));
            }
            Thread.sleep(5000); // the executor asks meanwhile, too
        } finally {
            close(clients);
        }
        awaitCompanion(daemon.pid());
        assertSameDaemon();
        for (String name : List.of("ringmaster-management", "ringmaster-request")) {
            assertThat(daemon.threads().get(name)).as(name).isNotNull().isEqualTo(threads.get(name));
        }
    }

    private static void awaitCompanion(long daemon) throws Exception {
        CompanionClient companion = new CompanionClient(node.files().socket());
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (true) {
            try {
                assertThat(companion.node(daemon, Duration.ofSeconds(10)).mode())
                        .isEqualTo("NORMAL");
                return;
            } catch (NoAnswerException e) {
                assertThat(System.nanoTime()).as(e.toString()).isLessThan(deadline);
                Thread.sleep(100);
            }
        }
    }

    private static void close(List<SocketChannel> clients) throws IOException {
        for (SocketChannel client : clients) {
            client.close();
        }
    }

    @Test
    @Order(4)
    void aDaemonOfAReleaseThatRecordedItsFingerprintAloneIsAdopted() throws Exception {
        adopt(state -> {
            state.put("fingerprint", "0123456789abcdef");
            state.remove(List.of("asked", "live", "run", "firstJoin"));
        });
    }

    @Test
    @Order(5)
    void aDaemonOfAReleaseWithAnotherFormOfTargetIsAdoptedUntilAServerOrdersARestart() throws Exception {
        adopt(state -> {
            state.put("fingerprint", "0123456789abcdef");
            ObjectNode asked = (ObjectNode) state.at("/asked/target");
            asked.remove(List.of("task", "transfer", "tls", "replaces"));
            asked.put("of_another_release", true);
            state.put("of_another_release", true);
        });
        assertThat(node.await("NORMAL", NORMAL).activity()).contains("its files are of another release");

        target = target.next().run(true, target.target().restarts() + 1);
        assertThat(node.put(target.target()).statusCode()).isEqualTo(200);
        NodeStatus restarted = node.await("restarted as asked", NORMAL.and(s -> s.appliedRestarts() == 1));
        assertThat(restarted.daemonPid()).isNotEqualTo(first.daemonPid());
        assertThat(restarted.activity()).doesNotContain("another release");
        assertThat(restarted.exits()).isZero();
    }

    /** Starts another executor beside the daemon, whose record is as another release has left it. */
    private static void adopt(Consumer<ObjectNode> release) throws Exception {
        assertSameDaemon();
        node.killExecutor();
        Path record = node.files().daemonState();
        ObjectNode state = (ObjectNode) Json.mapper().readTree(Files.readString(record));
        release.accept(state);
        Files.writeString(record, state.toString());
        node.startExecutor();
        assertSameDaemon();
        Thread.sleep(5000); // several turns of its loop
        NodeStatus adopted = assertSameDaemon();
        assertThat(adopted.generation()).isEqualTo(target.target().generation());
        assertThat(adopted.appliedSpecVersion()).isEqualTo(target.target().specVersion());
    }
}
