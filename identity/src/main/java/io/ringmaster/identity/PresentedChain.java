package io.ringmaster.identity;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** The certificates that a server presents, before anything is trusted. The handshake ends there: nothing is sent. */
public final class PresentedChain {
    private PresentedChain() {}

    /**
     * Connects and reads the chain.
     *
     * @param timeoutMs for the connection, and for each answer of the handshake
     * @return as the server sends it, its own certificate first
     * @throws IOException nothing listens there, or it does not speak TLS
     */
    public static List<X509Certificate> of(String host, int port, int timeoutMs) throws IOException {
        var manager = new Reader();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(host, port), timeoutMs);
            plain.setSoTimeout(timeoutMs);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {manager}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
                socket.setSSLParameters(TlsContexts.parameters(context));
                socket.startHandshake();
            }
        } catch (IOException e) {
            if (manager.chain.isEmpty()) {
                throw e;
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
        return manager.chain;
    }

    /** Reads the chain and refuses it. */
    private static final class Reader extends X509ExtendedTrustManager {
        private List<X509Certificate> chain = List.of();

        private void read(X509Certificate[] presented) throws CertificateException {
            chain = List.of(presented);
            throw new CertificateException("only read");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] presented, String authType) throws CertificateException {
            read(presented);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] presented, String authType, Socket socket)
                throws CertificateException {
            read(presented);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] presented, String authType, SSLEngine engine)
                throws CertificateException {
            read(presented);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] presented, String authType) throws CertificateException {
            throw new CertificateException("no server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] presented, String authType, Socket socket)
                throws CertificateException {
            throw new CertificateException("no server");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] presented, String authType, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("no server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
