package io.ringmaster.companion;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The answer to one request: one JSON or text body, or a stream of JSON lines until the connection closes. */
final class Reply {
    private final OutputStream out;
    private boolean started;

    Reply(OutputStream out) {
        this.out = out;
    }

    void json(Object value) throws IOException {
        bytes(200, "application/json", Jackson.MAPPER.writeValueAsBytes(value));
    }

    void text(String text) throws IOException {
        bytes(200, "text/plain; version=0.0.4; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers with the status; within a stream the error becomes the last line. */
    void error(int status, String message) throws IOException {
        Map<String, Object> error = Map.of("error", message);
        if (started) {
            event(error);
        } else {
            bytes(status, "application/json", Jackson.MAPPER.writeValueAsBytes(error));
        }
    }

    /** Sends one line immediately; the first one starts the stream. */
    void event(Object value) throws IOException {
        if (!started) {
            head(200, "application/x-ndjson", "");
        }
        out.write(Jackson.MAPPER.writeValueAsBytes(value));
        out.write('\n');
        out.flush();
    }

    private void bytes(int status, String type, byte[] body) throws IOException {
        head(status, type, "Content-Length: " + body.length + "\r\n");
        out.write(body);
        out.flush();
    }

    private void head(int status, String type, String more) throws IOException {
        started = true;
        String head = "HTTP/1.1 " + status + " " + (status == 200 ? "OK" : "Refused") + "\r\nContent-Type: " + type
                + "\r\nConnection: close\r\n" + more + "\r\n";
        out.write(head.getBytes(StandardCharsets.US_ASCII));
    }
}
