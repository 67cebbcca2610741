package io.ringmaster.wire.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ringmaster.json.Json;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.LoginOrder;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskSecrets;
import io.ringmaster.ports.Authorities;
import io.ringmaster.ports.Clock;
import io.ringmaster.ports.ExecutorAccess;
import io.ringmaster.ports.ExecutorClient;
import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.RolePasswords;
import io.ringmaster.wire.client.FailureReason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
 * Watches executors by long polling: an executor answers when its status changes or when the wait ends. All nodes share
 * three threads: one for scheduling and two for I/O. A thousand nodes cost a thousand open connections and no further
 * threads.
 */
public final class HttpExecutorClient implements ExecutorClient, ExecutorLogs, ExecutorLogins {
    private static final Logger LOG = LoggerFactory.getLogger(HttpExecutorClient.class);
    /** The node waits for a quorum. */
    private static final Duration LOGIN_LIMIT = Duration.ofSeconds(12);

    /** The executor answers that its state allows it later, or that something newer is there already. */
    static final int CONFLICT = 409;

    static final String NO_ACCESS = "the pool does not know its address yet";

    /**
     * @param poll the time that an executor may hold a poll while nothing changes
     * @param answer the further time that any answer may take
     * @param retry the pause after the first failure; doubles with each further failure
     * @param retryMost the longest pause
     */
    public record Timing(Duration poll, Duration answer, Duration retry, Duration retryMost) {
        public static final Timing USUAL = new Timing(
                Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofMillis(100), Duration.ofSeconds(3));

        /** The time between two looks at whether the pool reports another address than that of an open poll. */
        Duration look() {
            return retryMost.dividedBy(3);
        }
    }

    private final Function<AllocationId, Optional<ExecutorAccess>> accesses;
    private final CertificateDelivery certificates;
    private final Timing timing;
    private final Map<NodeId, WatchedNode> watched = new ConcurrentHashMap<>();
    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(daemon("executor-client"));
    /** A hash takes a tenth of a second, so it must not hold up the polls. */
    private final ExecutorService hashing = Executors.newSingleThreadExecutor(daemon("executor-client-hashing"));

    private final ExecutorService io = Executors.newFixedThreadPool(2, daemon("executor-client-io"));
    private final ExecutorConnections connections;
    private final RolePasswords passwords;
    private volatile @Nullable FactSink facts;

    /**
     * @param accesses the pool's answer for an allocation; asked before each request, because it may change
     * @param authorities issue the certificates of nodes, and that of this server to its executors
     * @param passwords travel with the tasks that write roles
     * @param datacenter of this server and its executors
     */
    public HttpExecutorClient(
            Function<AllocationId, Optional<ExecutorAccess>> accesses,
            Authorities authorities,
            RolePasswords passwords,
            DatacenterName datacenter,
            Clock clock,
            Timing timing) {
        this.accesses = accesses;
        this.passwords = passwords;
        this.certificates = new CertificateDelivery(this, authorities, io);
        this.timing = timing;
        this.connections = new ExecutorConnections(
                () -> HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(timing.answer())
                        .executor(io),
                authorities,
                datacenter,
                clock);
    }

    @Override
    public void start(FactSink sink) {
        facts = sink;
        long everyMs = timing.look().toMillis();
        var unused = scheduler.scheduleWithFixedDelay(
                () -> watched.values().forEach(node -> guarded(node::followAccess)),
                everyMs,
                everyMs,
                TimeUnit.MILLISECONDS);
    }

    @Override
    public void watch(Command.Watch command) {
        watched.compute(command.node(), (name, before) -> {
            if (before != null && before.allocation().equals(command.allocation())) {
                return before;
            }
            if (before != null) {
                before.stop();
            }
            var node = new WatchedNode(this, name, command.allocation());
            run(node::poll);
            return node;
        });
    }

