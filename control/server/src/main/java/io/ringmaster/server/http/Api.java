package io.ringmaster.server.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.compression.Gzip;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.json.JsonMapper;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinBindException;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.ports.StoreUnavailableException;
import io.ringmaster.server.access.ApiToken;
import io.ringmaster.server.door.ServerDoor;
import io.ringmaster.server.metric.ServerMetrics;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.ProblemDetails;
import java.lang.reflect.Type;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server: at most 24 threads, a problem document for every refusal, a metric for every request. */
public final class Api implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Api.class);
    private static final int THREADS = 24;
    private static final int THREADS_IDLE = 4;
    private static final int THREAD_IDLE_MS = 30_000;
    private static final int COMPRESSED_BYTES = 1024;
    private static final String STARTED = "started";

    private final Javalin javalin;
    private final ServerMetrics metrics;

    private final @Nullable ServerDoor door;

    /** @param door listens by TLS; null for plain HTTP */
    Api(
            List<ApiRoute> routes,
            OriginGuard origins,
            AccessGuard guard,
            LeaderProxy proxy,
            ServerMetrics metrics,
            @Nullable ServerDoor door) {
        this.metrics = metrics;
        this.door = door;
        javalin = Javalin.create(config -> {
            configure(config);
            if (door != null) {
                config.jetty.addConnector(door::secureConnector);
                if (door.hasSeedListener()) {
                    config.jetty.addConnector(door::seedConnector);
                }
                config.routes.before(PlainGuard::check);
            }
            RoutesConfig javalinRoutes = config.routes;
            javalinRoutes.before(ctx -> ctx.attribute(STARTED, System.nanoTime()));
            javalinRoutes.before(SecurityHeaders::onEveryAnswer);
            javalinRoutes.before(origins::check);
            javalinRoutes.beforeMatched(ctx -> admit(ctx, guard, proxy));
            routes.forEach(
                    r -> javalinRoutes.addHttpHandler(r.method(), ApiRoute.PREFIX + r.path(), r.handler(), r.access()));
            javalinRoutes.after(this::measure);
            answerFailures(javalinRoutes, guard, proxy);
        });
    }

    private static void admit(Context ctx, AccessGuard guard, LeaderProxy proxy) {
        try {
            guard.check(ctx);
        } catch (ProblemException refusal) {
            if (proxy.refuses(ctx, refusal)) {
                ctx.skipRemainingHandlers();
                return;
            }
            throw refusal;
        }
        proxy.check(ctx);
    }

    private static void answerFailures(RoutesConfig routes, AccessGuard guard, LeaderProxy proxy) {
        routes.exception(ProblemException.class, (e, ctx) -> {
            guard.refused(ctx, e);
            answer(ctx, e.status(), e.problems());
        });
        routes.exception(HttpResponseException.class, (e, ctx) -> answer(ctx, e.getStatus(), List.of(foreign(e, ctx))));
        routes.exception(
                StoreUnavailableException.class, (e, ctx) -> answer(ctx, 503, List.of(proxy.storeUnavailable(e))));
        routes.exception(Exception.class, (e, ctx) -> {
            LOG.error("{} {} failed", ctx.method(), ApiToken.redacted(ctx.path()), e);
            answer(
                    ctx,
                    500,
                    List.of(Problem.of(
                            ErrorCode.INTERNAL,
                            "the server failed with " + e.getClass().getSimpleName(),
                            "read the server's log")));
        });
    }

    /**
     * @return the port in use
     * @throws IllegalStateException the address or port cannot be used
     */
    public int start(InetSocketAddress listen) {
        try {
            if (door == null) {
                javalin.start(listen.getAddress().getHostAddress(), listen.getPort());
            } else {
                javalin.start();
            }
        } catch (JavalinBindException e) {
            String where =
                    door == null ? listen.getAddress().getHostAddress() + ":" + listen.getPort() : door.listeners();
            throw new IllegalStateException(
                    "listen: " + where + " cannot be used (" + ThrowableText.of(e)
                            + ") -> choose another address or stop the process that uses it",
                    e);
        }
        return javalin.port();
    }

    @Override
    public void close() {
        javalin.stop();
    }

    private static void configure(JavalinConfig config) {
        var threads = new QueuedThreadPool(THREADS, THREADS_IDLE, THREAD_IDLE_MS);
        threads.setName("http");
        config.jetty.threadPool = threads;
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        config.http.compressionStrategy = compression();
        config.resourceHandler(new WebPages("/web"));
        config.http.maxRequestSize = 32L << 20;
        config.jsonMapper(new JsonMapper() {
            @Override
            public String toJsonString(Object value, Type type) {
                return Json.text(value);
            }
        });
    }

    private static CompressionStrategy compression() {
        var compression = new CompressionStrategy(null, new Gzip());
        compression.setDefaultMinSizeForCompression(COMPRESSED_BYTES);
        return compression;
    }

    private static void answer(Context ctx, int status, List<Problem> problems) {
        ctx.status(status);
        ctx.contentType(ProblemDetails.MEDIA_TYPE);
        // a problem names the path, and perhaps the parameter in it
        ctx.result(ApiToken.redacted(Json.text(ProblemDetails.of(status, ctx.path(), problems))));
    }

    private static Problem foreign(HttpResponseException e, Context ctx) {
        String what = e.getStatus() == 404 ? "no route matches " + ctx.path() : ThrowableText.of(e);
        return Problem.of(ErrorCode.REQUEST_INVALID, what, "api/openapi.yaml lists every route");
    }

    private void measure(Context ctx) {
        Long started = ctx.attribute(STARTED);
        if (started != null) {
            var took = Duration.ofNanos(System.nanoTime() - started);
            metrics.request(ctx.method().name(), route(ctx), ctx.statusCode(), took);
        }
    }

    private static String route(Context ctx) {
        Endpoint matched = ctx.endpoints().matchedHttpEndpoint();
        return matched == null ? "other" : matched.path;
    }
}
