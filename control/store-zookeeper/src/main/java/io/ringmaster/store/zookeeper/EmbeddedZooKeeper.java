package io.ringmaster.store.zookeeper;

import io.ringmaster.host.HeldLock;
import io.ringmaster.model.error.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.Optional;

/**
 * A ZooKeeper server inside this process, on 127.0.0.1, in one directory: {@code lock}, {@code secret} and
 * {@code client.port} beside ZooKeeper's own {@code version-2}. Every transaction is on disk before it is acknowledged.
 * After a full disk it runs again, at the same port, once there is room.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private final HeldLock lock;
    private final String secret;
    private final RestartedZooKeeper server;

    private EmbeddedZooKeeper(HeldLock lock, String secret, RestartedZooKeeper server) {
        this.lock = lock;
        this.secret = secret;
        this.server = server;
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
        String secret = secret(directory);
        ZooKeeperRun run = ZooKeeperRun.start(directory, port);
        try {
            write(directory.resolve("client.port"), Integer.toString(run.port()));
        } catch (IOException e) {
            run.close();
            throw e;
        }
        return new EmbeddedZooKeeper(lock, secret, new RestartedZooKeeper(directory, run));
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
        String secret = Files.readString(file).trim();
        if (!secret.matches("[0-9a-f]{48}")) {
            throw new IOException(file + " is damaged: it grants access to the records in " + directory
                    + ", and cannot be made again -> put the file back from a backup of this directory");
        }
        return secret;
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
        return server.port();
    }

    public String connectString() {
        return "127.0.0.1:" + port();
    }

    /** The secret that grants read and write access; never log it. */
    public String secret() {
        return secret;
    }

    /** Why it does not run, after a failed write such as on a full disk; empty while it runs. */
    public Optional<Problem> trouble() {
        return server.trouble();
    }

    @Override
    public void close() {
        server.close();
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing ZooKeeper's lock", e);
        }
    }
}
