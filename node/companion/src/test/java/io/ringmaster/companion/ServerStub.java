package io.ringmaster.companion;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/** A real HTTP server that gives every seed request the same answer and records the requests. */
final class ServerStub implements AutoCloseable {
    private final HttpServer http;
    final List<String> requests = new CopyOnWriteArrayList<>();
    volatile int status = 200;
    volatile String answer;

    ServerStub(String answer) throws IOException {
        this(answer, HttpServer.create());
    }

    /** @param tls of a server that answers by https */
    ServerStub(String answer, SSLContext tls) throws IOException {
        this(answer, secured(tls));
    }

    private static HttpServer secured(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create();
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return server;
    }

    private ServerStub(String answer, HttpServer http) throws IOException {
        this.answer = answer;
        this.http = http;
        http.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", exchange -> {
            requests.add(exchange.getRequestURI().toString());
            byte[] body = this.answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        http.start();
    }

    String url() {
        return (http instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + http.getAddress().getPort();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
