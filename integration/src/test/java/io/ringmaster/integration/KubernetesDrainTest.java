package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** What those who maintain a Kubernetes do to its machines, under an open-loop load at LOCAL_QUORUM. */
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubernetesDrainTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final String SPEC =
            """
            cluster: rides
            cassandra: 5.0.9
            preset: development
            datacenters: {dc1: {nodes: 3}}
            node: {cpus: 0.5, memory: 1GiB, heap: 256MiB, disk: 4GiB}
            jvm: {collector: serial}
            """;

    private static KubernetesTestbed kubernetes;
    private static KubernetesServer server;
    private static OpenLoopLoad load;

    @BeforeAll
    static void start() {
        Assumptions.assumeTrue(Playground.metronome().isPresent(), "metronome is not built");
        Optional<String> lacks = KubernetesTestbed.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        kubernetes = KubernetesTestbed.up(3);
        server = KubernetesServer.in(
                kubernetes,
                "rides",
                8080,
                "image: \"localhost/ringmaster/cassandra:{cassandra}\"",
                "storage_class: local");
        server.declare(SPEC);
        load = OpenLoopLoad.on(server.whole("rides", 3, SOON), "dc1:3");
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable part :
                Stream.of(load, server, kubernetes).filter(Objects::nonNull).toList()) {
            part.close();
        }
    }

    private static String pods() {
        return kubernetes.kubectl(
                "get",
                "pods",
                "-n",
                "rides",
                "-o",
                "custom-columns=NAME:.metadata.name,MACHINE:.spec.nodeName,UID:.metadata.uid",
                "--no-headers");
    }

    @Test
    @Order(1)
    void each_machine_in_turn_is_drained_and_no_request_fails() {
        for (int i = 1; i <= 3; i++) {
            // at once: it is the budget that waits for the node before
            kubernetes.kubectl("drain", "n" + i, "--timeout=280s");
            assertThat(pods()).doesNotContainPattern(" n" + i + " ");
            kubernetes.kubectl("uncordon", "n" + i);
        }
        server.whole("rides", 3, SOON);
    }

    @Test
    @Order(2)
    void two_machines_are_not_drained_at_once() {
        kubernetes.kubectl("drain", "n1", "--timeout=280s");
        Playground.Result refused = kubernetes.attemptKubectl("drain", "n2", "--timeout=15s");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.output()).contains("Cannot evict pod as it would violate the pod's disruption budget");
        kubernetes.kubectl("uncordon", "n1", "n2");
        server.whole("rides", 3, SOON);
    }

    @Test
    @Order(3)
    void a_cordoned_machine_keeps_its_pod_and_gets_no_new_one() {
        String before = pods();
        kubernetes.kubectl("cordon", "n3");
        Patience.until(
                "the cordon is seen", SOON, () -> server.run("machine", "list"), text -> text.contains("cordoned"));
        Playground.Result other = server.dryRun(SPEC.replace("cluster: rides", "cluster: other"));
        assertThat(other.exit()).isNotZero();
        assertThat(other.output()).contains("n3", "cordoned");
        assertThat(pods()).isEqualTo(before);
        kubernetes.kubectl("uncordon", "n3");
    }

    @Test
    @Order(4)
    void no_request_failed_and_every_acknowledged_row_is_there() throws InterruptedException {
        load.assertNothingFailedAndNothingLost(server.whole("rides", 3, SOON));
    }
}
