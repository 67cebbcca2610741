package io.ringmaster.executor;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A companion that reports a prepared state, and keeps the requests that it got. It answers eight routes and refuses
 * the others.
 */
public final class CompanionDouble implements AutoCloseable {
    public static final String METRICS = "cassandra_reads 7\ncassandra_writes 8\n";

    private static final Set<String> ROUTES = Set.of(
            "GET /node",
            "GET /metrics",
            "POST /drain",
            "POST /clients/open",
            "POST /mbean",
            "POST /settings",
            "POST /task",
            "POST /task/abort");

    private final ServerSocketChannel socket;
    private final Map<String, Object> node = new ConcurrentHashMap<>();
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private volatile CountDownLatch drain = new CountDownLatch(0);
    private volatile String broken = "nothing";
    private volatile @Nullable String failure;

    public CompanionDouble(NodeFiles files, long daemonPid) throws IOException {
        socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        socket.bind(UnixDomainSocketAddress.of(files.socket()));
        node.putAll(Map.of("pid", daemonPid, "activity", "", "awaitsClients", false));
        report("NORMAL", true);
        Thread thread = new Thread(this::serve, "companion");
        thread.setDaemon(true);
        thread.start();
    }

    public void report(String mode, boolean cql) {
        node.putAll(Map.of("mode", mode, "cql", cql));
    }

    /** Each answer comes from a process with this id. */
    public void reportPid(long pid) {
        node.put("pid", pid);
    }

    /** From now on connections with this request end without an answer. */
    public void breakOff(String request) {
        broken = request;
    }

    /** From now on each answer is an error with this text. */
    public void fail(String error) {
        failure = error;
    }

    public Queue<String> requests() {
        return requests;
    }

    /** A drain is answered only after {@link CountDownLatch#countDown}. */
    public CountDownLatch holdDrain() {
        CountDownLatch held = new CountDownLatch(1);
        drain = held;
        return held;
    }

    private void serve() {
        while (socket.isOpen()) {
            try (SocketChannel connection = socket.accept()) {
                ByteBuffer in = ByteBuffer.allocate(64 * 1024);
                connection.read(in);
                String request = new String(in.array(), 0, in.position(), StandardCharsets.UTF_8)
                        .lines()
                        .findFirst()
                        .orElse("");
                requests.add(request);
                if (request.startsWith("POST /drain")) {
                    drain.await();
                }
                if (request.startsWith(broken + " ")) {
                    continue;
                }
                String error = failure;
                String answer = error != null
                        ? "HTTP/1.1 500 Error\r\n\r\n" + Json.text(Map.of("error", error))
                        : ROUTES.contains(request.replace(" HTTP/1.1", ""))
                                ? "HTTP/1.1 200 OK\r\n\r\n"
                                        + (request.startsWith("GET /metrics") ? METRICS : Json.text(state()))
                                : "HTTP/1.1 501 Not Implemented\r\n\r\n{}";
                connection.write(ByteBuffer.wrap(answer.getBytes(StandardCharsets.UTF_8)));
            } catch (java.nio.channels.ClosedChannelException e) {
                return;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>(node);
        state.put("ring", TestTargets.RING);
        return state;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
