package io.ringmaster.backup.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.host.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A real S3 server, versitygw, which keeps each bucket as a folder. */
final class VersityServer implements AutoCloseable {
    static final String KEY = "testkey";
    static final String SECRET = "testsecret";

    /** Where {@code ./dev versitygw} puts it. */
    private static final Path PROGRAM = Path.of("../.build/versitygw/versitygw");

    private final Process process;
    private final int port;
    private final Path folder;
    private final AtomicInteger buckets = new AtomicInteger();

    private VersityServer(Process process, int port, Path folder) {
        this.process = process;
        this.port = port;
        this.folder = folder;
    }

    /**
     * Skips the test if the program is missing.
     *
     * @param folder on a file system with extended attributes
     */
    static VersityServer start(Path folder) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(PROGRAM), "no versitygw in .build -> ./dev versitygw");
        int port = FreePorts.next();
        Process process = new ProcessBuilder(
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
                        folder.resolveSibling(folder.getFileName() + ".log").toFile())
                .start();
        var server = new VersityServer(process, port, folder);
        server.awaitAnswer();
        return server;
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        for (int i = 0; i < 200 && process.isAlive(); i++) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                Thread.sleep(50);
            }
        }
        close();
        throw new IOException("versitygw does not answer -> " + folder + ".log");
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** The name of a new, empty bucket. */
    String newBucket() throws IOException {
        String name = "bucket" + buckets.incrementAndGet();
        Files.createDirectory(folder.resolve(name));
        return name;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
