package io.ringmaster.playground.loopback;

import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Listening sockets that keep what a playground uses from other playgrounds: only one process can listen at an address
 * and port. The kernel closes them with the process, also after {@code kill -9}, and they count for every user.
 *
 * <p>The command that starts a playground holds its block, and then looks whether anything else listens there. It lets
 * go when it ends; by then, every server of the playground holds the block at an address of its own, for as long as it
 * runs. Therefore a block is taken while it is started and while a server or a node of it runs.
 *
 * <p>In block B of fixed addresses, the command listens at 127.B.0.254:6999 and the server of datacenter N at
 * 127.B.0.N:6999. In a block of moving addresses, the second number of its network replaces B. A program that listens
 * at port 6999 of every address takes all blocks.
 *
 * <p>Only an address in use counts as taken. Every other failure to listen is an {@link UncheckedIOException}.
 *
 * <p>Limits: network namespaces have loopback addresses of their own, so only playgrounds of the same one are kept
 * apart, and only these can meet. If the command is killed in the second between the start of a server and the time at
 * which it holds the block, another playground may take the block; {@code playground down} ends the leftover server.
 * Kept data of a stopped playground hold nothing: a start that finds their block taken is refused.
 */
public final class HeldSockets implements AutoCloseable {
    /** Below the ports of the machines; no client gets it automatically. */
    public static final int PORT = 6999;

    /** In no block. */
    private static final String SERVER_PORTS = "127.255.0.1";

    private static final String NETWORKS = "127.255.1.";

    private final List<ServerSocket> sockets = new ArrayList<>();

    /** Holds the first free block of a kind; empty when none is free. */
    public Optional<LoopbackBlock> firstBlock(boolean moving) {
        return LoopbackBlock.all(moving).stream().filter(this::block).findFirst();
    }

    /** Holds a block for a start. @return false when anything listens there */
    public boolean block(LoopbackBlock block) {
        // Listens first and looks afterwards: of two commands that look at once, at most one listens.
        Optional<ServerSocket> held = listen(block.starting(), PORT);
        if (held.isEmpty()) {
            return false;
        }
        return keep(held.get(), block.isFreeForItsHolder(ListeningSockets.addresses()));
    }

    /** Holds a port of 127.0.0.1 for a server, which listens there itself. @return false when another start does */
    public boolean serverPort(int port) {
        return listen(SERVER_PORTS, port).map(s -> keep(s, true)).orElse(false);
    }

    /** Holds 10.N.0.0/16, until a route leads there. @return false when another start does */
    public boolean network(int number) {
        return listen(NETWORKS + number, PORT).map(s -> keep(s, true)).orElse(false);
    }

    /**
     * Holds a block for a server; nothing to do when this has held it before.
     *
     * @param address from {@link LoopbackBlock#server}
     * @return false when another process holds it
     */
    public boolean server(String address) {
        return sockets.stream()
                        .anyMatch(s -> s.getInetAddress().getHostAddress().equals(address))
                || listen(address, PORT).map(s -> keep(s, true)).orElse(false);
    }

    private static Optional<ServerSocket> listen(String address, int port) {
        ServerSocket socket = null;
        try {
            socket = new ServerSocket();
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
            return Optional.of(socket);
        } catch (IOException e) {
            close(socket);
            if (isInUse(e)) {
                return Optional.empty();
            }
            throw new UncheckedIOException("cannot listen at " + address + ":" + port + ": " + ThrowableText.of(e), e);
        }
    }

    /** Compares the message with that of an address in use: Java has no type for it, and the text can be translated. */
    private static boolean isInUse(IOException failure) {
        if (!(failure instanceof BindException)) {
            return false;
        }
        try (var first = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var second = new ServerSocket()) {
            return String.valueOf(failure.getMessage()).equals(messageOfInUse(first, second));
        } catch (IOException e) {
            return false;
        }
    }

    private static String messageOfInUse(ServerSocket first, ServerSocket second) throws IOException {
        try {
            second.bind(first.getLocalSocketAddress());
            throw new IllegalStateException("two sockets listen at " + first.getLocalSocketAddress());
        } catch (BindException e) {
            return ThrowableText.of(e);
        }
    }

    private boolean keep(ServerSocket socket, boolean wanted) {
        if (wanted) {
            sockets.add(socket);
        } else {
            close(socket);
        }
        return wanted;
    }

    private static void close(@Nullable ServerSocket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            // the kernel closes it with the process
        }
    }

    @Override
    public void close() {
        sockets.forEach(HeldSockets::close);
        sockets.clear();
    }
}
