package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.ports.TestCommand;
import java.util.Map;
import java.util.Optional;
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
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KubernetesDrainTest {
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

    @Test
    @Order(1)
    void each_machine_in_turn_is_drained_and_no_request_fails() {
        for (int i = 1; i <= 3; i++) {
            String machine = "n" + i;
            // at once: it is the budget that waits for the node before
            ring.kubernetes.kubectl("drain", machine, "--timeout=280s");
            assertThat(ring.launches().values()).noneMatch(pod -> pod.startsWith(machine + " "));
            ring.kubernetes.kubectl("uncordon", machine);
        }
        ring.whole();
    }

    @Test
    @Order(2)
    void two_machines_are_not_drained_at_once() {
        ring.kubernetes.kubectl("drain", "n1", "--timeout=280s");
        TestCommand.Result refused = ring.kubernetes.attemptKubectl("drain", "n2", "--timeout=15s");
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.output()).contains("Cannot evict pod as it would violate the pod's disruption budget");
        ring.kubernetes.kubectl("uncordon", "n1", "n2");
        ring.whole();
    }

    @Test
    @Order(3)
    void a_cordoned_machine_keeps_its_pod_and_gets_no_new_one() {
        Map<String, String> before = ring.launches();
        ring.kubernetes.kubectl("cordon", "n3");
        Patience.until(
                "the cordon is seen",
                KubernetesRing.SOON,
                () -> ring.server.run("machine", "list"),
                text -> text.contains("cordoned"));
        TestCommand.Result other = ring.server.dryRun(KubernetesRing.SPEC.replace("cluster: rides", "cluster: other"));
        assertThat(other.exit()).isNotZero();
        assertThat(other.output()).contains("n3", "cordoned");
        assertThat(ring.launches()).isEqualTo(before);
        ring.kubernetes.kubectl("uncordon", "n3");
    }

    @Test
    @Order(4)
    void no_request_failed_and_every_acknowledged_row_is_there() throws InterruptedException {
        ring.load.assertNothingFailedAndNothingLost(ring.whole());
    }
}
