package io.ringmaster.cli.session;

import io.ringmaster.identity.TlsContexts;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Lets a browser of this computer reach a server by TLS without trusting its CA: it listens on loopback, and passes one
 * request of each connection on to the server, whose certificate it verifies. It adds no rights. Each request gets a
 * secret of this tunnel, without which the server takes no session that was opened through it: when the tunnel has
 * ended, also by SIGKILL, another program on its port can use none.
 */
public final class PageTunnel implements AutoCloseable {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int BUFFER_BYTES = 16 * 1024;
    /** A browser opens six to a host. */
    private static final int CONNECTIONS = 64;

    private static final int PAUSE_MILLIS = 200;
    private static final int HIGHEST_PORT = 65_535;

    private static final String END = "\r\n\r\n";
    private static final int SECRET_BYTES = 32;
    private static final int HEAD_LIMIT_BYTES = 64 * 1024;
    private static final Pattern CONNECTION = Pattern.compile("(?im)^(connection|keep-alive):.*\r\n");

    private final String added = RingmasterClient.TUNNEL_HEADER + ": " + secret() + "\r\nConnection: close\r\n";
    private final Semaphore room = new Semaphore(CONNECTIONS);
    private final ServerSocket listener;
    private final URI server;
    private final SSLContext trust;
    private final Consumer<String> failures;

    private PageTunnel(ServerSocket listener, URI server, SSLContext trust, Consumer<String> failures) {
        this.listener = listener;
        this.server = server;
        this.trust = trust;
        this.failures = failures;
    }

    /**
     * Listens until it is closed or this program ends.
     *
     * @param port on 127.0.0.1; 0 for a free one
     * @param failures gets the reason when the server cannot be reached
     * @throws IOException the port is in use, or is none
     */
    static PageTunnel open(int port, URI server, SSLContext trust, Consumer<String> failures) throws IOException {
        if (port < 0 || port > HIGHEST_PORT) {
            throw new IOException("127.0.0.1:" + port + ": ports are 1 to " + HIGHEST_PORT);
        }
        ServerSocket listener = new ServerSocket();
        try {
            listener.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
        } catch (IOException e) {
            listener.close();
            throw new IOException("127.0.0.1:" + port + ": " + ThrowableText.of(e), e);
        }
        PageTunnel tunnel = new PageTunnel(listener, server, trust, failures);
        start("tunnel", tunnel::accept);
        return tunnel;
    }

    /** What a browser opens instead of the server's own URL. */
    public URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket browser = listener.accept();
                if (room.tryAcquire()) {
                    start("tunnel to " + server, () -> connect(browser));
                } else {
                    browser.close();
                }
            } catch (IOException e) {
                if (!listener.isClosed()) {
                    failures.accept("the tunnel accepts no connection: " + ThrowableText.of(e));
                    pause();
                }
            }
        }
    }

    private void connect(Socket browser) {
        try (browser;
                Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(server.getHost(), KeptServers.port(server)), CONNECT_MILLIS);
            plain.setKeepAlive(true);
            plain.setSoTimeout(CONNECT_MILLIS);
            try (SSLSocket secure = (SSLSocket)
                    trust.getSocketFactory().createSocket(plain, server.getHost(), KeptServers.port(server), true)) {
                SSLParameters parameters = TlsContexts.parameters(trust);
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                secure.setSSLParameters(parameters);
                secure.startHandshake();
                secure.setSoTimeout(0);
                Thread back = start("tunnel from " + server, () -> copy(secure, browser));
                passHead(browser, secure);
                copy(browser, secure);
                back.join();
            }
        } catch (IOException e) {
            failures.accept(server + ": " + ThrowableText.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            room.release();
        }
    }

    private static String secret() {
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /**
     * Passes the first line and the headers of a request on, with those of the tunnel. The server closes the connection
     * after its answer, so that no second request follows.
     */
    private void passHead(Socket browser, Socket server) {
        try {
            String head = head(browser.getInputStream());
            int first = head.indexOf("\r\n") + 2;
            String with = head.substring(0, first)
                    + added
                    + CONNECTION.matcher(head.substring(first)).replaceAll("");
            server.getOutputStream().write(with.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // browsers open connections that they do not use
            close(browser);
            close(server);
        }
    }

    /** @throws IOException it does not end, or is too long */
    private static String head(InputStream browser) throws IOException {
        var head = new ByteArrayOutputStream();
        int ends = 0; // how much of the empty line was read
        while (ends < END.length()) {
            int next = browser.read();
            if (next < 0 || head.size() > HEAD_LIMIT_BYTES) {
                throw new EOFException("a request of the browser has no end");
            }
            head.write(next);
            ends = next == END.charAt(ends) ? ends + 1 : next == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Either side may end; then the other one ends, too. */
    private static void copy(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException e) {
            // a connection that ends in the middle is nothing that a person could mend
        } finally {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed for this program
        }
    }

    private static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
