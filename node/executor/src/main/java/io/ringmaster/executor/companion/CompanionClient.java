package io.ringmaster.executor.companion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ThrowableText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends requests over the companion's unix socket. Non-blocking, since a blocking unix socket has no timeout. */
public final class CompanionClient {
    /** The limit of Java, one byte less than the 107 of Linux. */
    private static final int UNIX_PATH_MAX_BYTES = 106;

    private static final ObjectReader NODE =
            Json.mapper().readerFor(NodeAnswer.class).with(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL);

    public static final int OK = 200;

    private final Path socket;

    public CompanionClient(Path socket) {
        this.socket = socket;
    }

    /**
     * @throws NoAnswerException nothing listens on the socket, there is no answer in time, it is an error, or it comes
     *     from another process than this daemon
     */
    public NodeAnswer node(long daemonPid, Duration timeout) throws NoAnswerException {
        NodeAnswer node = read(daemonPid, timeout);
        if (node.pid() != daemonPid) {
            throw NoAnswerException.useless("the process " + node.pid() + " answers on the socket of the daemon "
                    + daemonPid + ": end the one that should not run on this volume");
        }
        return node;
    }

    private NodeAnswer read(long daemonPid, Duration timeout) throws NoAnswerException {
        Answer answer = call(daemonPid, "GET /node", new byte[0], timeout);
        if (answer.status() != OK) {
            throw NoAnswerException.useless("its companion answers " + answer.status() + ": " + answer.error());
        }
        try {
            return NODE.readValue(answer.body());
        } catch (IOException e) {
            throw NoAnswerException.useless("its companion answers what cannot be read: " + e);
        }
    }

    /** @throws NoAnswerException nothing listens on the socket, or there is no answer in time; an error is an answer */
    public Answer call(long daemonPid, String request, byte[] body, Duration timeout) throws NoAnswerException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try {
            stream(daemonPid, request, body, timeout, whole);
            return Answer.parse(whole.toByteArray());
        } catch (IOException e) {
            throw new NoAnswerException(ThrowableText.of(e), e);
        }
    }

    /**
     * Copies the body of an answer as it arrives.
     *
     * @param timeout the longest time without any data
     * @throws NoAnswerException nothing was copied, because there is no answer or it is an error
     * @throws IOException the answer breaks off, or cannot be passed on
     */
    public void copy(long daemonPid, String request, Duration timeout, OutputStream to) throws IOException {
        AnswerBody body = new AnswerBody(to);
        try {
            stream(daemonPid, request, new byte[0], timeout, body);
        } catch (IOException e) {
            throw body.status() == 0 ? new NoAnswerException(ThrowableText.of(e), e) : e;
        }
        if (body.status() != OK) {
            throw NoAnswerException.useless("its companion answers " + body.status());
        }
    }

    private void stream(long daemonPid, String request, byte[] body, Duration timeout, OutputStream to)
            throws IOException {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
                Selector selector = Selector.open()) {
            channel.configureBlocking(false); // before it connects, which waits where the daemon's backlog is full
            if (!channel.connect(UnixDomainSocketAddress.of(path(daemonPid)))) {
                throw new SocketTimeoutException("the companion accepts nothing");
            }
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
        private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3})");

        static Answer parse(byte[] whole) throws IOException {
            String text = new String(whole, StandardCharsets.UTF_8);
            int end = text.indexOf("\r\n\r\n");
            int status = status(text);
            if (status == 0 || end < 0) {
                throw new IOException("not an HTTP answer of " + whole.length + " bytes from the companion");
            }
            return new Answer(status, text.substring(end + 4));
        }

        /** 0 if the text is not the start of an HTTP answer. */
        static int status(String text) {
            Matcher line = STATUS.matcher(text);
            return line.lookingAt() ? Integer.parseInt(line.group(1)) : 0;
        }

        /** The companion's own words; never empty. */
        public String error() {
            try {
                String error = Json.mapper().readTree(body).path("error").asText();
                if (!error.isBlank()) {
                    return error;
                }
            } catch (JsonProcessingException e) {
                // not the companion's form: the body says what there is
            }
            return body.isBlank() ? "HTTP " + status + " without a text" : body.strip();
        }
    }
}
