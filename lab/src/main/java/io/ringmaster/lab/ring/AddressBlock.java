package io.ringmaster.lab.ring;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Loopback addresses 127.93.B.1 to 127.93.B.253 for one ring. A listening socket on 127.93.B.254 keeps the block from
 * other rings, those of other processes included, and ends with this process.
 */
final class AddressBlock implements AutoCloseable {
    private static final int KEEPER = 254;
    private static final int LAST_BLOCK = 254;
    private static final int STORAGE_PORT = 7000;

    private final int block;
    private final ServerSocket keeper;

    private AddressBlock(int block, ServerSocket keeper) {
        this.block = block;
        this.keeper = keeper;
    }

    /**
     * Takes the first free block.
     *
     * @param nodes whose addresses nobody may use, such as nodes of a lab that was killed
     */
    static AddressBlock take(int nodes) throws IOException {
        for (int block = 1; block <= LAST_BLOCK; block++) {
            ServerSocket keeper = listen(block, KEEPER);
            if (keeper == null) {
                continue;
            }
            if (areFree(block, nodes)) {
                return new AddressBlock(block, keeper);
            }
            keeper.close();
        }
        throw new IOException("no loopback addresses 127.93.B.n are free; end other labs and their nodes");
    }

    private static boolean areFree(int block, int nodes) throws IOException {
        for (int node = 1; node <= nodes; node++) {
            try (ServerSocket socket = listen(block, node)) {
                if (socket == null) {
                    return false;
                }
            }
        }
        return true;
    }

    private static @Nullable ServerSocket listen(int block, int node) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            byte[] address = {127, 93, (byte) block, (byte) node};
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(address), STORAGE_PORT));
            return socket;
        } catch (IOException e) {
            socket.close();
            return null;
        }
    }

    /** @param node from 1 on */
    String address(int node) {
        return "127.93." + block + "." + node;
    }

    int block() {
        return block;
    }

    @Override
    public void close() throws IOException {
        keeper.close();
    }
}
