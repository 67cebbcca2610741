package io.ringmaster.integration;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Attempts to log in at the CQL port of a node, byte by byte: a driver would hide how it was refused. */
final class CqlLoginAttempt {
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

    private static Socket connect(InetSocketAddress endpoint) throws IOException {
        var socket = new Socket();
        socket.connect(endpoint, MILLIS);
        socket.setSoTimeout(MILLIS);
        return socket;
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
