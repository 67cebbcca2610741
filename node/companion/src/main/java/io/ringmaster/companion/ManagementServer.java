package io.ringmaster.companion;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.util.concurrent.Uninterruptibles;
import io.ringmaster.companion.cassandra.CompanionThreads;
import io.ringmaster.companion.cassandra.FailureText;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP/1.1 with JSON bodies, one request per connection, over a unix socket that only the node's user can open. It
 * accepts until it is closed, whatever fails, and has a fixed number of threads. Requests that hang take no more of
 * them than one route may have; those that find no room are refused with status 503.
 */
final class ManagementServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementServer.class);
    private static final int THREADS = 20;
    private static final int THREADS_PER_ROUTE = 5;

    /** Callers send a request in one piece. */
    private static final Duration REQUEST_DEADLINE = Duration.ofSeconds(10);

    /** For example, the process has no file descriptor left. */
    private static final long ACCEPT_RETRY_MS = 100;

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
    private final RequestDeadline requests;
    private final Map<String, Semaphore> room = new HashMap<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(THREADS),
            work -> CompanionThreads.of("ringmaster-request", work));

    private ManagementServer(ServerSocketChannel channel, Map<String, Route> routes, Duration deadline) {
        this.channel = channel;
        this.routes = routes;
        this.requests = new RequestDeadline(deadline);
        routes.keySet().forEach(route -> room.put(route, new Semaphore(THREADS_PER_ROUTE)));
    }

    /**
     * Opens the socket, in place of one that a dead process left.
     *
     * @param routes by method and path, such as {@code GET /node}
     * @throws IOException the socket cannot be opened, or another process listens on it and keeps it
     */
    static ManagementServer open(Path socket, Map<String, Route> routes) throws IOException {
        return open(socket, routes, REQUEST_DEADLINE);
    }

    /** @param deadline how long the head and the body of a request may take */
    static ManagementServer open(Path socket, Map<String, Route> routes, Duration deadline) throws IOException {
        if (isListenedOn(socket)) {
            throw new IOException("another process listens on " + socket
                    + ", so a daemon of this node runs already -> end it first, or leave it running");
        }
        Files.deleteIfExists(socket);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        channel.bind(UnixDomainSocketAddress.of(socket));
        Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        return open(channel, routes, deadline);
    }

    /** @param channel it is bound */
    static ManagementServer open(ServerSocketChannel channel, Map<String, Route> routes, Duration deadline) {
        ManagementServer server = new ManagementServer(channel, routes, deadline);
        server.threads.prestartAllCoreThreads(); // later, the system may give no more threads
        CompanionThreads.start("ringmaster-management", server::accept);
        return server;
    }

    /** Also when that process hangs: it does not wait for an answer. */
    private static boolean isListenedOn(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            return true;
        } catch (IOException e) {
            return false; // no file, or nobody listens
        }
    }

    private void accept() {
        boolean fails = false;
        while (channel.isOpen()) {
            try {
                dispatch(channel.accept());
                fails = false;
            } catch (Throwable e) { // only the end of the process may close this door
                if (channel.isOpen()) {
                    if (!fails) {
                        LOG.warn("Cannot accept a request; tries again every {} ms", ACCEPT_RETRY_MS, e);
                    }
                    fails = true;
                    Uninterruptibles.sleepUninterruptibly(ACCEPT_RETRY_MS, TimeUnit.MILLISECONDS);
                }
            }
        }
    }

    private void dispatch(SocketChannel connection) throws IOException {
        try {
            threads.execute(() -> serve(connection));
        } catch (RejectedExecutionException e) {
            try (connection) {
                new Reply(Channels.newOutputStream(connection))
                        .error(503, THREADS + " requests are at work and as many wait: ask again later");
            }
        } catch (Throwable e) {
            connection.close();
            throw e;
        }
    }

    private void serve(SocketChannel connection) {
        try (connection) {
            Reply reply = new Reply(Channels.newOutputStream(connection));
            try {
                answer(requests.read(connection), reply);
            } catch (Refusal e) {
                reply.error(e.status, FailureText.of(e));
            } catch (JsonProcessingException e) {
                reply.error(400, "body is not JSON: " + e.getOriginalMessage());
            } catch (Throwable e) { // an assertion of Cassandra, too: no answer would look like a node that hangs
                reply.error(500, FailureText.withClass(FailureText.root(e)));
                if (e instanceof VirtualMachineError fatal) {
                    throw fatal;
                }
            }
        } catch (IOException e) {
            // the caller closed the connection, or its deadline passed
        } catch (RuntimeException e) {
            LOG.warn("Cannot answer a request", e);
        }
    }

    private void answer(SocketRequest request, Reply reply) throws Exception {
        String name = request.route();
        Route route = routes.get(name);
        Semaphore free = room.get(name);
        if (route == null || free == null) {
            throw new Refusal(404, "no route '" + name + "'; the routes are " + String.join(", ", routes.keySet()));
        }
        JsonNode body = request.body();
        if (!free.tryAcquire()) {
            throw new Refusal(503, THREADS_PER_ROUTE + " requests " + name + " are at work: ask again later");
        }
        try {
            route.answer(body, reply);
        } finally {
            free.release();
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        threads.shutdown();
        requests.shutdown();
    }
}
