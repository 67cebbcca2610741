package io.ringmaster.companion;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.cassandra.concurrent.IdleWorkers;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.service.CassandraDaemon;

/** The main class of every node: management first, then Cassandra, so that even a start that hangs can be asked what it does. */
public final class Launch {
    /** Where the management socket is made; at most 107 bytes long, as unix sockets demand. */
    static final String SOCKET_PROPERTY = "ringmaster.socket";

    private Launch() {}

    public static void main(String[] args) throws IOException, ReflectiveOperationException {
        String socket = System.getProperty(SOCKET_PROPERTY);
        if (socket == null) {
            throw new IllegalStateException("-D" + SOCKET_PROPERTY + "=<path> is missing: the executor sets it");
        }
        if (Boolean.getBoolean(IdleWorkers.PROPERTY)) {
            IdleWorkers.park(SharedExecutorPool.SHARED);
        }
        ManagementServer.open(Path.of(socket), new Management(Thread.currentThread()).routes());
        CassandraDaemon.main(args);
    }
}
