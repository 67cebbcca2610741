package io.ringmaster.integration;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Attempts to log in at the CQL port of a node with TLS, byte by byte: a driver would hide how it was refused. */
final class CqlLoginAttempt {
    private static final SSLContext TRUSTS_ALL = trustsAll();
    private static final int MILLIS = 3000;
    private static final int VERSION = 4;
    private static final int STARTUP = 1;
    private static final int AUTH_RESPONSE = 15;

    private static final int AUTHENTICATE = 3;
    private static final int READY = 2;
    private static final int AUTH_SUCCESS = 16;

    private CqlLoginAttempt() {}

    /** Whether the node lets in a client that names no user. */
    static boolean anonymous(InetSocketAddress endpoint) throws IOException {
        try (var socket = connect(endpoint)) {
            return send(socket, STARTUP, startup()) == READY;
        }
    }

    /** Whether the node lets this user in. */
    static boolean as(InetSocketAddress endpoint, String user, String password) throws IOException {
        try (var socket = connect(endpoint)) {
            int asked = send(socket, STARTUP, startup());
            if (asked != AUTHENTICATE) {
                return asked == READY;
            }
            byte[] credentials = ("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8);
            var body = new ByteArrayOutputStream();
            var out = new DataOutputStream(body);
            out.writeInt(credentials.length);
            out.write(credentials);
            return send(socket, AUTH_RESPONSE, body.toByteArray()) == AUTH_SUCCESS;
        }
    }

    /** By TLS, and whatever the certificate is: an intruder does not care who lets it in. */
    private static Socket connect(InetSocketAddress endpoint) throws IOException {
        var plain = new Socket();
        try {
            plain.connect(endpoint, MILLIS);
            plain.setSoTimeout(MILLIS);
            String host = endpoint.getAddress().getHostAddress();
            return TRUSTS_ALL.getSocketFactory().createSocket(plain, host, endpoint.getPort(), true);
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    private static SSLContext trustsAll() {
        var all = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String type) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String type) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {all}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] startup() throws IOException {
        var body = new ByteArrayOutputStream();
        var out = new DataOutputStream(body);
        out.writeShort(1);
        out.writeUTF("CQL_VERSION");
        out.writeUTF("3.0.0");
        return body.toByteArray();
    }

    /** @return the kind of the answer */
    private static int send(Socket socket, int kind, byte[] body) throws IOException {
        var message = new ByteArrayOutputStream();
        var out = new DataOutputStream(message);
        out.writeByte(VERSION);
        out.writeByte(0);
        out.writeShort(0);
        out.writeByte(kind);
        out.writeInt(body.length);
        out.write(body);
        socket.getOutputStream().write(message.toByteArray());
        socket.getOutputStream().flush();
        var in = new DataInputStream(socket.getInputStream());
        in.readNBytes(4);
        int answer = in.readUnsignedByte();
        in.readNBytes(in.readInt());
        return answer;
    }
}
