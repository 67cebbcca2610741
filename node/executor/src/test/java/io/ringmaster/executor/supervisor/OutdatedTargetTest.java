package io.ringmaster.executor.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.TestTargets;
import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.state.StatusBoard.Posted;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A launch names a newer generation than that of the target on disk. */
@Timeout(60)
class OutdatedTargetTest {
    private static final TestTargets ON_DISK = TestTargets.first().next().next();

    @TempDir
    Path directory;

    private NodeFiles files;
    private @Nullable Thread running;
    private @Nullable Daemon daemon;

    @BeforeEach
    void files() throws IOException {
        files = new NodeFiles(directory);
        files.create();
    }

    @AfterEach
    void end() throws InterruptedException {
        if (running != null) {
            running.interrupt();
            running.join();
        }
        if (daemon != null) {
            daemon.kill();
        }
    }

    private Supervisor start(TestTargets onDisk) throws IOException {
        Files.write(files.target(), Json.bytes(onDisk.target()));
        Path none = directory.resolve("none");
        Supervisor supervisor = new Supervisor(
                onDisk.target().node(),
                TestTargets.ADDRESS,
                files,
                new Installation(none, none, none, null, null),
                null,
                Map.of(),
                4);
        running = new Thread(supervisor, "supervisor");
        running.start();
        return supervisor;
    }

    private static NodeStatus await(Supervisor supervisor, String activity) throws InterruptedException {
        Posted posted = supervisor.board().read();
        while (!posted.status().activity().equals(activity)) {
            posted = supervisor.board().readAfter(posted.revision(), Duration.ofSeconds(1));
        }
        return posted.status();
    }

    @Test
    void noDaemonStartsBeforeThePresentTargetArrives() throws Exception {
        Supervisor supervisor = start(ON_DISK);
        NodeStatus waiting = await(supervisor, "waits for its newest target");
        assertThat(waiting.mode()).isEqualTo(OperatingMode.DOWN);
        assertThat(waiting.generation()).isEqualTo(3);
        assertThat(waiting.problem()).isNull();
        assertThat(files.daemonPid()).doesNotExist();
        assertThat(supervisor.targets().accept(ON_DISK.next().run(false, 0).target()))
                .isEmpty();
        assertThat(await(supervisor, "stopped as asked").generation()).isEqualTo(4);
    }

    @Test
    void otherServersInTheSameGenerationAreWrittenAndReported() throws Exception {
        Supervisor supervisor = start(ON_DISK);
        TestTargets stopped = ON_DISK.next().run(false, 0);
        assertThat(supervisor.targets().accept(stopped.target())).isEmpty();
        assertThat(await(supervisor, "stopped as asked").seedProviderUrls())
                .isEqualTo(stopped.target().seedProviderUrls());
        List<String> others = List.of("http://a:8080", "http://b:8080");
        assertThat(supervisor
                        .targets()
                        .accept(stopped.with("seedProviderUrls", others).target()))
                .isEmpty();
        Posted posted = supervisor.board().read();
        while (!others.equals(posted.status().seedProviderUrls())) {
            posted = supervisor.board().readAfter(posted.revision(), Duration.ofSeconds(1));
        }
        assertThat(posted.status().generation()).isEqualTo(4);
        assertThat(files.seedServers()).hasContent("http://a:8080\nhttp://b:8080");
    }

    private Daemon adopted() throws IOException {
        Daemon started = Daemon.start(
                new Configuration(Map.of(), List.of(), List.of("sleep", "60"), Map.of(), ""), files, List.of());
        daemon = started;
        while (ProcessIdentity.read(files.daemonPid()).isEmpty()) {
            Thread.onSpinWait();
        }
        return started;
    }

    @Test
    void anEndCountsUnlessItOnlyWaitedForItsSeeds() throws Exception {
        Daemon asking = adopted();
        Supervisor supervisor = start(ON_DISK);
        await(supervisor, "starting the JVM");
        Files.writeString(
                files.daemonLog(),
                "ConfigurationException: no server gave rides/dc1/node-0 its seeds within 60 s: [http://a: dc2 has not"
                        + " reported its nodes]\n");
        asking.kill();
        NodeStatus status = await(supervisor, "waits for its newest target");
        assertThat(status.exits()).isZero();
    }

    @Test
    void aDaemonThatRunsIsLeftRunning() throws Exception {
        Daemon adopted = adopted();
        Supervisor supervisor = start(ON_DISK.run(false, 0));
        assertThat(await(supervisor, "starting the JVM").generation()).isEqualTo(3);
        assertThat(adopted.isAlive()).isTrue();
        supervisor.targets().accept(ON_DISK.next().run(false, 0).target());
        assertThat(await(supervisor, "stopped as asked").generation()).isEqualTo(4);
        assertThat(adopted.isAlive()).isFalse();
    }
}
