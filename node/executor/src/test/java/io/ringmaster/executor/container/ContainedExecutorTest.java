package io.ringmaster.executor.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.executor.ExecutorMain;
import io.ringmaster.host.FreePorts;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An executor as a process, without a target. */
@Timeout(60)
class ContainedExecutorTest {
    private static final String SECRET = "d41d8cd98f00b204";

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private Path allocation;
    private int port;
    private ProcessBuilder.Redirect output;
    private @Nullable Process started;

    @BeforeEach
    void prepare() throws IOException {
        allocation = Files.createDirectory(directory.resolve("allocation"));
        port = FreePorts.next();
        output = ProcessBuilder.Redirect.to(out().toFile());
    }

    @AfterEach
    void end() {
        if (started != null) {
            started.destroyForcibly();
        }
    }

    private Path out() {
        return directory.resolve("out");
    }

    private Process start(List<String> prefix, List<String> more) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), SECRET + "\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("r--r-----"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(prefix);
        command.add(java);
        command.addAll(ExecutorMain.JVM_OPTIONS);
        command.addAll(Container.JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ExecutorMain.class.getName()));
        command.addAll(List.of("--node", "rides/dc1/node-0", "--listen", "127.0.0.1", "--port", "" + port));
        command.addAll(List.of("--directory", allocation.toString(), "--jars", directory.toString()));
        command.addAll(List.of("--companion", java, "--java", java, "--token", secret.toString()));
        command.addAll(more);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output)
                .start();
        started = process;
        return process;
    }

    private HttpResponse<String> get(String path, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + token)
                .build();
        while (true) {
            try {
                return client.send(request, HttpResponse.BodyHandlers.ofString());
            } catch (ConnectException e) {
                assertThat(started.isAlive()).as(() -> read(out())).isTrue();
                Thread.sleep(20);
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void it_ends_with_exit_code_0_on_sigterm_and_keeps_its_log_and_its_secret() throws Exception {
        Process executor = start(List.of(), List.of("--contained", "yes"));
        assertThat(get("/v1/live", "").statusCode()).isEqualTo(200);
        assertThat(get("/v1/ready", "").statusCode()).isEqualTo(503);
        assertThat(get("/v1/status", "wrong").statusCode()).isEqualTo(401);
        assertThat(get("/v1/status", SECRET).statusCode()).isEqualTo(200);
        assertThat(get("/v1/logs?file=executor", SECRET).body()).contains("listens on");
        Files.writeString(allocation.resolve("volume/logs/daemon.log"), "a line of Cassandra\n");
        String processes = read(Path.of("/proc", "" + executor.pid(), "cmdline"))
                + read(Path.of("/proc", "" + executor.pid(), "environ"));
        executor.destroy();
        assertThat(executor.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.exitValue()).as(() -> read(out())).isZero();
        assertThat(read(out())).contains("a line of Cassandra\n").contains("the executor ends with exit code 0");
        assertThat(read(allocation.resolve("executor.log")))
                .contains("listens on", "the executor ends with exit code 0")
                .doesNotContain("a line of Cassandra");
        assertThat(processes + read(out()) + read(allocation.resolve("executor.log")))
                .doesNotContain(SECRET);
    }

    @Test
    void without_the_option_sigterm_ends_it_as_before_and_only_standard_output_has_its_log() throws Exception {
        Process executor = start(List.of(), List.of());
        assertThat(get("/v1/live", "").statusCode()).isEqualTo(200);
        executor.destroy();
        assertThat(executor.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(executor.exitValue()).isEqualTo(143);
        assertThat(allocation.resolve("executor.log")).doesNotExist();
    }

    /** Its standard output is a file that the pool has opened for appending, and its daemon's is one, too. */
    @Test
    void logs_that_are_too_long_are_emptied_and_written_on() throws Exception {
        Path log = allocation.resolve("executor.log");
        Path daemonLog =
                Files.createDirectories(allocation.resolve("volume/logs")).resolve("daemon.log");
        for (Path path : List.of(log, daemonLog)) {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(21 << 20);
            }
        }
        output = ProcessBuilder.Redirect.appendTo(log.toFile());
        start(List.of(), List.of());
        assertThat(get("/v1/live", "").statusCode()).isEqualTo(200);
        while (!read(log).contains("listens on")) {
            Thread.sleep(20);
        }
        assertThat(Files.size(log)).isLessThan(10_000);
        assertThat(daemonLog).isEmptyFile();
        assertThat(Files.size(log.resolveSibling("executor.log.1"))).isEqualTo(20 << 20);
        assertThat(Files.size(daemonLog.resolveSibling("daemon.log.1"))).isEqualTo(20 << 20);
    }

    @Test
    void as_the_first_process_of_a_container_it_ends_the_same_way() throws Exception {
        List<String> namespace = List.of("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");
        List<String> attempt = new ArrayList<>(namespace);
        attempt.add("true");
        assumeTrue(new ProcessBuilder(attempt).start().waitFor() == 0, "needs root for a namespace of processes");
        Process outer = start(namespace, List.of("--contained", "yes"));
        assertThat(get("/v1/status", SECRET).body()).contains("\"executorPid\":1,");
        outer.toHandle().children().forEach(ProcessHandle::destroy);
        assertThat(outer.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(outer.exitValue()).as(() -> read(out())).isZero();
        assertThat(read(out())).doesNotContain("stay zombies");
    }
}
