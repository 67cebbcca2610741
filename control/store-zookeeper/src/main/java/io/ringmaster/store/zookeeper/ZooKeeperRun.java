package io.ringmaster.store.zookeeper;

import io.ringmaster.model.error.ThrowableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.util.ServiceUtils;

/** ZooKeeper's server from one start to its end. It ends at its first failed write, and cannot go on after that. */
final class ZooKeeperRun implements AutoCloseable {
    private static final int TICK_MS = 1_000;
    private static final int SESSION_TIMEOUT_MIN_MS = 2_000;
    private static final int SESSION_TIMEOUT_MAX_MS = 60_000;
    private static final int CONNECTIONS_MAX = 200;
    private static final int LOG_GROWTH_BYTES = 1 << 20;
    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_EVERY_HOURS = 1;

    private final FailedWrites files;
    private final ZooKeeperServer server;
    private final ServerCnxnFactory connections;
    private final DatadirCleanupManager purge;

    private ZooKeeperRun(
            FailedWrites files, ZooKeeperServer server, ServerCnxnFactory connections, DatadirCleanupManager purge) {
        this.files = files;
        this.server = server;
        this.connections = connections;
        this.purge = purge;
    }

    /** @throws IOException naming the port that is taken, or the file that cannot be used */
    static ZooKeeperRun start(Path directory, int port) throws IOException, InterruptedException {
        // ZooKeeper reads these two from system properties. Its defaults assume a dedicated disk.
        System.getProperties().putIfAbsent("zookeeper.snapCount", "20000");
        System.getProperties().putIfAbsent("zookeeper.4lw.commands.whitelist", "srvr");
        // it would end this process where a snapshot cannot be written; the log has everything, and the next one tries
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
        FileTxnLog.setPreallocSize(LOG_GROWTH_BYTES);
        FailedWrites files = new FailedWrites(directory.toFile());
        ZooKeeperServer server = new ZooKeeperServer(files, TICK_MS, "");
        server.setMinSessionTimeout(SESSION_TIMEOUT_MIN_MS);
        server.setMaxSessionTimeout(SESSION_TIMEOUT_MAX_MS);
        ServerCnxnFactory connections = new NIOServerCnxnFactory();
        try {
            connections.configure(
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), CONNECTIONS_MAX);
            connections.startup(server);
        } catch (BindException e) {
            files.close();
            throw new IOException("ZooKeeper's port 127.0.0.1:" + port + " is taken; choose another or 0", e);
        } catch (IOException | RuntimeException e) {
            connections.shutdown();
            files.close();
            throw e;
        }
        DatadirCleanupManager purge =
                new DatadirCleanupManager(directory.toFile(), directory.toFile(), SNAPSHOTS_KEPT, PURGE_EVERY_HOURS);
        purge.start();
        return new ZooKeeperRun(files, server, connections, purge);
    }

    int port() {
        return connections.getLocalPort();
    }

    boolean isRunning() {
        return server.isRunning();
    }

    /** Why it ended, if a write failed. */
    Optional<String> failure() {
        return Optional.ofNullable(files.first()).map(ThrowableText::of);
    }

    @Override
    public void close() {
        purge.shutdown();
        connections.shutdown();
        server.shutdown(true);
        try {
            files.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing ZooKeeper's files", e);
        }
    }
}
