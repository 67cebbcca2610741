package io.ringmaster.companion;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.cassandra.concurrent.IdleWorkers;
import org.apache.cassandra.concurrent.SharedExecutorPool;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.QuickStartupChecks;
import org.slf4j.LoggerFactory;

/** The main class of every node. It opens the management socket first, so that a hanging start can be queried. */
public final class Launch {
    /** The path of the management socket; at most 107 bytes, the limit of unix sockets. */
    static final String SOCKET_PROPERTY = "ringmaster.socket";

    /**
     * How often a start tries, once a second, to read the logins and permissions that it keeps. Where a whole
     * datacenter starts, no quorum of them answers for a while, and each of three caches would hold up the start.
     */
    private static final String WARMING_RETRIES = "cassandra.auth_cache.warming.max_retries";

    private Launch() {}

    public static void main(String[] args) throws IOException {
        String socket = System.getProperty(SOCKET_PROPERTY);
        if (socket == null) {
            throw new IllegalStateException("-D" + SOCKET_PROPERTY + "=<path> is missing: the executor sets it");
        }
        System.getProperties().putIfAbsent(WARMING_RETRIES, "5");
        if (Boolean.getBoolean(IdleWorkers.PROPERTY)) {
            parkIdleWorkers();
        }
        ManagementServer.open(Path.of(socket), new Management(Thread.currentThread()).routes());
        HeapDumpSwitch.start();
        new Daemon().activate();
    }

    /**
     * Creates every configured memtable factory before any table is opened. A persistent memtable may have interrupted
     * work to resume even if no table uses it any longer.
     */
    private static final class Daemon extends CassandraDaemon {
        Daemon() {
            orWarn(
                    "Cannot replace a startup check of this Cassandra: starts with many tables take long",
                    () -> QuickStartupChecks.replaceIn(startupChecks));
        }

        @Override
        public void applyConfig() {
            super.applyConfig();
            for (String configuration : MemtableParams.knownDefinitions()) {
                MemtableParams.getWithFallback(configuration);
            }
        }
    }

    /** On a Cassandra with another thread pool the workers keep spinning, which costs processor time only. */
    private static void parkIdleWorkers() {
        orWarn(
                "Cannot park the idle workers of this Cassandra: they keep polling for tasks",
                () -> IdleWorkers.park(SharedExecutorPool.SHARED));
    }

    /** A change of Cassandra's inside, which another Cassandra may not have, or not link with. */
    interface Change {
        void make() throws ReflectiveOperationException;
    }

    /** Cassandra starts without the change, too. */
    static void orWarn(String warning, Change change) {
        try {
            change.make();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            LoggerFactory.getLogger(Launch.class).warn(warning, e);
        }
    }
}
