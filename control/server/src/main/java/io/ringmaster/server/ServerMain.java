package io.ringmaster.server;

import io.ringmaster.server.config.ConfigException;
import io.ringmaster.server.config.ConfigReader;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.TokenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code java -cp ... io.ringmaster.server.ServerMain --config server.yaml}; with {@code --warm-up} instead it ends by itself, once it
 * has loaded the classes that a class archive should hold.
 */
public final class ServerMain {
    private static final int EXIT_USAGE = 2;
    private static final int EXIT_FAILED = 1;

    private ServerMain() {}

    public static void main(String[] args) {
        if (args.length == 1 && args[0].equals("--warm-up")) {
            System.exit(ServerWarmUp.run() ? 0 : EXIT_FAILED);
        }
        if (args.length != 2 || !args[0].equals("--config")) {
            fail(EXIT_USAGE, List.of("usage: ServerMain --config server.yaml"));
        }
        try {
            Server server = start(ConfigReader.read(Path.of(args[1])));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
        } catch (ConfigException e) {
            fail(EXIT_USAGE, e.lines());
        } catch (IOException | RuntimeException e) {
            fail(EXIT_FAILED, List.of(e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    static Server start(ServerConfig config) throws IOException {
        Files.createDirectories(
                config.stateDirectory(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        // read by logback.xml, so it must stand before the first logger is made
        System.setProperty(
                "ringmaster.log", config.stateDirectory().resolve("server.log").toString());
        Logger log = LoggerFactory.getLogger(ServerMain.class);
        String token = TokenFile.readOrCreate(config.tokenFile());
        if (!config.loopbackOnly()) {
            log.warn(
                    "listens on {}: whoever reaches it and has the token can change every cluster; there is no TLS",
                    config.listen());
        }
        Server server = Server.start(config, token, RealAdapters.open(config), Instant::now);
        Duration sinceStart =
                Duration.between(ProcessHandle.current().info().startInstant().orElse(Instant.now()), Instant.now());
        log.info(
                "datacenter={} listens={} peers={} pool={} startup_ms={}",
                config.datacenter(),
                config.url(),
                config.peers().keySet(),
                config.pool().name(),
                sinceStart.toMillis());
        return server;
    }

    private static void stop(Server server) {
        Logger log = LoggerFactory.getLogger(ServerMain.class);
        log.info("stops; nodes keep running");
        server.close();
        log.info("stopped");
    }

    private static void fail(int code, List<String> lines) {
        lines.forEach(line -> System.err.println("server: " + line));
        System.exit(code);
    }
}
