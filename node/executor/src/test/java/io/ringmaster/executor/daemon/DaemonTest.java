package io.ringmaster.executor.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.host.LogLimit;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a real process other than Cassandra. */
@Timeout(30)
class DaemonTest {
    @TempDir
    Path directory;

    private NodeFiles files;
    private @Nullable Daemon started;

    @BeforeEach
    void files() throws IOException {
        files = new NodeFiles(directory);
        files.create();
    }

    @AfterEach
    void kill() {
        if (started != null) {
            started.kill();
        }
    }

    private Daemon start(String... command) throws IOException, InterruptedException {
        Configuration configuration =
                new Configuration(Map.of(), List.of(), List.of(command), Map.of("GREETING", "hello"), "");
        Daemon daemon = Daemon.start(configuration, files, List.of());
        started = daemon;
        while (daemon.isAlive() && ProcessIdentity.read(files.daemonPid()).isEmpty()) {
            Thread.sleep(5);
        }
        return daemon;
    }

    @Test
    void aRunningDaemonIsAdoptedByItsPidAndStartTime() throws Exception {
        Daemon daemon = start("sleep", "60");
        Optional<Daemon> adopted = Daemon.adopt(files);
        assertThat(adopted).hasValueSatisfying(d -> {
            assertThat(d.pid()).isEqualTo(daemon.pid());
            assertThat(d.isAlive()).isTrue();
        });
        CountDownLatch ended = new CountDownLatch(1);
        adopted.orElseThrow().onExit(ended::countDown);
        adopted.orElseThrow().kill();
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(adopted.orElseThrow().isAlive()).isFalse();
        assertThat(adopted.orElseThrow().exitCode()).isEqualTo(OptionalInt.empty());
    }

    @Test
    void anotherProcessWithTheSamePidIsNotAdopted() throws Exception {
        Daemon daemon = start("sleep", "60");
        ProcessIdentity real = ProcessIdentity.of(daemon.pid()).orElseThrow();
        Files.writeString(files.daemonPid(), real.pid() + " " + (real.startTicks() - 1) + " " + real.boot() + "\n");
        assertThat(Daemon.adopt(files)).isEmpty();
        Files.writeString(files.daemonPid(), real.pid() + " " + real.startTicks() + " another-boot\n");
        assertThat(Daemon.adopt(files)).isEmpty();
        Files.writeString(files.daemonPid(), "damaged");
        assertThat(Daemon.adopt(files)).isEmpty();
    }

    /** It has the class of the companion in its command, as the JVM of Cassandra has, and answers nobody. */
    private Daemon startLikeCassandra() throws Exception {
        Daemon daemon = start("tail", "-f", "/dev/null", "io.ringmaster.companion.Launch");
        Files.delete(files.daemonPid());
        return daemon;
    }

    @Test
    void aDaemonWithoutARecordIsFoundThoughItsCompanionDoesNotAnswer() throws Exception {
        files = new NodeFiles(Files.createDirectories(directory.resolve("long".repeat(40))));
        files.create();
        Daemon daemon = startLikeCassandra();
        assertThat(Daemon.adopt(files))
                .hasValueSatisfying(found -> assertThat(found.pid()).isEqualTo(daemon.pid()));
        assertThat(ProcessIdentity.read(files.daemonPid())).isEqualTo(ProcessIdentity.of(daemon.pid()));
    }

    @Test
    void theDaemonOfAnotherVolumeIsNotAdopted() throws Exception {
        startLikeCassandra();
        NodeFiles others = new NodeFiles(directory.resolve("other"));
        assertThat(Daemon.adopt(others)).isEmpty();
        others.create();
        assertThat(Daemon.adopt(others)).isEmpty();
    }

    @Test
    void aDaemonRunsInItsOwnSessionAndVolumeAndWritesToItsLog() throws Exception {
        Daemon daemon = start("sh", "-c", "echo $GREETING from $(pwd); exec sleep 60");
        String stat = Files.readString(Path.of("/proc", String.valueOf(daemon.pid()), "stat"));
        String session = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1)[3];
        assertThat(session).isEqualTo(String.valueOf(daemon.pid()));
        while (!Files.readString(files.daemonLog()).contains("\n")) {
            Thread.sleep(5);
        }
        assertThat(Files.readString(files.daemonLog()))
                .isEqualTo("hello from " + files.volume().toRealPath() + "\n");
    }

    @Test
    void aStartKeepsTheLogOfTheRunBeforeAndNoOlderOne() throws Exception {
        for (String run : List.of("first", "second: No space left on device, said at length", "third")) {
            assertThat(start("sh", "-c", "echo '" + run + "'; sleep 0.5").exitCode())
                    .isEqualTo(OptionalInt.of(0));
        }
        assertThat(files.daemonLog()).hasContent("third");
        assertThat(files.formerDaemonLog()).hasContent("second: No space left on device, said at length");
    }

    @Test
    void aLogThatWasShortenedStaysApartFromThatOfTheRunBefore() throws Exception {
        String first = "the first run, which says more than its log may hold";
        assertThat(start("sh", "-c", "echo '" + first + "'; sleep 0.5").exitCode())
                .isEqualTo(OptionalInt.of(0));
        Daemon second = start("sh", "-c", "echo 'the second run, which says even more than the first'; sleep 60");
        while (files.daemonLog().toFile().length() == 0) {
            Thread.sleep(5);
        }
        LogLimit.keep(files.daemonLog(), 20);
        assertThat(files.formerDaemonLog()).hasContent(first);
        second.kill();
        second.exitCode();
        assertThat(start("true").exitCode()).isEqualTo(OptionalInt.of(0));
        assertThat(files.earlierDaemonLog()).doesNotExist();
        assertThat(files.formerEarlierDaemonLog()).hasContent("more than the first\n");
    }

    @Test
    void theReportOfAnExitReadsTheOutputOfItsRunOnly() throws Exception {
        assertThat(start("sh", "-c", "echo No space left on device; sleep 0.5; exit 1")
                        .exitCode())
                .isEqualTo(OptionalInt.of(1));
        ExitReport report = new ExitReport(files, RunMark.now(files));
        Daemon daemon = start("sh", "-c", "echo Address already in use, and then more words; sleep 0.5; exit 1");
        Problem problem = report.problem(NodeId.of("rides/dc1/node-1"), daemon.pid(), daemon.exitCode());
        assertThat(problem.message())
                .isEqualTo("Cassandra ended with exit code 1: Address already in use, and then more words");
    }

    @Test
    void theExitCodeIsKnownToTheExecutorThatStartedTheDaemon() throws Exception {
        Daemon daemon = start("sh", "-c", "sleep 0.5; exit 3");
        assertThat(daemon.exitCode()).isEqualTo(OptionalInt.of(3));
        assertThat(daemon.isAlive()).isFalse();
    }
}
