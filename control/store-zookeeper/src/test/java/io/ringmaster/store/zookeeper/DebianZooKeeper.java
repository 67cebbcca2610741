package io.ringmaster.store.zookeeper;

import io.ringmaster.host.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** The zookeeper package of Debian in a separate process, on loopback. */
final class DebianZooKeeper implements AutoCloseable {
    private static final Path JAR = Path.of("/usr/share/java/zookeeper.jar");
    private static final long START_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final Process process;
    private final int port;

    private DebianZooKeeper(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static DebianZooKeeper start(Path directory) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.exists(JAR), "skipped: " + JAR + " is missing (apt-get install zookeeper)");
        int port = FreePorts.next();
        Path config = directory.resolve("zoo.cfg");
        Files.writeString(
                config,
                "dataDir=" + directory.resolve("data") + "\nclientPortAddress=127.0.0.1\nclientPort=" + port
                        + "\ntickTime=1000\nadmin.enableServer=false\n");
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                JAR.toString(),
                "org.apache.zookeeper.server.ZooKeeperServerMain",
                config.toString());
        Path log = directory.resolve("zookeeper.log");
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        DebianZooKeeper server = new DebianZooKeeper(builder.start(), port);
        try {
            server.awaitPort(log);
            return server;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
    }

    private static InetAddress loopback() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    private void awaitPort(Path log) throws IOException, InterruptedException {
        long end = System.nanoTime() + START_LIMIT_NS;
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(loopback(), port), 1_000);
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new AssertionError("Debian's ZooKeeper does not start:\n" + Files.readString(log), e);
                }
                Thread.sleep(50);
            }
        }
    }

    String connectString() {
        return "127.0.0.1:" + port;
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().orTimeout(10, TimeUnit.SECONDS).join();
    }
}
