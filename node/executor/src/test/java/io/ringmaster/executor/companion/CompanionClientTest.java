package io.ringmaster.executor.companion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class CompanionClientTest {
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    /**
     * Path lengths around the limits of Java and Linux. The daemon is a process of the test; its working directory has
     * the socket.
     */
    @ParameterizedTest
    @ValueSource(ints = {105, 106, 107, 108, 150})
    void a_companion_answers_whatever_the_length_of_its_socket_path(int length, @TempDir Path folder) throws Exception {
        Path socket = socket(folder, length);
        Process daemon = new ProcessBuilder("sleep", "60")
                .directory(socket.getParent().toFile())
                .start();
        try (ServerSocketChannel companion = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            // bound by a short path, as the daemon does
            companion.bind(
                    UnixDomainSocketAddress.of(Path.of("/proc", String.valueOf(daemon.pid()), "cwd", "mgmt.sock")));
            Thread thread = new Thread(() -> answerOnce(companion));
            thread.setDaemon(true);
            thread.start();
            CompanionClient.Answer answer =
                    new CompanionClient(socket).call(daemon.pid(), "GET /node", new byte[0], Duration.ofSeconds(10));
            assertThat(answer).isEqualTo(new CompanionClient.Answer(200, "{}"));
        } finally {
            daemon.destroyForcibly();
        }
    }

    @Test
    void a_daemon_that_hangs_for_long_never_holds_up_its_executor(@TempDir Path folder) throws Exception {
        Path socket = folder.resolve("mgmt.sock");
        try (ServerSocketChannel hanging = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            hanging.bind(UnixDomainSocketAddress.of(socket));
            CompanionClient client = new CompanionClient(socket);
            for (int i = 0; i < 100; i++) { // more than the kernel keeps for it
                assertThatThrownBy(() -> client.node(1, Duration.ofMillis(5))).isInstanceOf(NoAnswerException.class);
            }
        }
    }

    private static Path socket(Path folder, int length) throws IOException {
        int missing = length - folder.toString().length() - "//mgmt.sock".length();
        Path socket =
                Files.createDirectories(folder.resolve("v".repeat(missing))).resolve("mgmt.sock");
        assertThat(socket.toString()).hasSize(length);
        return socket;
    }

    private static void answerOnce(ServerSocketChannel companion) {
        try (SocketChannel connection = companion.accept()) {
            connection.read(ByteBuffer.allocate(1024));
            connection.write(ByteBuffer.wrap(ANSWER.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
