package io.ringmaster.lab.ring;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a node's view of gossip over CQL (native protocol version 4). */
public final class Probe {
    private static final String QUERY = "SELECT status_with_port FROM system_views.gossip_info";
    private static final int PORT = 9042;
    private static final int STARTUP = 1;
    private static final int QUERY_CODE = 7;
    private static final int RESULT = 8;
    private static final int GLOBAL_TABLE_SPEC = 1;

    private Probe() {}

    /** The number of nodes that it sees NORMAL, itself included; 0 while it does not serve CQL. */
    public static int normalNodes(String address) {
        try {
            return (int) statuses(address).stream()
                    .filter(s -> s.startsWith("NORMAL"))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }

    private static List<String> statuses(String address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(5000);
            socket.connect(new InetSocketAddress(address, PORT), 1000);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            ByteArrayOutputStream startup = new ByteArrayOutputStream();
            DataOutputStream map = new DataOutputStream(startup);
            map.writeShort(1);
            map.writeUTF("CQL_VERSION");
            map.writeUTF("3.0.0");
            exchange(out, in, STARTUP, startup.toByteArray());
            ByteArrayOutputStream query = new ByteArrayOutputStream();
            DataOutputStream body = new DataOutputStream(query);
            body.writeInt(QUERY.length());
            body.writeBytes(QUERY);
            body.writeShort(1);
            body.writeByte(0);
            return firstColumn(exchange(out, in, QUERY_CODE, query.toByteArray()));
        }
    }

    private static DataInputStream exchange(DataOutputStream out, DataInputStream in, int code, byte[] body)
            throws IOException {
        out.write(new byte[] {4, 0, 0, 0, (byte) code});
        out.writeInt(body.length);
        out.write(body);
        out.flush();
        in.skipNBytes(4);
        int answer = in.readUnsignedByte();
        byte[] content = in.readNBytes(in.readInt());
        if (code == QUERY_CODE && answer != RESULT) {
            throw new IOException("no rows: " + new String(content, StandardCharsets.UTF_8));
        }
        return new DataInputStream(new ByteArrayInputStream(content));
    }

    private static List<String> firstColumn(DataInputStream rows) throws IOException {
        rows.readInt(); // kind: rows
        int flags = rows.readInt();
        int columns = rows.readInt();
        if (columns != 1 || flags != GLOBAL_TABLE_SPEC) {
            throw new IOException("unexpected rows: " + columns + " columns, flags " + flags);
        }
        for (int names = 0; names < 3; names++) { // keyspace, table, column
            rows.readUTF();
        }
        rows.readShort(); // type
        List<String> values = new ArrayList<>();
        for (int left = rows.readInt(); left > 0; left--) {
            int length = rows.readInt();
            values.add(length < 0 ? "" : new String(rows.readNBytes(length), StandardCharsets.UTF_8));
        }
        return values;
    }
}
