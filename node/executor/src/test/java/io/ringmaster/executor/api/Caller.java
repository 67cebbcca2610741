package io.ringmaster.executor.api;

import io.ringmaster.identity.LiveKeys;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A connection by TLS whose caller takes any certificate. */
final class Caller implements AutoCloseable {
    /** No answer in HTTP. */
    static final String REFUSED = "refused";

    private static final int TIMEOUT_MS = 20_000;

    private final SSLSocket socket;
    private final BufferedReader answers;

    Caller(InetSocketAddress address, SSLContext context) throws IOException {
        socket = (SSLSocket) context.getSocketFactory().createSocket(address.getAddress(), address.getPort());
        socket.setSoTimeout(TIMEOUT_MS);
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    static SSLContext context(@Nullable LiveKeys keys) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys == null ? null : new KeyManager[] {keys}, new TrustManager[] {new AnyTrust()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** The status line, or {@link #REFUSED}. */
    String get(String path, String token) {
        try {
            String request =
                    "GET " + path + " HTTP/1.1\r\nHost: executor\r\nAuthorization: Bearer " + token + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String status = answers.readLine();
            if (status == null) {
                return REFUSED;
            }
            int length = 0;
            for (String header = answers.readLine(); !header.isEmpty(); header = answers.readLine()) {
                if (header.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
                    length = Integer.parseInt(header.substring(16));
                }
            }
            for (int read = 0; read < length; read++) {
                if (answers.read() < 0) {
                    return REFUSED;
                }
            }
            return status;
        } catch (IOException e) {
            return REFUSED;
        }
    }

    /** The certificate of the other side. */
    X509Certificate shown() throws IOException {
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static final class AnyTrust extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
