package io.ringmaster.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server on a free loopback port that answers by a script and records its requests. */
public final class FakeServer implements AutoCloseable {
    /** A request that it received. */
    public record Asked(String method, String uri, String authorization, String body) {}

    public record Reply(int status, String contentType, String body) {
        public static Reply json(String body) {
            return new Reply(200, "application/json", body);
        }
    }

    @FunctionalInterface
    public interface Script {
        Reply reply(Asked asked) throws InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile Script script;

    public FakeServer(Script script) {
        this(0, script);
    }

    /** @param port 0 takes a free one */
    public FakeServer(int port, Script script) {
        this.script = script;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public void script(Script next) {
        script = next;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + port());
    }

    public List<Asked> asked() {
        return List.copyOf(asked);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        var what = new Asked(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        asked.add(what);
        try (exchange) {
            Reply reply = script.reply(what);
            exchange.getResponseHeaders().set("Content-Type", reply.contentType());
            byte[] body = reply.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
