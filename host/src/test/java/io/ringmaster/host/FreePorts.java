package io.ringmaster.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Loopback ports for servers that tests start. They are below those that the kernel gives to outgoing connections and
 * to sockets without a port, which may take a port between its choice here and the start of the server.
 */
public final class FreePorts {
    private static final int FIRST = 10_000;
    private static final int END = 30_000;
    private static final int BLOCK = 200;

    /** Listens at the first port of a block, which keeps the block for this JVM until it ends. */
    private static @Nullable ServerSocket mark;

    private static int used;

    private FreePorts() {}

    /** The next port of this JVM's block at which nobody listens. */
    public static synchronized int next() {
        for (int tried = 0; tried < BLOCK; tried++) {
            used = used % (BLOCK - 1) + 1;
            int port = block() + used;
            ServerSocket socket = listen(port);
            if (socket != null) {
                close(socket);
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + block() + " on");
    }

    private static int block() {
        for (int port = FIRST; mark == null && port < END; port += BLOCK) {
            mark = listen(port);
        }
        if (mark == null) {
            throw new IllegalStateException("no free block of ports from " + FIRST + " to " + END);
        }
        return mark.getLocalPort();
    }

    private static @Nullable ServerSocket listen(int port) {
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            return null;
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
