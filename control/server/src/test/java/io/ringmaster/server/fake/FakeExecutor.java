package io.ringmaster.server.fake;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.VolumeUse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Answers like the executor of a node that starts at the pace of its ring as soon as it has a target. */
final class FakeExecutor implements AutoCloseable {
    private static final long HOLD_MS = 200;
    private static final VolumeUse VOLUME = new VolumeUse(1L << 20, 0, 1L << 30, 1L << 29);

    private final Allocation allocation;
    private final String token;
    private final FakeRing ring;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Instant started = Instant.now();
    private final String address;
    private final FakeDaemon daemon;
    private volatile @Nullable NodeTarget target;
    private final AtomicLong revision = new AtomicLong();

    /** @param kept the target that an earlier executor left on the volume */
    FakeExecutor(Allocation allocation, String address, @Nullable NodeTarget kept, String token, FakeRing ring) {
        this.allocation = allocation;
        this.address = address;
        this.token = token;
        this.ring = ring;
        this.daemon = new FakeDaemon(ring::pace, started);
        try {
            var listen = InetAddress.getAllByName(address)[0];
            server = HttpServer.create(
                    new InetSocketAddress(listen, allocation.ports().executor()), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (kept != null) {
            take(kept);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    @Override
    public void close() {
        ring.leaves(allocation.node());
        vanish();
    }

    /** Ends without a word to the ring, as with its machine. */
    void vanish() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** Differs between two runs of the same node's executor. */
    @Override
    public String toString() {
        return allocation.id() + " #" + System.identityHashCode(this);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] asked = exchange.getRequestBody().readAllBytes();
            boolean known =
                    ("Bearer " + token).equals(exchange.getRequestHeaders().getFirst("Authorization"));
            String answer = known ? answer(exchange, asked) : "token";
            byte[] body = answer.getBytes(UTF_8);
            exchange.sendResponseHeaders(known ? 200 : 401, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String answer(HttpExchange exchange, byte[] asked) throws InterruptedException {
        switch (exchange.getRequestURI().getPath()) {
            case "/v1/target" -> {
                boolean refuses = daemon.mode() != OperatingMode.DOWN
                        && "while=down".equals(exchange.getRequestURI().getQuery());
                long generation = refuses ? 0 : take(Json.parse(asked, NodeTarget.class));
                return "{\"generation\":" + generation + "}";
            }
            case "/v1/logs" -> {
                return "INFO  " + exchange.getRequestURI().getQuery() + "\n";
            }
            default -> {
                TimeUnit.MILLISECONDS.sleep(HOLD_MS);
                return "{\"revision\":" + revision.incrementAndGet() + ",\"status\":" + Json.text(status()) + "}";
            }
        }
    }

    Optional<NodeTarget> target() {
        return Optional.ofNullable(target);
    }

    /** An executor refuses a target of an older generation. */
    private synchronized long take(NodeTarget fresh) {
        NodeTarget known = target;
        NodeTarget newer = known == null || fresh.generation() >= known.generation() ? fresh : known;
        target = newer;
        daemon.follow(newer);
        gossip(newer);
        return newer.generation();
    }

    private OperatingMode gossip(NodeTarget now) {
        OperatingMode mode = daemon.mode();
        if (mode == OperatingMode.NORMAL) {
            ring.joins(allocation, address, now);
        } else {
            ring.goesDown(allocation.node());
        }
        return mode;
    }

    /** The daemon exits again and again, for this reason. */
    void fail(Problem why) {
        daemon.stop(why);
    }

    void recover() {
        daemon.start();
    }

    private synchronized NodeStatus status() {
        NodeTarget now = target;
        OperatingMode mode = now == null ? OperatingMode.DOWN : gossip(now);
        boolean normal = mode == OperatingMode.NORMAL;
        NodeTask task = now == null || !normal ? null : now.task();
        NodeStatus status = new NodeStatus(
                allocation.node(),
                now == null ? 0 : now.generation(),
                now == null ? 0 : now.specVersion(),
                now == null ? 0 : now.restarts(),
                mode,
                now == null ? "waits for its first target" : daemon.activity(),
                daemon.since(),
                daemon.stages(),
                1,
                2L,
                daemon.exits(),
                daemon.failure(),
                normal ? ring.seenBy(allocation.node()) : null,
                task == null ? null : done(task),
                Map.of());
        return NodeStatusBuilder.builder(status).volume(VOLUME).build();
    }

    private TaskStatus done(NodeTask task) {
        return new TaskStatus(
                task.id(), task.kind(), TaskStatus.State.DONE, 1, 1, "tables", "1 table", started, started);
    }
}
