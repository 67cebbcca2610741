package io.ringmaster.executor.archive;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Sends a few queries over the native protocol, version 4 (doc/native_protocol_v4.spec in Cassandra), so that the
 * archive contains the classes that the first client of a node needs. Drivers send the same queries to each node that
 * they connect to.
 */
final class CqlExercise {
    private static final int REQUEST_V4 = 0x04;
    private static final int STARTUP = 0x01;
    private static final int QUERY = 0x07;
    private static final int ERROR = 0x00;
    private static final int CONSISTENCY_ONE = 0x0001;

    private static final List<String> STATEMENTS = List.of(
            "SELECT * FROM system.local",
            "SELECT * FROM system.peers_v2",
            "SELECT * FROM system_schema.keyspaces",
            "SELECT * FROM system_schema.tables",
            "SELECT * FROM system_schema.columns",
            "CREATE KEYSPACE IF NOT EXISTS warm WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 1}",
            "CREATE TABLE IF NOT EXISTS warm.t (k int PRIMARY KEY, v text)",
            "INSERT INTO warm.t (k, v) VALUES (1, 'a')",
            "SELECT * FROM warm.t WHERE k = 1");

    private CqlExercise() {}

    /** @param connection to the CQL port, with a read timeout; it is closed */
    static void run(Socket connection) throws IOException {
        try (Socket socket = connection) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ByteArrayOutputStream startup = new ByteArrayOutputStream();
            DataOutputStream map = new DataOutputStream(startup);
            map.writeShort(1);
            map.writeUTF("CQL_VERSION");
            map.writeUTF("3.0.0");
            exchange(out, in, STARTUP, startup.toByteArray());
            for (String statement : STATEMENTS) {
                exchange(out, in, QUERY, query(statement));
            }
        }
    }

    private static byte[] query(String statement) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        byte[] text = statement.getBytes(StandardCharsets.UTF_8);
        body.writeInt(text.length);
        body.write(text);
        body.writeShort(CONSISTENCY_ONE);
        body.writeByte(0);
        return bytes.toByteArray();
    }

    private static void exchange(DataOutputStream out, DataInputStream in, int opcode, byte[] body) throws IOException {
        out.writeByte(REQUEST_V4);
        out.writeByte(0);
        out.writeShort(0);
        out.writeByte(opcode);
        out.writeInt(body.length);
        out.write(body);
        out.flush();
        in.skipNBytes(4);
        int answer = in.readUnsignedByte();
        byte[] content = in.readNBytes(in.readInt());
        if (answer == ERROR) {
            throw new IOException("CQL error: " + new String(content, StandardCharsets.UTF_8));
        }
    }
}
