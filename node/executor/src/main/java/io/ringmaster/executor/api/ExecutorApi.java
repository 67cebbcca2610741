package io.ringmaster.executor.api;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.identity.NodeIdentity;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.state.Pulse;
import io.ringmaster.executor.state.StatusBoard;
import io.ringmaster.executor.state.StatusBoard.Posted;
import io.ringmaster.executor.state.TargetStore;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TaskSecrets;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The executor's HTTP API. A request must carry the allocation's bearer token, and with a door come from a server of
 * the datacenter, except for the two probes, whose answers have no body: a kubelet has neither.
 */
public final class ExecutorApi {
    private static final String LIVE = "/v1/live";
    private static final String READY = "/v1/ready";
    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final Duration LOGIN_LIMIT = Duration.ofSeconds(10);
    private static final int MAX_BODY_BYTES = 1024 * 1024;
    private static final int MAX_LINES = 10_000;

    private final byte[] token;
    private final @Nullable Door door;
    private final NodeFiles files;
    private final StatusBoard board;
    private final TargetStore targets;
    private final NodeIdentity identity;
    private final CompanionClient companion;

    private ExecutorApi(
            byte[] token,
            @Nullable Door door,
            NodeFiles files,
            StatusBoard board,
            TargetStore targets,
            NodeIdentity identity,
            CompanionClient companion) {
        this.token = token;
        this.door = door;
        this.files = files;
        this.board = board;
        this.targets = targets;
        this.identity = identity;
        this.companion = companion;
    }

