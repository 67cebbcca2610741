package io.ringmaster.integration;

import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.TlsContexts;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** The port of a node for CQL clients, as a client sees it. */
record CqlPort(InetSocketAddress endpoint) {
    static final int TLS_1_1 = 0x0302;
    static final int TLS_1_2 = 0x0303;
    private static final int MILLIS = 3000;
    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int NONCE_BYTES = 32;
    /** AES-128 with ECDHE and ECDSA: in CBC mode for all versions, in GCM mode for 1.2. */
    private static final int[] CIPHERS = {0xC009, 0xC02B};
    /** Curve P-256; its points uncompressed; signatures by ECDSA with SHA-256. */
    private static final byte[] EXTENSIONS = {
        0, 10, 0, 4, 0, 2, 0, 23, 0, 11, 0, 2, 1, 0, 0, 13, 0, 4, 0, 2, 4, 3,
    };

    static CqlPort of(Path allocation) {
        String yaml = Playground.text(allocation.resolve("volume/conf/cassandra.yaml"));
        return new CqlPort(new InetSocketAddress(
                StoragePort.first("rpc_address: *'?\"?([0-9.]+)", yaml),
                Integer.parseInt(StoragePort.first("(?m)^native_transport_port: *(\\d+)", yaml))));
    }

    boolean takesConnections() {
        try (var socket = new Socket()) {
            socket.connect(endpoint, MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Makes a handshake and checks the address in the certificate, as drivers do.
     *
     * @throws IOException the node is not trusted
     */
    X509Certificate handshake(List<X509Certificate> trust) throws IOException {
        SSLContext context = TlsContexts.of(null, new LiveTrust(trust));
        try (var plain = new Socket()) {
            plain.connect(endpoint, MILLIS);
            plain.setSoTimeout(MILLIS);
            try (var socket = (SSLSocket) context.getSocketFactory()
                    .createSocket(plain, endpoint.getAddress().getHostAddress(), endpoint.getPort(), true)) {
                SSLParameters parameters = TlsContexts.parameters(context);
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                return (X509Certificate) socket.getSession().getPeerCertificates()[0];
            }
        }
    }

    /** The first byte that answers OPTIONS of CQL version 4 in clear text; -1 if the node ends the connection. */
    int answerToClearText() throws IOException {
        return answer(new byte[] {4, 0, 0, 0, 5, 0, 0, 0, 0});
    }

    /** The first byte that answers a client that knows TLS up to this version: 22 for a handshake, 21 for an alert. */
    int answerToTls(int version) throws IOException {
        var hello = new ByteArrayOutputStream();
        var out = new DataOutputStream(hello);
        out.writeShort(version);
        out.write(new byte[NONCE_BYTES]);
        out.writeByte(0); // no session
        out.writeShort(CIPHERS.length * 2);
        for (int cipher : CIPHERS) {
            out.writeShort(cipher);
        }
        out.write(new byte[] {1, 0}); // no compression
        out.writeShort(EXTENSIONS.length);
        out.write(EXTENSIONS);
        var message = new ByteArrayOutputStream();
        var record = new DataOutputStream(message);
        record.writeByte(HANDSHAKE);
        record.writeShort(TLS_1_1);
        record.writeShort(hello.size() + 4);
        record.writeInt(CLIENT_HELLO << 24 | hello.size());
        record.write(hello.toByteArray());
        return answer(message.toByteArray());
    }

    private int answer(byte[] message) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(endpoint, MILLIS);
            socket.setSoTimeout(MILLIS);
            socket.getOutputStream().write(message);
            socket.getOutputStream().flush();
            return socket.getInputStream().read();
        } catch (SocketException reset) {
            return -1;
        }
    }
}
