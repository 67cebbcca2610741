package io.ringmaster.companion;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.companion.ManagementServer.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One request as it was sent. */
final class SocketRequest {
    private static final int MAX_LINE_BYTES = 8 * 1024;
    private static final int MAX_BODY_BYTES = 1024 * 1024;

    private final String route;
    private final byte[] body;

    private SocketRequest(String route, byte[] body) {
        this.route = route;
        this.body = body;
    }

    /**
     * @throws IOException the connection was closed before its end
     * @throws Refusal a line or the body is too long
     */
    static SocketRequest read(InputStream in) throws IOException, Refusal {
        String[] first = line(in).split(" ", 3);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = contentLength(
                        header.substring("content-length:".length()).trim());
            }
        }
        return new SocketRequest(first.length < 2 ? "" : first[0] + " " + first[1], in.readNBytes(length));
    }

    /** Method and path, such as {@code GET /node}; empty if the first line has none. */
    String route() {
        return route;
    }

    /** An empty object if there is none. */
    JsonNode body() throws IOException {
        return body.length == 0 ? Jackson.MAPPER.createObjectNode() : Jackson.MAPPER.readTree(body);
    }

    private static int contentLength(String text) throws Refusal {
        try {
            int length = Integer.parseInt(text);
            if (length >= 0 && length <= MAX_BODY_BYTES) {
                return length;
            }
        } catch (NumberFormatException e) {
            // refused below
        }
        throw new Refusal(400, "content-length '" + text + "' must be 0 to " + MAX_BODY_BYTES + " bytes");
    }

    private static String line(InputStream in) throws IOException, Refusal {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("the connection was closed within a request");
            }
            if (line.size() == MAX_LINE_BYTES) {
                throw new Refusal(400, "request line or header longer than " + MAX_LINE_BYTES + " bytes");
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.US_ASCII).stripTrailing();
    }
}
