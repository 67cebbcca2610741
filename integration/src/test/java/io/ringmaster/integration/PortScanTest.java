package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.ringmaster.host.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the scan of ports finds at ports that are known to be good or bad. */
@Timeout(60)
class PortScanTest {
    @TempDir
    private Path directory;

    private final List<Process> servers = new ArrayList<>();

    @BeforeEach
    void openssl() {
        assumeTrue(PortScan.hasOpenssl(), "openssl is not installed -> ./dev setup");
    }

    @AfterEach
    void stop() {
        servers.forEach(Process::destroyForcibly);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private Process openssl(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }

    /** A server of openssl that takes what the options say. */
    private InetSocketAddress server(String... options) throws Exception {
        String subject = "/CN=localhost";
        Process made = openssl(
                ("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key -out pem -days 1 -subj "
                                + subject)
                        .split(" "));
        assertThat(made.waitFor())
                .as(Files.readString(directory.resolve("output")))
                .isZero();
        int port = FreePorts.next();
        var arguments = new ArrayList<>(
                List.of("s_server", "-key", "key", "-cert", "pem", "-quiet", "-accept", "127.0.0.1:" + port));
        arguments.addAll(List.of(options));
        servers.add(openssl(arguments.toArray(String[]::new)));
        Patience.until("the server to listen", Duration.ofSeconds(20), () -> listens(port), on -> on);
        return loopback(port);
    }

    private static boolean listens(int port) {
        try (var socket = new Socket()) {
            socket.connect(loopback(port));
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Test
    void a_server_of_tls_1_2_and_1_3_alone_has_no_fault() throws Exception {
        InetSocketAddress good = server("-min_protocol", "TLSv1.2");
        assertThat(PortScan.faults(List.of(good))).isEmpty();
    }

    @Test
    void a_server_of_old_versions_is_found() throws Exception {
        InetSocketAddress old = server("-min_protocol", "TLSv1", "-cipher", "DEFAULT@SECLEVEL=0");
        assertThat(PortScan.faults(List.of(old)))
                .hasSize(2)
                .anySatisfy(fault -> assertThat(fault).contains("does not refuse openssl s_client -tls1:"))
                .anySatisfy(fault -> assertThat(fault).contains("does not refuse openssl s_client -tls1_1:"));
    }

    @Test
    void a_server_without_a_good_version_is_found() throws Exception {
        InetSocketAddress old = server("-max_protocol", "TLSv1.1", "-cipher", "DEFAULT@SECLEVEL=0");
        assertThat(PortScan.faults(List.of(old)))
                .anySatisfy(fault -> assertThat(fault).contains("takes neither TLS 1.2 nor 1.3"));
    }

    @Test
    void a_server_in_clear_text_is_found() throws Exception {
        HttpServer http = HttpServer.create(loopback(0), 0);
        // a thread for each connection: one that sends no whole line holds up no other
        ExecutorService threads = Executors.newCachedThreadPool();
        http.setExecutor(threads);
        http.start();
        try {
            assertThat(PortScan.faults(List.of(http.getAddress())))
                    .anySatisfy(fault -> assertThat(fault).contains("answers HTTP in clear text: HTTP/1.1 404"))
                    .anySatisfy(fault -> assertThat(fault).contains("takes neither TLS 1.2 nor 1.3"));
        } finally {
            http.stop(0);
            threads.shutdownNow();
        }
    }
}
