package io.ringmaster.executor.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.settings.LiveSetter.Outcome;
import io.ringmaster.model.error.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a companion that gives a prepared answer. */
@Timeout(30)
class LiveSetterTest {
    private static final LiveChange CHANGE =
            new LiveChange(Map.of("concurrent_compactors", 0), List.of("max_hint_window"));

    @TempDir
    private Path directory;

    private volatile String answer = "";
    private volatile String request = "";
    private ServerSocketChannel channel;
    private LiveSetter setter;

    @BeforeEach
    void listen() throws IOException {
        Path socket = directory.resolve("s");
        channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(socket));
        Thread thread = new Thread(this::serve, "companion");
        thread.setDaemon(true);
        thread.start();
        setter = new LiveSetter(new CompanionClient(socket));
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    private void serve() {
        while (channel.isOpen()) {
            try (SocketChannel connection = channel.accept()) {
                ByteBuffer in = ByteBuffer.allocate(64 * 1024);
                connection.read(in);
                request = new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
                connection.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
            } catch (IOException e) {
                if (channel.isOpen()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private Outcome answered(String status, String body) {
        answer = "HTTP/1.1 " + status + "\r\n\r\n" + body;
        return setter.set(CHANGE, 1);
    }

    @Test
    void it_sends_values_and_defaults_and_returns_the_values_in_force() {
        assertThat(answered("200 OK", "{\"settings\":{\"concurrent_compactors\":\"0\",\"max_hint_window\":\"3h\"}}"))
                .isEqualTo(new Outcome.Changed(Map.of("concurrent_compactors", "0", "max_hint_window", "3h")));
        assertThat(request)
                .startsWith("POST /settings ")
                .endsWith("{\"values\":{\"concurrent_compactors\":0},\"defaults\":[\"max_hint_window\"]}");
    }

    @Test
    void a_refusal_names_the_parameter_and_cassandras_message() {
        assertThat(answered("200 OK", "{\"refused\":{\"concurrent_compactors\":\"should be greater than 0\"}}"))
                .isInstanceOfSatisfying(Outcome.Refused.class, r -> {
                    assertThat(r.problem().code()).isEqualTo(ErrorCode.CONFIGURATION_REJECTED);
                    assertThat(r.problem().field()).isEqualTo("cassandra_yaml.concurrent_compactors");
                    assertThat(r.problem().message()).contains("should be greater than 0");
                });
    }

    @Test
    void an_older_companion_is_unable() {
        assertThat(answered("404 Not Found", "{\"error\":\"no route\"}")).isEqualTo(new Outcome.Unable());
    }

    @Test
    void any_other_answer_leaves_the_outcome_unknown() {
        assertThat(answered("409 Conflict", "{\"error\":\"starting\"}")).isEqualTo(new Outcome.Unknown("starting"));
        assertThat(answered("200 OK", "{")).isInstanceOf(Outcome.Unknown.class);
    }
}
