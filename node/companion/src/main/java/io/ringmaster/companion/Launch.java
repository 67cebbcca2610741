package io.ringmaster.companion;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.cassandra.concurrent.IdleWorkers;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.service.CassandraDaemon;
import org.slf4j.LoggerFactory;

/** The main class of every node: management first, then Cassandra, so that even a start that hangs can be asked what it does. */
public final class Launch {
    /** Where the management socket is made; at most 107 bytes long, as unix sockets demand. */
    static final String SOCKET_PROPERTY = "ringmaster.socket";

    private Launch() {}

    public static void main(String[] args) throws IOException {
        String socket = System.getProperty(SOCKET_PROPERTY);
        if (socket == null) {
            throw new IllegalStateException("-D" + SOCKET_PROPERTY + "=<path> is missing: the executor sets it");
        }
        if (Boolean.getBoolean(IdleWorkers.PROPERTY)) {
            parkIdleWorkers();
        }
        ManagementServer.open(Path.of(socket), new Management(Thread.currentThread()).routes());
        new Daemon().activate();
    }

    /**
     * Makes all kinds of memtables before any table is opened: one that keeps its data may have to go on with what was interrupted, even
     * if no table names it any more.
     */
    private static final class Daemon extends CassandraDaemon {
        @Override
        public void applyConfig() {
            super.applyConfig();
            for (String configuration : MemtableParams.knownDefinitions()) {
                MemtableParams.getWithFallback(configuration);
            }
        }
    }

    /** Of a Cassandra that does not have such workers nothing is lost but processor time. */
    private static void parkIdleWorkers() {
        try {
            IdleWorkers.park(SharedExecutorPool.SHARED);
        } catch (ReflectiveOperationException | RuntimeException e) {
            LoggerFactory.getLogger(Launch.class).warn("This Cassandra's idle workers go on looking for work", e);
        }
    }
}