    /** @param door null for http */
    public static HttpServer open(
            InetSocketAddress address,
            AccessToken token,
            @Nullable Door door,
            NodeFiles files,
            StatusBoard board,
            TargetStore targets,
            NodeIdentity identity,
            CompanionClient companion)
            throws IOException {
        byte[] secret = token.value().getBytes(StandardCharsets.UTF_8);
        ExecutorApi api = new ExecutorApi(secret, door, files, board, targets, identity, companion);
        HttpServer server = door == null ? HttpServer.create(address, 0) : secure(address, door);
        server.createContext(LIVE, api.probe(LIVE, board.pulse()::isLive));
        server.createContext(READY, api.probe(READY, board::ready));
        server.createContext("/v1/status", api.guarded("GET", api::status));
        server.createContext("/v1/target", api.guarded("PUT", api::target));
        server.createContext("/v1/identity", api.guarded("PUT", api::identity));
        server.createContext("/v1/logins", api.guarded("POST", api::login));
        server.createContext("/v1/logs", api.guarded("GET", api::logs));
        server.createContext("/v1/metrics", api.guarded("GET", api::metrics));
        server.createContext("/v1/management", api.guarded("POST", api::management));
        server.setExecutor(Executors.newCachedThreadPool(request -> {
            Thread thread = new Thread(request, "http");
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
        return server;
    }

    private static HttpServer secure(InetSocketAddress address, Door door) throws IOException {
        HttpsServer server = HttpsServer.create(address, 0);
        server.setHttpsConfigurator(door.configurator());
        return server;
    }

    private interface Route {
        void answer(Exchange exchange) throws IOException, InterruptedException;
    }

    /** Answers 200 or 503, to everybody; a longer path, which the server passes here too, needs the token. */
    private HttpHandler probe(String path, BooleanSupplier isGood) {
        Route answer = exchange -> exchange.empty(isGood.getAsBoolean() ? 200 : 503);
        HttpHandler other = guarded("GET", exchange -> exchange.empty(404));
        return http -> {
            if (!http.getRequestURI().getPath().equals(path)) {
                other.handle(http);
                return;
            }
            try (Exchange exchange = new Exchange(http)) {
                answer("GET", answer, exchange);
            }
        };
    }

    private HttpHandler guarded(String method, Route route) {
        return http -> {
            try (Exchange exchange = new Exchange(http)) {
                if (door != null && !door.admits(http)) {
                    // the next request of the server brings its certificate of now
                    http.getResponseHeaders().set("Connection", "close");
                    exchange.problem(
                            401,
                            Problem.of(ErrorCode.UNAUTHORIZED, "the certificate of a server is missing, or has ended"));
                } else if (!isAuthorized(http)) {
                    exchange.problem(
                            401,
                            Problem.of(ErrorCode.UNAUTHORIZED, "the allocation's bearer token is missing or wrong"));
                } else {
                    answer(method, route, exchange);
                }
            }
        };
    }

    private static void answer(String method, Route route, Exchange exchange) throws IOException {
        if (!exchange.method().equals(method)) {
            exchange.problem(405, Problem.of(ErrorCode.INTERNAL, "use " + method));
            return;
        }
        try {
            route.answer(exchange);
        } catch (BadRequest e) {
            exchange.problem(400, Problem.field(ErrorCode.SPEC_INVALID, e.field, ThrowableText.of(e)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            Log.error("request failed", e);
            exchange.problem(500, Problem.of(ErrorCode.INTERNAL, e.toString(), "read executor.log"));
        }
    }

    private boolean isAuthorized(HttpExchange http) {
        String header = http.getRequestHeaders().getFirst("Authorization");
        return header != null
                && header.startsWith("Bearer ")
                && MessageDigest.isEqual(header.substring(7).trim().getBytes(StandardCharsets.UTF_8), token);
    }

    private void status(Exchange exchange) throws IOException, InterruptedException {
        long after = exchange.number("after", 0, Long.MAX_VALUE, 0);
        Duration wait = Duration.ofMillis(exchange.number("wait_ms", 0, MAX_WAIT.toMillis(), 0));
        Posted posted = board.readAfter(after, wait);
        if (board.pulse().isLive()) {
            exchange.json(200, posted);
        } else {
            exchange.problem(
                    503,
                    Problem.of(
                            ErrorCode.EXECUTOR_FAILED,
                            "the executor hangs: its loop has not turned for " + Pulse.LIMIT.toMinutes()
                                    + " minutes, so its status is old",
                            "read executor.log, then end the process "
                                    + posted.status().executorPid() + ": the pool starts it again"));
        }
    }

    /** What travels with a target and is not stored. */
    private record Beside(@Nullable TaskSecrets taskSecrets) {}

    private void target(Exchange exchange) throws IOException {
        NodeTarget target;
        Beside beside;
        try {
            byte[] body = exchange.body(MAX_BODY_BYTES);
            target = Json.parse(body, NodeTarget.class);
            beside = Json.parse(body, Beside.class);
        } catch (UncheckedIOException e) {
            throw new BadRequest("target", String.valueOf(e.getCause()));
        }
        if (target == null) {
            throw new BadRequest("target", "is missing");
        }
        boolean onlyWhileDown = exchange.text("while", "").equals("down");
        Optional<Problem> running = onlyWhileDown ? daemonRuns() : Optional.empty();
        Optional<Problem> refusal;
        try {
            refusal = running.isPresent() ? running : targets.accept(target, beside.taskSecrets());
        } catch (IOException e) {
            unwritable(exchange, files.target(), e, "the target");
            return;
        }
        if (refusal.isPresent()) {
            exchange.problem(refusal.get().code() == ErrorCode.CONFIGURATION_REJECTED ? 422 : 409, refusal.get());
        } else {
            exchange.json(200, Map.of("generation", target.generation()));
        }
    }

    private void identity(Exchange exchange) throws IOException {
        IdentityUpdate update;
        try {
            update = Json.parse(exchange.body(MAX_BODY_BYTES), IdentityUpdate.class);
        } catch (UncheckedIOException e) {
            throw new BadRequest("identity", String.valueOf(e.getCause()));
        }
        if (update == null) {
            throw new BadRequest("identity", "is missing");
        }
        Optional<Problem> refusal;
        try {
            refusal = identity.accept(update);
        } catch (IOException e) {
            unwritable(exchange, files.identity(), e, "a certificate");
            return;
        }
        if (refusal.isPresent()) {
            exchange.problem(409, refusal.get());
        } else {
            exchange.empty(200);
        }
    }

    /** What arrived could not be stored, and is not in force. */
    private static void unwritable(Exchange exchange, Path place, IOException cause, String what) throws IOException {
        Log.error("cannot write " + place, cause);
        exchange.problem(
                500,
                Problem.of(
                        ErrorCode.EXECUTOR_FAILED,
                        "cannot write to " + place + ": " + cause,
                        "make room and let the executor write there; the server sends " + what + " again"));
    }

    /** A daemon that starts at this very moment is stopped for the new target long before it serves. */
    private Optional<Problem> daemonRuns() {
        OperatingMode mode = board.read().status().mode();
        return mode == OperatingMode.DOWN
                ? Optional.empty()
                : Optional.of(new Problem(
                        ErrorCode.VERSION_CONFLICT,
                        "while",
                        "is down, but the node is " + mode,
                        "read the status and decide again"));
    }

    private void logs(Exchange exchange) throws IOException {
        String name = exchange.text("file", "system");
        int lines = (int) exchange.number("lines", 1, MAX_LINES, 200);
        exchange.text(200, "text/plain; charset=utf-8", LogFiles.tail(files, name, lines));
    }

    private void metrics(Exchange exchange) throws IOException {
        NodeStatus status = board.read().status();
        try (OutputStream to = exchange.stream(200, "text/plain; version=0.0.4; charset=utf-8")) {
            MetricsText.write(status, companion, to);
        }
    }

    private void login(Exchange exchange) throws IOException {
        ask(exchange, "POST /login", LOGIN_LIMIT);
    }

    private void management(Exchange exchange) throws IOException {
        ask(exchange, "POST /mbean", Duration.ofMinutes(10));
    }

    /** Passes the body on to the companion in Cassandra, and its answer back. */
    private void ask(Exchange exchange, String request, Duration limit) throws IOException {
        Long pid = board.read().status().daemonPid();
        if (pid == null) {
            exchange.problem(409, Problem.of(ErrorCode.DAEMON_FAILED, "no daemon runs", "read /v1/status"));
            return;
        }
        byte[] body = exchange.body(MAX_BODY_BYTES);
        try {
            CompanionClient.Answer answer = companion.call(pid, request, body, limit);
            exchange.text(answer.status(), "application/json", answer.body());
        } catch (IOException e) {
            exchange.problem(
                    502, Problem.of(ErrorCode.DAEMON_FAILED, "the companion does not answer: " + ThrowableText.of(e)));
        }
    }
}
