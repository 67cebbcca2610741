package io.ringmaster.backup.store;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP server that answers what a test wants, one request on each connection. Lists are empty unless set. */
final class MisbehavingEndpoint implements AutoCloseable {
    /** Answers one request; the connection is closed afterwards. */
    interface Answer {
        void to(Request request) throws IOException, InterruptedException;
    }

    /** The head of a request, whose body is still to be read. */
    record Request(String method, String path, Map<String, String> headers, InputStream in, Socket socket) {
        void readBody() throws IOException {
            if ("100-continue".equalsIgnoreCase(headers.get("expect"))) {
                socket.getOutputStream().write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
            }
            in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        }

        void answer(String status, String body, String... lines) throws IOException {
            send(status, body.length(), body, lines);
        }

        void error(String status, String code, String... lines) throws IOException {
            answer(status, "<Error><Code>" + code + "</Code><Message>no reason</Message></Error>", lines);
        }

        void send(String status, int length, String body, String... lines) throws IOException {
            String more = lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n";
            String head = "HTTP/1.1 " + status + "\r\n" + more + "Connection: close\r\nContent-Length: " + length
                    + "\r\n\r\n";
            socket.getOutputStream().write((head + body).getBytes(UTF_8));
        }

        boolean isList() {
            return method.equals("GET") && path.contains("list-type=2");
        }
    }

    /** The answer to a list of no keys. */
    static final String NO_KEYS = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";

    private final ServerSocket server;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Answer list = request -> request.answer("200 OK", NO_KEYS);
    private volatile Answer others = request -> request.answer("200 OK", "");

    MisbehavingEndpoint() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(() -> {
            while (true) {
                Socket socket = server.accept();
                start(() -> serve(socket));
            }
        });
    }

    void list(Answer answer) {
        list = answer;
    }

    void others(Answer answer) {
        others = answer;
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    List<Request> requests() {
        return requests;
    }

    List<Request> requests(String method) {
        return requests.stream()
                .filter(r -> r.method.equals(method) && !r.isList())
                .toList();
    }

    private void serve(Socket socket) throws IOException, InterruptedException {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            List<String> lines = head(in).lines().toList();
            Map<String, String> headers = new TreeMap<>();
            for (String line : lines.subList(1, lines.size() - 1)) {
                int colon = line.indexOf(':');
                headers.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
            String[] first = lines.get(0).split(" ", -1);
            var request = new Request(first[0], first[1], headers, in, socket);
            requests.add(request);
            (request.isList() ? list : others).to(request);
        }
    }

    private static String head(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed");
            }
            head.write(next);
        }
        return head.toString(ISO_8859_1);
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException e) {
                // the client or the test went away
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
