package io.ringmaster.executor.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.AdoptedNode;
import io.ringmaster.executor.TestTargets;
import io.ringmaster.model.node.OperatingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ContainerEndTest {
    private static final TestTargets JOINED = TestTargets.first().joined();
    private static final Duration LONG = Duration.ofSeconds(40);

    @TempDir
    Path directory;

    @Test
    void the_loop_drains_and_ends_the_daemon_and_starts_no_other() throws Exception {
        try (AdoptedNode node = new AdoptedNode(directory, JOINED, "sleep", "60")) {
            node.loop().start();
            AdoptedNode.until(node.supervisor().board()::ready);
            CountDownLatch drained = node.companion().holdDrain();
            AtomicBoolean result = new AtomicBoolean();
            Thread hook = new Thread(() -> result.set(end(node, node.loop(), LONG, LONG)));
            hook.start();
            node.await(s -> s.mode() == OperatingMode.DRAINING);
            assertThat(node.supervisor().board().ready()).isFalse();
            assertThat(node.daemon().isAlive()).isTrue();
            drained.countDown();
            hook.join();
            assertThat(result).isTrue();
            assertThat(node.daemon().isAlive()).isFalse();
            assertThat(node.loop().isAlive()).isFalse();
            assertThat(node.files().daemonPid()).doesNotExist();
            assertThat(node.files().target()).as("for the next executor").exists();
            assertThat(node.supervisor().board().read().status()).satisfies(last -> {
                assertThat(last.mode()).isEqualTo(OperatingMode.DOWN);
                assertThat(last.exits()).isZero();
                assertThat(last.problem()).isNull();
            });
        }
    }

    @Test
    void an_executor_without_a_daemon_ends_at_once() throws Exception {
        try (AdoptedNode node = new AdoptedNode(directory, JOINED.run(false, 0), "sleep", "60")) {
            node.loop().start();
            node.await(s -> s.activity().equals("stopped as asked"));
            assertThat(end(node, node.loop(), LONG, LONG)).isTrue();
        }
    }

    @Test
    void a_loop_that_does_not_end_in_time_leaves_the_daemon_to_sigterm() throws Exception {
        try (AdoptedNode node = new AdoptedNode(directory, JOINED, "sleep", "60")) {
            Thread hanging = new Thread(() -> sleep(LONG));
            hanging.setDaemon(true);
            hanging.start();
            assertThat(end(node, hanging, Duration.ofMillis(100), LONG)).isTrue();
            assertThat(node.daemon().isAlive()).isFalse();
            assertThat(node.companion().requests()).isEmpty();
        }
    }

    @Test
    void a_daemon_that_does_not_end_is_reported() throws Exception {
        try (AdoptedNode node =
                new AdoptedNode(directory, JOINED, "sh", "-c", "trap '' TERM; while true; do sleep 1; done")) {
            AdoptedNode.until(() -> node.daemon().isAlive());
            Thread.sleep(300); // the shell ignores TERM only once it runs
            assertThat(end(node, node.loop(), LONG, Duration.ofMillis(300))).isFalse();
        }
    }

    private static boolean end(AdoptedNode node, Thread loop, Duration loopLimit, Duration limit) {
        try {
            return new ContainerEnd(node.files(), node.supervisor(), loop, loopLimit, limit).run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
