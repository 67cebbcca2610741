package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Parts of a Kubernetes fail below a ring that serves an open-loop load at LOCAL_QUORUM. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubernetesOutagesTest {
    private static final Duration KUBELET_AWAY = Duration.ofSeconds(20);
    private static final Duration MACHINE_AWAY = Duration.ofSeconds(40);
    private static final Duration API_AWAY = Duration.ofMinutes(1);

    private static KubernetesRing ring;

    @BeforeAll
    static void start() {
        Assumptions.assumeTrue(Playground.metronome().isPresent(), "metronome is not built");
        Optional<String> lacks = KubernetesTestbed.lacks();
        Assumptions.assumeTrue(lacks.isEmpty(), () -> lacks.orElse(""));
        ring = KubernetesRing.up();
    }

    @AfterAll
    static void stop() {
        if (ring != null) {
            ring.close();
        }
    }

    @BeforeEach
    void the_ring_is_whole() {
        ring.whole();
    }

    private static void sleepUntil(Instant end) throws InterruptedException {
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), end).toMillis()));
    }

    /** The others were not touched. */
    private static void assertMadeAgain(int index, NodeState before, Map<String, String> runsBefore) {
        NodeState after = ring.node(index);
        assertThat(after.hostId()).isEqualTo(before.hostId());
        assertThat(after.machine()).isEqualTo(before.machine());
        Map<String, String> runs = ring.runs();
        String pod = KubernetesRing.allocation(index);
        assertThat(runs.remove(pod)).isNotEqualTo(runsBefore.remove(pod));
        assertThat(runs).isEqualTo(runsBefore);
    }

    private static void awaitAnotherPod(int index, NodeState before) {
        Patience.until(
                "another pod of node-" + index,
                KubernetesRing.SOON,
                () -> ring.node(index).cqlEndpoint(),
                endpoint -> endpoint != null && !endpoint.equals(before.cqlEndpoint()));
        ring.whole();
    }

    @Test
    @Order(1)
    void a_deleted_pod_returns_with_its_volume() {
        Map<String, String> runs = ring.runs();
        NodeState before = ring.node(1);
        ring.kubernetes.kubectl("delete", "pod", KubernetesRing.allocation(1), "-n", KubernetesRing.NAME);
        awaitAnotherPod(1, before);
        assertMadeAgain(1, before, runs);
    }

    @Test
    @Order(2)
    void a_kubelet_is_away_and_its_pod_serves_on() throws InterruptedException {
        Map<String, String> runs = ring.runs();
        Processes.kill9(ring.kubernetes.process("n1-kubelet"));
        sleepUntil(Instant.now().plus(KUBELET_AWAY));
        ring.kubernetes.startMachine(1);
        ring.whole();
        assertThat(ring.runs()).isEqualTo(runs);
    }

    @Test
    @Order(3)
    void a_containerd_that_is_started_again_finds_its_pod() {
        Map<String, String> runs = ring.runs();
        Processes.kill9(ring.kubernetes.process("n2-containerd"));
        ring.kubernetes.startMachine(2);
        for (String pod : runs.keySet()) {
            ring.kubernetes.kubectl("exec", pod, "-n", KubernetesRing.NAME, "--", "sh", "-c", "exit 0");
        }
        ring.whole();
        assertThat(ring.runs()).isEqualTo(runs);
    }

    @Test
    @Order(4)
    void a_machine_that_is_off_the_network_keeps_its_pod() throws InterruptedException {
        Map<String, String> runs = ring.runs();
        Instant cut = Instant.now();
        ring.kubernetes.cut(3);
        try {
            sleepUntil(cut.plus(MACHINE_AWAY));
            ring.says("lost contact with n3");
        } finally {
            ring.kubernetes.join(3);
        }
        // Nobody learns whether a request arrived that its node was coordinating, until the connection is given up.
        ring.load.mayFail(cut, cut.plusSeconds(40), "client_timeout", "connection_lost");
        ring.whole();
        assertThat(ring.runs()).isEqualTo(runs);
    }

    @Test
    @Order(5)
    void the_server_dies_at_each_point_of_a_rolling_restart_and_completes_it() {
        Map<String, String> pods = ring.launches();
        List<Long> starts = starts();
        ring.server.run("cluster", "restart", KubernetesRing.NAME, "--yes");
        Set<String> deaths = new HashSet<>();
        Plan plan = Patience.until(
                "the rolling restart is over",
                KubernetesRing.SOON.multipliedBy(2),
                () -> {
                    Plan now = rollingRestart();
                    if (!now.status().isOver() && deaths.addAll(points(now))) {
                        ring.server.diesAndComesBack();
                    }
                    return now;
                },
                p -> p.status().isOver());
        assertThat(plan.status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(deaths).hasSizeGreaterThan(3).anyMatch(d -> d.startsWith("dc1 node-2"));
        ring.whole();
        assertThat(ring.launches()).isEqualTo(pods);
        assertThat(starts()).isEqualTo(starts.stream().map(n -> n + 1).toList());
    }

    /** How often the daemon of each node has started, by its log. */
    private static List<Long> starts() {
        return Stream.of(0, 1, 2)
                .map(i -> ring.server.run("node", "logs", "rides/dc1/node-" + i, "--lines", "10000"))
                .map(log -> Pattern.compile("Startup complete")
                        .matcher(log)
                        .results()
                        .count())
                .toList();
    }

    /** The only one: a server that forgot it would plan it once more. One that starts may know none yet. */
    private static Plan rollingRestart() {
        List<Plan> plans = ring.server.plans(KubernetesRing.NAME).stream()
                .filter(p -> p.operation().equals("restart"))
                .toList();
        if (plans.size() != 1) {
            throw new IllegalStateException(plans.size() + " rolling restarts: " + plans);
        }
        return plans.get(0);
    }

    /** What each node has come to: it is drained and restarted, or NORMAL and checked. */
    private static Set<String> points(Plan plan) {
        return plan.phases().stream()
                .flatMap(p -> p.steps().stream())
                .filter(s -> s.memory().containsKey("began"))
                .map(KubernetesOutagesTest::point)
                .collect(Collectors.toSet());
    }

    private static String point(StepState step) {
        return step.name() + (step.memory().containsKey("normal") ? " is checked" : " is restarted");
    }

    @Test
    @Order(6)
    void the_API_server_is_away_for_a_minute_and_the_status_says_so() throws InterruptedException {
        Map<String, String> runs = ring.runs();
        Processes.kill9(ring.kubernetes.process("apiserver"));
        Instant away = Instant.now();
        ring.says("the pool of dc1 does not answer now");
        sleepUntil(away.plus(API_AWAY));
        ring.kubernetes.startControlPlane();
        ring.whole();
        assertThat(ring.runs()).isEqualTo(runs);
    }

    @Test
    @Order(7)
    void the_API_server_hangs_while_the_server_dies_and_a_deleted_pod_returns_afterwards() {
        Map<String, String> runs = ring.runs();
        NodeState before = ring.node(2);
        ProcessHandle api = ring.kubernetes.process("apiserver");
        ring.kubernetes.kubectl(
                "delete", "pod", KubernetesRing.allocation(2), "-n", KubernetesRing.NAME, "--wait=false");
        Processes.signal("STOP", api);
        try {
            ring.says("the pool of dc1 does not answer now");
            ring.server.diesAndComesBack();
            ring.says("the pool of dc1 does not answer now");
        } finally {
            Processes.signal("CONT", api);
        }
        awaitAnotherPod(2, before);
        assertMadeAgain(2, before, runs);
    }

    @Test
    @Order(8)
    void no_other_request_failed_and_every_acknowledged_row_is_there() throws InterruptedException {
        ring.load.assertNothingFailedAndNothingLost(ring.whole());
    }
}
