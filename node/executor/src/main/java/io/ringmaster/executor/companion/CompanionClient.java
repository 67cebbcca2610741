package io.ringmaster.executor.companion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import io.ringmaster.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/** Sends requests over the companion's unix socket. Non-blocking, since a blocking unix socket has no timeout. */
public final class CompanionClient {
    /** The limit of Java, one byte less than the 107 of Linux. */
    private static final int UNIX_PATH_MAX_BYTES = 106;

    private static final ObjectReader NODE =
            Json.mapper().readerFor(NodeAnswer.class).with(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL);

    private final Path socket;

    public CompanionClient(Path socket) {
        this.socket = socket;
    }

    /** @throws IOException nothing listens on the socket, or there is no answer in time */
    public NodeAnswer node(long daemonPid, Duration timeout) throws IOException {
        Answer answer = call(daemonPid, "GET /node", new byte[0], timeout);
        try {
            return NODE.readValue(answer.body());
        } catch (JsonProcessingException e) {
            throw new IOException("the companion answered " + answer.status(), e);
        }
    }

    public Answer call(long daemonPid, String request, byte[] body, Duration timeout) throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        stream(daemonPid, request, body, timeout, whole);
        return Answer.parse(whole.toByteArray());
    }

    /**
     * Copies the raw HTTP answer as it arrives.
     *
     * @param timeout the longest time without any data
     */
    public void stream(long daemonPid, String request, byte[] body, Duration timeout, OutputStream to)
            throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path(daemonPid)));
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
            ByteBuffer out = ByteBuffer.wrap(request(request, body));
            while (out.hasRemaining()) {
                await(selector, timeout);
                channel.write(out);
            }
            key.interestOps(SelectionKey.OP_READ);
            ByteBuffer in = ByteBuffer.allocate(16 * 1024);
            while (true) {
                await(selector, timeout);
                if (channel.read(in) < 0) {
                    return;
                }
                to.write(in.array(), 0, in.position());
                in.clear();
            }
        }
    }

    private static void await(Selector selector, Duration timeout) throws IOException {
        if (selector.select(timeout.toMillis()) == 0) {
            throw new SocketTimeoutException("the companion did not answer for " + timeout.toMillis() + " ms");
        }
        selector.selectedKeys().clear();
    }

    private static byte[] request(String request, byte[] body) {
        byte[] head = (request + " HTTP/1.1\r\nHost: node\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[head.length + body.length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(body, 0, whole, head.length, body.length);
        return whole;
    }

    /** A path that is too long for a unix socket goes through the daemon's working directory, which is the volume. */
    private Path path(long daemonPid) {
        return socket.toString().getBytes(StandardCharsets.UTF_8).length <= UNIX_PATH_MAX_BYTES
                ? socket
                : Path.of(
                        "/proc",
                        String.valueOf(daemonPid),
                        "cwd",
                        socket.getFileName().toString());
    }

    /** A complete HTTP answer. */
    public record Answer(int status, String body) {
        static Answer parse(byte[] whole) throws IOException {
            String text = new String(whole, StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            if (!text.startsWith("HTTP/1.1 ") || end < 0) {
                throw new IOException("not an HTTP answer of " + whole.length + " bytes from the companion");
            }
            int status = Integer.parseInt(text.substring(9, 12));
            return new Answer(status, text.substring(end + 4));
        }
    }
}
