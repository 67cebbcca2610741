package io.ringmaster.integration;

import io.ringmaster.host.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The records of one datacenter's server in a ZooKeeper of its own process, which can die without the server. */
final class OwnZooKeeper implements AutoCloseable {
    private final Playground playground;
    private final String datacenter;
    private final Path folder;
    private final Path settings;
    private final String settingsBefore;
    private final int port;
    private final String java;
    private final String classPath;

    private OwnZooKeeper(Playground playground, String datacenter) throws IOException {
        this.playground = playground;
        this.datacenter = datacenter;
        this.folder = Playground.HOME.resolve("playground").resolve(datacenter).resolve("zookeeper");
        this.settings = folder.resolveSibling("server.yaml");
        this.settingsBefore = Files.readString(settings);
        List<String> server =
                Processes.commandLine(playground.server(datacenter).pid());
        this.java = server.get(0);
        this.classPath = server.get(server.indexOf("-cp") + 1);
        this.port = FreePorts.next();
    }

    /** Restarts the server: what its embedded ZooKeeper kept is kept by this one from now on. */
    static OwnZooKeeper of(Playground playground, String datacenter) throws IOException {
        var own = new OwnZooKeeper(playground, datacenter);
        DeadServer server = DeadServer.of(playground, datacenter);
        own.start();
        String secret = own.folder.resolve("secret").toString();
        Files.writeString(
                own.settings,
                own.settingsBefore.replaceFirst(
                        "embedded: true",
                        "connect: \"127.0.0.1:" + own.port + "\"\n  secret_file: \"" + secret + "\""));
        server.comesBack();
        return own;
    }

    void start() {
        Processes.detached(
                List.of(
                        java,
                        "-Xmx128m",
                        "-Dzookeeper.admin.enableServer=false",
                        "-cp",
                        classPath,
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        Integer.toString(port),
                        folder.toString()),
                folder.resolveSibling("zookeeper.log"));
    }

    void kill() {
        Processes.kill9(Processes.only("ZooKeeperServerMain", folder.toString()));
    }

    /** Puts the server back to its embedded ZooKeeper. */
    @Override
    public void close() {
        try {
            DeadServer server = DeadServer.of(playground, datacenter);
            kill();
            Files.writeString(settings, settingsBefore);
            server.comesBack();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
