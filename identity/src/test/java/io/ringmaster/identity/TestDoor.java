package io.ringmaster.identity;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

/** A TLS server on loopback that wants a certificate of every client, and writes one byte once it accepted it. */
final class TestDoor implements AutoCloseable {
    private static final int TIMEOUT_MS = 10_000;

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Thread thread = new Thread(this::serve, "door");
    private volatile SSLContext context;

    TestDoor(SSLContext context) throws IOException {
        this.context = context;
        thread.setDaemon(true);
        thread.start();
    }

    void use(SSLContext next) {
        context = next;
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket plain = listener.accept()) {
                plain.setSoTimeout(TIMEOUT_MS);
                answer(plain);
            } catch (IOException e) {
                // a refused client, or the end; the client sees it
            }
        }
    }

    private void answer(Socket plain) throws IOException {
        SSLContext now = context;
        try (SSLSocket socket = (SSLSocket) now.getSocketFactory().createSocket(plain, null, true)) {
            SSLParameters parameters = TlsContexts.parameters(now);
            parameters.setNeedClientAuth(true);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.getOutputStream().write(1);
            socket.getOutputStream().flush();
        }
    }

    /** Connects as a client that checks names, and waits until the server has accepted it. */
    SSLSession connect(SSLContext client) throws IOException {
        SSLParameters parameters = TlsContexts.parameters(client);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        return connect(client, parameters);
    }

    SSLSession connect(SSLContext client, SSLParameters parameters) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) client.getSocketFactory().createSocket("127.0.0.1", listener.getLocalPort())) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            SSLSession session = socket.getSession();
            if (socket.getInputStream().read() != 1) {
                throw new IOException("the server closed the connection without an answer");
            }
            return session;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