    @Override
    public void apply(Command.Apply command) {
        NodeTask task = command.target().task();
        if (task == null || !task.needsSecrets()) {
            send(command, null);
            return;
        }
        try {
            hashing.execute(() -> guarded(() ->
                    send(command, passwords.secrets(command.target().node().cluster(), task))));
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    private void send(Command.Apply command, @Nullable TaskSecrets secrets) {
        NodeId node = command.target().node();
        Optional<ExecutorAccess> access = access(command.allocation());
        if (access.isEmpty()) {
            LOG.info("{}: target {} not delivered: {}", node, command.target().generation(), NO_ACCESS);
            return;
        }
        // executors of older versions skip the condition
        String path = command.onlyWhileDown() ? "target?while=down" : "target";
        HttpRequest request = request(access.get(), path, timing.answer())
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofByteArray(body(command.target(), access.get(), secrets)))
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
                        "{}: target {} refused: {}",
                        node,
                        command.target().generation(),
                        ExecutorAnswer.refusal(response));
            } else {
                run(() -> Optional.ofNullable(watched.get(node)).ifPresent(WatchedNode::pollNow));
            }
        });
    }

    /** Executors of older versions take their address from the target; others skip it. */
    private static byte[] body(NodeTarget target, ExecutorAccess access, @Nullable TaskSecrets secrets) {
        ObjectNode body = Json.mapper().valueToTree(target);
        if (secrets != null) {
            body.set("taskSecrets", Json.mapper().valueToTree(secrets));
        }
        body.put("address", String.valueOf(access.baseUrl().getHost()).replaceAll("[\\[\\]]", ""));
        return Json.bytes(body);
    }

    @Override
    public void forget(Command.Forget command) {
        watched.computeIfPresent(command.node(), (name, node) -> {
            node.stop();
            return null;
        });
    }

    @Override
    public void makeAuthority(Command.MakeAuthority command) {
        certificates.make(command);
    }

    @Override
    public void certify(Command.Certify command) {
        certificates.issue(command);
    }

    /** Stops watching every node, because another server leads. */
    public void forgetAll() {
        watched.values().removeIf(node -> {
            node.stop();
            return true;
        });
    }

    @Override
    public String tail(Allocation allocation, String file, int lines) throws IOException {
        ExecutorAccess access = access(allocation).orElseThrow(() -> new IOException(NO_ACCESS));
        return answer(
                access,
                request(access, "logs?file=" + file + "&lines=" + lines, timing.answer())
                        .GET()
                        .build());
    }

    @Override
    public void create(Allocation allocation, LoginOrder login) throws IOException {
        ExecutorAccess access = access(allocation).orElseThrow(() -> new IOException(NO_ACCESS));
        answer(
                access,
                request(access, "logins", LOGIN_LIMIT)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofByteArray(Json.bytes(login)))
                        .build());
    }

    private String answer(ExecutorAccess access, HttpRequest request) throws IOException {
        try {
            HttpResponse<String> response = send(access, request).get();
            if (response.statusCode() == 200) {
                return response.body();
            }
            String ofCompanion = ExecutorAnswer.ofCompanion(response);
            if (response.statusCode() == CONFLICT && !ofCompanion.isEmpty()) {
                throw new NotYetException(ofCompanion);
            }
            throw new IOException(ExecutorAnswer.refusal(response));
        } catch (ExecutionException e) {
            throw new IOException("the executor at " + request.uri().getAuthority() + ": " + FailureReason.of(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
        io.shutdownNow();
        hashing.shutdownNow();
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

    /** Every failure is in the future: a server without a certificate of its own must not end a poll for good. */
    CompletableFuture<HttpResponse<String>> send(ExecutorAccess access, HttpRequest request) {
        long limitMs =
                request.timeout().orElse(timing.answer()).plus(timing.answer()).toMillis();
        try {
            return connections
                    .to(access)
                    .sendAsync(request, BodyHandlers.ofString())
                    .orTimeout(limitMs, TimeUnit.MILLISECONDS);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    void run(Runnable task) {
        later(task, Duration.ZERO);
    }

    void later(Runnable task, Duration delay) {
        try {
            var unused = scheduler.schedule(() -> guarded(task), delay.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            return;
        }
    }

    void report(Fact fact) {
        FactSink sink = facts;
        if (sink != null) {
            sink.accept(fact);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a task of the executor client failed", e);
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
