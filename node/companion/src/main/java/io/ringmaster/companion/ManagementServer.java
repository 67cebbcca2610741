package io.ringmaster.companion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.companion.cassandra.FailureText;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;

/** HTTP/1.1 with JSON bodies, one request per connection, over a unix socket that only the node's user can open. */
final class ManagementServer implements AutoCloseable {
    private static final int MAX_LINE_BYTES = 8 * 1024;
    private static final int MAX_BODY_BYTES = 1024 * 1024;

    /** Answers one kind of request. A {@link Refusal} becomes its status, anything else that is thrown status 500. */
    interface Route {
        void answer(JsonNode body, Reply reply) throws Exception;
    }

    /** An error of the caller; the message names it. */
    static final class Refusal extends Exception {
        private static final long serialVersionUID = 1L;
        final int status;

        Refusal(int status, String message) {
            super(message);
            this.status = status;
        }
    }

    private final ServerSocketChannel channel;
    private final Map<String, Route> routes;

    private ManagementServer(ServerSocketChannel channel, Map<String, Route> routes) {
        this.channel = channel;
        this.routes = routes;
    }

    /** @param routes by method and path, such as {@code GET /node} */
    static ManagementServer open(Path socket, Map<String, Route> routes) throws IOException {
        Files.deleteIfExists(socket);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(socket));
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        ManagementServer server = new ManagementServer(channel, routes);
        daemon("ringmaster-management", server::accept);
        return server;
    }

    private void accept() {
        while (channel.isOpen()) {
            try {
                SocketChannel connection = channel.accept();
                daemon("ringmaster-request", () -> serve(connection));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            Reply reply = new Reply(Channels.newOutputStream(connection));
            try {
                answer(new BufferedInputStream(Channels.newInputStream(connection)), reply);
            } catch (Refusal e) {
                reply.error(e.status, FailureText.of(e));
            } catch (JsonProcessingException e) {
                reply.error(400, "body is not JSON: " + e.getOriginalMessage());
            } catch (Throwable e) { // an assertion of Cassandra, too: no answer would look like a node that hangs
                reply.error(500, text(FailureText.root(e)));
                if (e instanceof VirtualMachineError fatal) {
                    throw fatal;
                }
            }
        } catch (IOException e) {
            // the caller closed the connection
        }
    }

    private void answer(InputStream in, Reply reply) throws Exception {
        String[] request = line(in).split(" ", 3);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = contentLength(
                        header.substring("content-length:".length()).trim());
            }
        }
        byte[] body = in.readNBytes(length);
        String name = request.length < 2 ? "" : request[0] + " " + request[1];
        Route route = routes.get(name);
        if (route == null) {
            throw new Refusal(404, "no route '" + name + "'; the routes are " + String.join(", ", routes.keySet()));
        }
        route.answer(length == 0 ? Jackson.MAPPER.createObjectNode() : Jackson.MAPPER.readTree(body), reply);
    }

    private static int contentLength(String text) throws Refusal {
        try {
            int length = Integer.parseInt(text);
            if (length >= 0 && length <= MAX_BODY_BYTES) {
                return length;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new Refusal(400, "content-length '" + text + "' must be 0 to " + MAX_BODY_BYTES + " bytes");
    }

    private static String line(InputStream in) throws IOException, Refusal {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection was closed within a request");
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new Refusal(400, "request line or header longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.US_ASCII).stripTrailing();
    }

    /** With the class: a reader of the log looks for it. */
    private static String text(Throwable cause) {
        String text = FailureText.of(cause);
        String type = cause.getClass().getName();
        return text.startsWith(type) ? text : type + ": " + text;
    }

    static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
