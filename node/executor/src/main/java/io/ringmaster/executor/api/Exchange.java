package io.ringmaster.executor.api;

import com.sun.net.httpserver.HttpExchange;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** One HTTP request and its answer. */
final class Exchange implements AutoCloseable {
    private final HttpExchange http;

    Exchange(HttpExchange http) {
        this.http = http;
    }

    String method() {
        return http.getRequestMethod();
    }

    String text(String parameter, String fallback) {
        String query = http.getRequestURI().getRawQuery();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            if (pair.startsWith(parameter + "=")) {
                return URLDecoder.decode(pair.substring(parameter.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return fallback;
    }

    /** @throws BadRequest the parameter is not a number or out of range */
    long number(String parameter, long min, long max, long fallback) {
        String text = text(parameter, String.valueOf(fallback));
        try {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new BadRequest(parameter, "'" + text + "' must be a number from " + min + " to " + max);
    }

    /** @throws BadRequest the body is larger than {@code maxBytes} */
    byte[] body(int maxBytes) throws IOException {
        byte[] body = http.getRequestBody().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            throw new BadRequest("body", "is larger than " + maxBytes + " bytes");
        }
        return body;
    }

    void json(int status, Object value) throws IOException {
        bytes(status, "application/json", Json.bytes(value));
    }

    void problem(int status, Problem problem) throws IOException {
        bytes(status, "application/problem+json", Json.bytes(problem));
    }

    void text(int status, String type, String text) throws IOException {
        bytes(status, type, text.getBytes(StandardCharsets.UTF_8));
    }

    void empty(int status) throws IOException {
        http.sendResponseHeaders(status, -1);
    }

    /** For an answer that is too large to be held as a whole. */
    OutputStream stream(int status, String type) throws IOException {
        http.getResponseHeaders().set("Content-Type", type);
        http.sendResponseHeaders(status, 0);
        return http.getResponseBody();
    }

    void bytes(int status, String type, byte[] bytes) throws IOException {
        http.getResponseHeaders().set("Content-Type", type);
        http.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        http.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        http.close();
    }
}
