package io.ringmaster.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Requests as a hostile page could make them: with any path, {@code Host} and {@code Origin}. */
public final class RawHttp {
    private static final int PATIENCE_MS = 30_000;

    private RawHttp() {}

    /**
     * @param headers as they were sent, in lower case up to the colon
     * @param latin the body, a character for each byte
     */
    public record Answer(int status, List<String> headers, String latin) {
        /** Its value, or an empty text without the header. */
        public String header(String name) {
            String start = name.toLowerCase(Locale.ROOT) + ": ";
            return headers.stream()
                    .filter(h -> h.startsWith(start))
                    .map(h -> h.substring(start.length()))
                    .findFirst()
                    .orElse("");
        }

        public String text() {
            return new String(body(), UTF_8);
        }

        public byte[] body() {
            return latin.getBytes(ISO_8859_1);
        }
    }

    /** @param headers {@code Name: value}; without a {@code Host} that of the loopback address is sent */
    public static Answer send(int port, String method, String path, String body, String... headers) throws IOException {
        var lines = new ArrayList<String>(List.of(headers));
        lines.add(0, method + " " + path + " HTTP/1.1");
        if (lines.stream().noneMatch(h -> h.startsWith("Host:"))) {
            lines.add("Host: 127.0.0.1:" + port);
        }
        lines.add("Content-Length: " + body.getBytes(UTF_8).length);
        lines.add("Connection: close");
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MS);
            socket.getOutputStream().write((String.join("\r\n", lines) + "\r\n\r\n" + body).getBytes(UTF_8));
            return parsed(socket.getInputStream().readAllBytes());
        }
    }

    private static Answer parsed(byte[] bytes) throws IOException {
        String text = new String(bytes, ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        List<String> head = text.substring(0, end).lines().toList();
        List<String> headers = head.stream()
                .skip(1)
                .map(h -> h.substring(0, h.indexOf(':')).toLowerCase(Locale.ROOT) + h.substring(h.indexOf(':')))
                .toList();
        String body = text.substring(end + 4);
        boolean chunked = headers.contains("transfer-encoding: chunked");
        return new Answer(
                Integer.parseInt(head.get(0).substring("HTTP/1.1 ".length(), "HTTP/1.1 200".length())),
                headers,
                chunked ? joined(body) : body);
    }

    @SuppressWarnings("deprecation") // the lines between chunks are ASCII
    private static String joined(String chunks) throws IOException {
        var in = new DataInputStream(new ByteArrayInputStream(chunks.getBytes(ISO_8859_1)));
        var all = new ByteArrayOutputStream();
        for (int length = Integer.parseInt(in.readLine(), 16);
                length > 0;
                length = Integer.parseInt(in.readLine(), 16)) {
            all.write(in.readNBytes(length));
            in.readLine();
        }
        return all.toString(ISO_8859_1);
    }
}
