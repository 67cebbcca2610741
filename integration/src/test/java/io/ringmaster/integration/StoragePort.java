package io.ringmaster.integration;

import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveKeys;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.TlsContexts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** The port on which a node with TLS talks to others, as a stranger or another node sees it. */
record StoragePort(Path allocation, InetSocketAddress endpoint) {
    private static final int MILLIS = 3000;
    /** The first bytes of a node. */
    private static final byte[] MAGIC = {(byte) 0xCA, 0x55, 0x2D, (byte) 0xFA};

    /** @param refusal why the port ended the connection after the handshake; null if it did not */
    record Answer(String protocol, X509Certificate server, @Nullable String refusal) {}

    static StoragePort of(Path allocation) {
        String yaml = Playground.text(allocation.resolve("volume/conf/cassandra.yaml"));
        return new StoragePort(
                allocation,
                new InetSocketAddress(
                        first("listen_address: *'?\"?([0-9.]+)", yaml),
                        Integer.parseInt(first("(?m)^storage_port: *(\\d+)", yaml))));
    }

    /** The first group of the pattern in a configuration. */
    static String first(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in " + text);
        }
        return matcher.group(1);
    }

    Path certificate() {
        return allocation.resolve("tls/node.pem");
    }

    KeyAndChain identity() throws IOException {
        return Pem.keyAndChain(certificate(), Instant.now());
    }

    List<X509Certificate> trust() throws IOException {
        return Pem.certificates(allocation.resolve("tls/internode-trust.pem"));
    }

    /**
     * Makes a handshake and sends the first bytes of a node. With TLS 1.3 the server looks at the client's certificate
     * after the client has finished, and Cassandra looks at its names when the first bytes arrive, so a refusal shows
     * only when the client reads.
     *
     * @param shown the certificate to show, or null for none
     */
    Answer handshake(@Nullable KeyAndChain shown, String... protocols) throws IOException {
        SSLContext context = TlsContexts.of(shown == null ? null : new LiveKeys(shown), new LiveTrust(trust()));
        try (var socket = (SSLSocket) context.getSocketFactory().createSocket()) {
            socket.connect(endpoint, MILLIS);
            socket.setSoTimeout(MILLIS);
            if (protocols.length > 0) {
                socket.setEnabledProtocols(protocols);
            }
            socket.startHandshake();
            var server = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return new Answer(socket.getSession().getProtocol(), server, refusal(socket));
        }
    }

    /** What a node answers to a client that does not encrypt: nothing, and the end of the connection. */
    boolean refusesClearText() throws IOException {
        try (var socket = new Socket()) {
            socket.connect(endpoint, MILLIS);
            socket.setSoTimeout(MILLIS);
            socket.getOutputStream().write(MAGIC);
            // flags and the version that is wanted
            socket.getOutputStream().write(new byte[] {0, 0x0C, 0x0C, 0x0C});
            socket.getOutputStream().write(new byte[64]);
            socket.getOutputStream().flush();
            int first = socket.getInputStream().read();
            // an alert of TLS, or the end
            return first == 21 || first < 0;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    private static @Nullable String refusal(SSLSocket socket) {
        try {
            socket.getOutputStream().write(MAGIC);
            return socket.getInputStream().read() < 0 ? "closed" : null;
        } catch (java.net.SocketTimeoutException e) {
            return null;
        } catch (IOException e) {
            return e.toString();
        }
    }
}
