package io.ringmaster.lab.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shell stands for Cassandra. */
class NodeTest {
    @TempDir
    Path home;

    private Node node = shell("exec sleep 60");

    private Node shell(String script) {
        var files = new StockNode(home == null ? Path.of("") : home, Path.of("/jars"), Jvm.ofThisProcess(), 512);
        return new Node("node-1", "127.93.1.1", files, List.of("sh", "-c", script), Optional.empty());
    }

    @BeforeEach
    void inItsFolder() {
        node = shell("exec sleep 60");
    }

    @AfterEach
    void end() throws Exception {
        node.kill();
    }

    @Test
    void it_stands_still_between_stall_and_resume() throws Exception {
        node.start();
        assertThat(node.stallFor(Duration.ofMillis(200))).isCloseTo(0.2, within(0.15));
        node.stall();
        node.kill();
        assertThatThrownBy(() -> node.running()).hasMessage("node-1 does not run: it was killed");
    }

    @Test
    void it_starts_again_after_a_kill() throws Exception {
        node.start();
        long first = node.pid();
        node.kill();
        assertThatThrownBy(() -> node.pid()).hasMessage("node-1 does not run: it was killed");
        node.start();
        assertThat(node.pid()).isNotEqualTo(first);
        awaitSleep();
        assertThat(node.residentBytes()).isPositive();
        assertThat(node.uptimeSeconds()).isBetween(-0.1, 10.0);
        assertThatThrownBy(() -> node.start()).hasMessage("node-1 runs already");
    }

    /** A process has no memory for a moment while the shell turns into {@code sleep}. */
    private void awaitSleep() throws Exception {
        while (!Files.readString(Path.of("/proc", String.valueOf(node.pid()), "comm"))
                .equals("sleep\n")) {
            Thread.sleep(10);
        }
    }

    @Test
    void an_end_by_accident_has_the_end_of_its_log() throws Exception {
        node = shell("echo cannot start >&2; exit 3");
        Files.writeString(home.resolve("system.log"), "ERROR no disk\n");
        node.start();
        awaitEnd();
        assertThatThrownBy(() -> node.cpuSeconds())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("node-1 ended with exit code 3")
                .hasMessageContaining("cannot start")
                .hasMessageContaining("ERROR no disk");
    }

    private void awaitEnd() throws InterruptedException {
        try {
            node.running().waitFor();
        } catch (IOException e) {
            // it has ended already
        }
    }
}
