package io.ringmaster.integration;

import io.ringmaster.host.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** A real S3 server, versitygw, which keeps each bucket as a folder and each object as a file. */
final class S3Server implements AutoCloseable {
    private static final String KEY = "testkey";
    private static final String SECRET = "testsecret";
    private static final Path PROGRAM = Playground.ROOT.resolve(".build/versitygw/versitygw");

    final int port;
    private final Path folder;
    private final Process process;

    private S3Server(Path folder) throws IOException {
        this.folder = folder;
        port = FreePorts.next();
        process = new ProcessBuilder(
                        PROGRAM.toRealPath().toString(),
                        "--port=127.0.0.1:" + port,
                        "--access=" + KEY,
                        "--secret=" + SECRET,
                        "--region=us-east-1",
                        "--keep-alive",
                        "--quiet",
                        "posix",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(
                        Playground.HOME.resolve(folder.getFileName() + ".log").toFile())
                .start();
    }

    /** Whether {@code ./dev versitygw} has built it. */
    static boolean isBuilt() {
        return Files.isExecutable(PROGRAM);
    }

    /** @param folder on a file system with extended attributes, with a folder for each bucket */
    static S3Server on(Path folder) {
        try {
            S3Server server = new S3Server(folder);
            Patience.until(
                    "versitygw to listen",
                    Duration.ofSeconds(20),
                    () -> isListening(server.port),
                    listening -> listening || !server.process.isAlive());
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isListening(int port) {
        try {
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Adds a location of a playground.
     *
     * @param bucket need not exist
     * @param port where its nodes reach this server
     * @param secret another one than the server's is refused
     */
    private static void add(Playground playground, String name, String bucket, int port, String secret) {
        Path file = Playground.HOME.resolve(name + ".key");
        try {
            Files.deleteIfExists(file);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(file, List.of("access_key_id: " + KEY, "secret_access_key: " + secret));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        playground.run(
                "backup",
                "location",
                "add",
                name,
                "--url",
                "s3://" + bucket + "/test",
                "--endpoint",
                "http://127.0.0.1:" + port,
                "--credentials-file",
                file.toString());
    }

    static void addLocation(Playground playground, String name, String bucket, int port) {
        add(playground, name, bucket, port, SECRET);
    }

    static void addLocationWithWrongKey(Playground playground, String name, String bucket, int port) {
        add(playground, name, bucket, port, "wrong" + SECRET);
    }

    /** The file of the only object whose key ends so. */
    Path object(String bucket, String end) {
        List<Path> found = objects(bucket, end).stream()
                .filter(f -> f.toString().endsWith(end))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("objects that end with " + end + ": " + found);
        }
        return found.get(0);
    }

    /** The file of the manifest of the newest backup: an id starts with its time. */
    Path newestManifest(String bucket) {
        return objects(bucket, "/backups/").stream()
                .filter(f -> f.toString().matches(".*/backups/[^/]*\\.json"))
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    Path largestBlob(String bucket) {
        return objects(bucket, "/blobs/").stream()
                .max(Comparator.comparing(f -> f.toFile().length()))
                .orElseThrow();
    }

    /** The files of the objects whose keys have this part. */
    List<Path> objects(String bucket, String part) {
        try (var files = Files.walk(folder.resolve(bucket))) {
            return files.filter(f -> f.toString().contains(part))
                    .filter(Files::isRegularFile)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
