package io.ringmaster.executor.real;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Answers every node that it is the only seed, as the server of a cluster with one node does. */
final class SeedServer implements AutoCloseable {
    private HttpServer http;

    SeedServer() throws IOException {
        http = open(0);
    }

    private static HttpServer open(int port) throws IOException {
        HttpServer opened = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        opened.createContext("/api/v1/seeds", request -> {
            byte[] answer = "{\"isSeed\":true,\"seeds\":[]}".getBytes(StandardCharsets.US_ASCII);
            request.sendResponseHeaders(200, answer.length);
            request.getResponseBody().write(answer);
            request.close();
        });
        opened.start();
        return opened;
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** Listens at the same URL after {@link #close}. */
    void reopen() throws IOException {
        http = open(http.getAddress().getPort());
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
