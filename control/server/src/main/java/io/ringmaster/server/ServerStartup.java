package io.ringmaster.server;

import io.ringmaster.model.access.Secret;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.TokenFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a server from its settings, with the real adapters. */
final class ServerStartup {
    private ServerStartup() {}

    /** @throws IOException naming the file, directory or store that cannot be used */
    static Server start(ServerConfig config) throws IOException {
        Files.createDirectories(
                config.stateDirectory(),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!Files.exists(config.backupLocations())) {
            Files.createDirectories(
                    config.backupLocations(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        // logback.xml reads it, so it must be set before the first logger is created
        System.setProperty(
                "ringmaster.log", config.stateDirectory().resolve("server.log").toString());
        Logger log = LoggerFactory.getLogger(ServerStartup.class);
        Secret token = TokenFile.readOrCreate(config.tokenFile());
        if (!config.loopbackOnly() && config.tls() == null) {
            log.warn(
                    "listens on {} without TLS: everyone who reaches it and has the token can change every cluster",
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
}
