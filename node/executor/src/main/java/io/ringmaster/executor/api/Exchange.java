package io.ringmaster.executor.api;

import com.sun.net.httpserver.HttpExchange;
import io.ringmaster.json.Json;
import io.ringmaster.model.error.Problem;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/** One request and its answer. */
final class Exchange implements AutoCloseable {
    private final HttpExchange http;

    Exchange(HttpExchange http) {
        this.http = http;
    }

    String text(String parameter, String otherwise) {
        String query = http.getRequestURI().getRawQuery();
        for (String pair : query == null ? new String[0] : query.split("&", -1)) {
            if (pair.startsWith(parameter + "=")) {
                return URLDecoder.decode(pair.substring(parameter.length() + 1), StandardCharsets.UTF_8);
            }
        }
        return otherwise;
    }

    /** @throws BadRequest not a number, or out of range */
    long number(String parameter, long least, long most, long otherwise) {
        String text = text(parameter, String.valueOf(otherwise));
        try {
            long number = Long.parseLong(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new BadRequest(parameter, "'" + text + "' must be a number from " + least + " to " + most);
    }

    /** @throws BadRequest larger than {@code most} bytes */
    byte[] body(int most) throws IOException {
        byte[] body = http.getRequestBody().readNBytes(most + 1);
        if (body.length > most) {
            throw new BadRequest("body", "is larger than " + most + " bytes");
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
