package io.ringmaster.companion;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real HTTP server that gives every seed request the same answer and records the requests. */
final class ServerStub implements AutoCloseable {
    private final HttpServer http;
    final List<String> requests = new CopyOnWriteArrayList<>();
    volatile int status = 200;
    volatile String answer;

    ServerStub(String answer) throws IOException {
        this.answer = answer;
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
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
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
