package io.ringmaster.integration;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A port before that of an S3 server. It passes requests on, and holds reads of blobs back while it is asked to. */
final class S3Gate implements AutoCloseable {
    private static final Duration SKEW = Duration.ofMinutes(20);
    private static final String TOO_SKEWED = "<Error><Code>RequestTimeTooSkewed</Code><Message>The difference between"
            + " the request time and the server's time is too large.</Message></Error>";

    private final ServerSocket socket;
    /** 0: every request is refused because of the client's clock. */
    private final int server;

    private volatile CountDownLatch arrived = new CountDownLatch(0);
    private volatile CountDownLatch released = new CountDownLatch(0);

    private S3Gate(int server) {
        this.server = server;
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    static S3Gate before(S3Server server) {
        return new S3Gate(server.port);
    }

    /** A server whose clock is 20 minutes ahead of ours, whatever time a client assumes. */
    static S3Gate withOtherClock() {
        return new S3Gate(0);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** Reads of blobs wait from now on. */
    void hold() {
        arrived = new CountDownLatch(1);
        released = new CountDownLatch(1);
    }

    void awaitHeld(Duration limit) throws InterruptedException {
        if (!arrived.await(limit.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("no blob was read within " + limit.toSeconds() + " s");
        }
    }

    void release() {
        released.countDown();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            start(() -> serve(client));
        }
    }

    private void serve(Socket client) throws IOException, InterruptedException {
        try (client) {
            if (server == 0) {
                refuse(client);
                return;
            }
            try (Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server)) {
                start(() -> {
                    try (client;
                            upstream) {
                        upstream.getInputStream().transferTo(client.getOutputStream());
                    }
                });
                passOn(client.getInputStream(), upstream.getOutputStream());
            }
        }
    }

    private void passOn(InputStream in, OutputStream out) throws IOException, InterruptedException {
        byte[] bytes = new byte[1 << 16];
        for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
            String head = new String(bytes, 0, Math.min(read, 500), StandardCharsets.ISO_8859_1);
            if (head.startsWith("GET ") && head.contains("/blobs/")) {
                arrived.countDown();
                released.await();
            }
            out.write(bytes, 0, read);
        }
    }

    private static void refuse(Socket client) throws IOException {
        if (client.getInputStream().read(new byte[1 << 16]) > 0) {
            String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    ZonedDateTime.now(ZoneOffset.UTC).plus(SKEW));
            String answer = "HTTP/1.1 403 Forbidden\r\nDate: " + date
                    + "\r\nContent-Type: application/xml\r\nConnection: close\r\nContent-Length: "
                    + TOO_SKEWED.length() + "\r\n\r\n" + TOO_SKEWED;
            client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    /** Connections end when either side closes. */
    private static void start(Work work) {
        var thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // closed
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "s3-gate");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        release();
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
