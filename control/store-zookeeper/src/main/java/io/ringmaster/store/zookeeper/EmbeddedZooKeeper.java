package io.ringmaster.store.zookeeper;

import io.ringmaster.host.HeldLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * A ZooKeeper server inside this process, on 127.0.0.1, in one directory: {@code lock}, {@code secret} and
 * {@code client.port} beside ZooKeeper's own {@code version-2}. Every transaction is on disk before it is acknowledged.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final int TICK_MS = 1_000;
    private static final int SESSION_TIMEOUT_MIN_MS = 2_000;
    private static final int SESSION_TIMEOUT_MAX_MS = 60_000;
    private static final int CONNECTIONS_MAX = 200;
    private static final int LOG_GROWTH_BYTES = 1 << 20;
    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_EVERY_HOURS = 1;

    private final HeldLock lock;
    private final String secret;
    private final ZooKeeperServer server;
    private final ServerCnxnFactory connections;
    private final DatadirCleanupManager purge;

    private EmbeddedZooKeeper(
            HeldLock lock,
            String secret,
            ZooKeeperServer server,
            ServerCnxnFactory connections,
            DatadirCleanupManager purge) {
        this.lock = lock;
        this.secret = secret;
        this.server = server;
        this.connections = connections;
        this.purge = purge;
    }

    /**
     * @param directory created if missing, readable by this user only
     * @param port 0 chooses a free port; the file {@code client.port} contains the port in use
     * @throws IOException naming the directory or port that another process uses or that is not usable
     */
    public static EmbeddedZooKeeper start(Path directory, int port) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        HeldLock lock = lock(directory);
        try {
            return start(directory, port, lock);
        } catch (InterruptedException e) {
            lock.close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while starting ZooKeeper in " + directory, e);
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    private static EmbeddedZooKeeper start(Path directory, int port, HeldLock lock)
            throws IOException, InterruptedException {
        // ZooKeeper reads these two from system properties. Its defaults assume a dedicated disk.
        System.getProperties().putIfAbsent("zookeeper.snapCount", "20000");
        System.getProperties().putIfAbsent("zookeeper.4lw.commands.whitelist", "srvr");
        FileTxnLog.setPreallocSize(LOG_GROWTH_BYTES);
        FileTxnSnapLog files = new FileTxnSnapLog(directory.toFile(), directory.toFile());
        ZooKeeperServer server = new ZooKeeperServer(files, TICK_MS, "");
        server.setMinSessionTimeout(SESSION_TIMEOUT_MIN_MS);
        server.setMaxSessionTimeout(SESSION_TIMEOUT_MAX_MS);
        ServerCnxnFactory connections = new NIOServerCnxnFactory();
        try {
            connections.configure(new InetSocketAddress(loopback(), port), CONNECTIONS_MAX);
            connections.startup(server);
        } catch (BindException e) {
            files.close();
            throw new IOException("ZooKeeper's port 127.0.0.1:" + port + " is taken; choose another or 0", e);
        }
        DatadirCleanupManager purge =
                new DatadirCleanupManager(directory.toFile(), directory.toFile(), SNAPSHOTS_KEPT, PURGE_EVERY_HOURS);
        purge.start();
        write(directory.resolve("client.port"), Integer.toString(connections.getLocalPort()));
        return new EmbeddedZooKeeper(lock, secret(directory), server, connections, purge);
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private static HeldLock lock(Path directory) throws IOException {
        return HeldLock.tryTake(directory.resolve("lock"))
                .orElseThrow(() -> new IOException("another server uses the ZooKeeper directory " + directory
                        + "; stop it or choose another state_directory"));
    }

    private static String secret(Path directory) throws IOException {
        Path file = directory.resolve("secret");
        if (!Files.exists(file)) {
            byte[] random = new byte[24];
            new SecureRandom().nextBytes(random);
            write(file, HexFormat.of().formatHex(random));
        }
        return Files.readString(file).trim();
    }

    private static void write(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (FileChannel out = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            out.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    public int port() {
        return connections.getLocalPort();
    }

    public String connectString() {
        return "127.0.0.1:" + port();
    }

    /** The secret that grants read and write access; never log it. */
    public String secret() {
        return secret;
    }

    /** False once it has stopped, also after a failure such as a full disk. */
    public boolean isRunning() {
        return server.isRunning();
    }

    @Override
    public void close() {
        purge.shutdown();
        connections.shutdown();
        server.shutdown(true);
        try {
            server.getTxnLogFactory().close();
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing ZooKeeper's files", e);
        }
    }
}
