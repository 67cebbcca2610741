package io.ringmaster.wire.node;

import io.ringmaster.json.Json;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import io.ringmaster.wire.client.FailureReason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows executors by long polling: an executor answers when something changed, or when the wait ends. All nodes share three
 * threads: one that keeps the books and two that move bytes; a thousand nodes are a thousand open connections, no more.
 */
public final class HttpExecutorClient implements ExecutorClient, ExecutorLogs {
    private static final Logger LOG = LoggerFactory.getLogger(HttpExecutorClient.class);
    static final String NO_ACCESS = "the pool has no such allocation, or is not open yet";

    /**
     * @param poll how long an executor may hold a question when nothing changes
     * @param answer how long any answer may take beyond that
     * @param retry the first pause after a failure; doubles with each
     * @param retryMost the longest pause
     */
    public record Timing(Duration poll, Duration answer, Duration retry, Duration retryMost) {
        public static final Timing USUAL = new Timing(
                Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofMillis(100), Duration.ofSeconds(3));
    }

    private final Function<AllocationId, Optional<ExecutorAccess>> accesses;
    private final Timing timing;
    private final Map<NodeId, WatchedNode> watched = new HashMap<>();
    private final ScheduledExecutorService books = Executors.newSingleThreadScheduledExecutor(daemon("node-agent"));
    private final ExecutorService bytes = Executors.newFixedThreadPool(2, daemon("node-agent-io"));
    private final TrustingClients clients;
    private volatile @Nullable FactSink facts;

    /** @param accesses the pool's answer for an allocation; asked before each request, because it may change */
    public HttpExecutorClient(Function<AllocationId, Optional<ExecutorAccess>> accesses, Timing timing) {
        this.accesses = accesses;
        this.timing = timing;
        this.clients = new TrustingClients(() -> HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(timing.answer())
                .executor(bytes));
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
    }

    @Override
    public void watch(Command.Watch command) {
        run(() -> {
            WatchedNode before = watched.get(command.node());
            if (before == null || !before.allocation().equals(command.allocation())) {
                forgetNow(command.node());
                var node = new WatchedNode(this, command.node(), command.allocation());
                watched.put(command.node(), node);
                node.poll();
            }
        });
    }

    @Override
    public void apply(Command.Apply command) {
        NodeId node = command.target().node();
        Optional<ExecutorAccess> access = access(command.allocation());
        if (access.isEmpty()) {
            LOG.info("{}: target {} not delivered: {}", node, command.target().generation(), NO_ACCESS);
            return;
        }
        HttpRequest request = request(access.get(), "target", timing.answer())
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArray(Json.bytes(command.target())))
                .build();
        var unused = send(access.get(), request).whenComplete((response, failure) -> {
            if (failure != null) {
                LOG.info(
                        "{}: target {} not delivered: {}",
                        node,
                        command.target().generation(),
                        FailureReason.of(failure));
            } else if (response.statusCode() != 200) {
                LOG.warn(
                        "{}: target {} refused with HTTP {}: {}",
                        node,
                        command.target().generation(),
                        response.statusCode(),
                        response.body());
            } else {
                run(() -> Optional.ofNullable(watched.get(node)).ifPresent(WatchedNode::hurry));
            }
        });
    }

    @Override
    public void forget(Command.Forget command) {
        run(() -> forgetNow(command.node()));
    }

    /** Follows nobody any more; another server does. */
    public void forgetAll() {
        run(() -> {
            watched.values().forEach(WatchedNode::stop);
            watched.clear();
        });
    }

    @Override
    public String tail(Allocation allocation, String file, int lines) throws IOException {
        ExecutorAccess access = access(allocation).orElseThrow(() -> new IOException(NO_ACCESS));
        var request = request(access, "logs?file=" + file + "&lines=" + lines, timing.answer())
                .GET()
                .build();
        try {
            HttpResponse<String> response = send(access, request).get();
            if (response.statusCode() != 200) {
                throw new IOException("the executor answers HTTP " + response.statusCode() + ": " + response.body());
            }
            return response.body();
        } catch (ExecutionException e) {
            throw new IOException("the executor at " + request.uri().getAuthority() + ": " + FailureReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        books.shutdownNow();
        bytes.shutdownNow();
    }

    Timing timing() {
        return timing;
    }

    Optional<ExecutorAccess> access(Allocation allocation) {
        return accesses.apply(allocation.id());
    }

    HttpRequest.Builder request(ExecutorAccess access, String pathAndQuery, Duration timeout) {
        return HttpRequest.newBuilder(URI.create(access.baseUrl() + "/v1/" + pathAndQuery))
                .timeout(timeout)
                .header("Authorization", "Bearer " + access.token());
    }

    CompletableFuture<HttpResponse<String>> send(ExecutorAccess access, HttpRequest request) {
        long limitMs =
                request.timeout().orElse(timing.answer()).plus(timing.answer()).toMillis();
        return clients.of(access.caPem())
                .sendAsync(request, BodyHandlers.ofString())
                .orTimeout(limitMs, TimeUnit.MILLISECONDS);
    }

    void run(Runnable task) {
        later(task, Duration.ZERO);
    }

    void later(Runnable task, Duration delay) {
        try {
            var unused = books.schedule(() -> guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    void tell(Fact fact) {
        FactSink sink = facts;
        if (sink != null) {
            sink.accept(fact);
        }
    }

    private void forgetNow(NodeId node) {
        WatchedNode gone = watched.remove(node);
        if (gone != null) {
            gone.stop();
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("node agent", e);
        }
    }

    private static ThreadFactory daemon(String name) {
        return task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
