package io.ringmaster.server;

import io.ringmaster.model.error.Problem;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.ServerConfig.ExternalZooKeeper;
import io.ringmaster.store.zookeeper.EmbeddedZooKeeper;
import io.ringmaster.store.zookeeper.ZooKeeperLeadership;
import io.ringmaster.store.zookeeper.ZooKeeperSession;
import io.ringmaster.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** ZooKeeper and the configured pool. */
final class RealAdapters {
    private RealAdapters() {}

    /** @throws IOException naming what cannot be used */
    static Adapters open(ServerConfig config) throws IOException {
        ExternalZooKeeper external = config.zookeeper();
        return external == null ? embedded(config) : external(config, external);
    }

    private static Adapters embedded(ServerConfig config) throws IOException {
        EmbeddedZooKeeper embedded =
                EmbeddedZooKeeper.start(config.stateDirectory().resolve("zookeeper"), 0);
        ZooKeeperSession session = ZooKeeperSession.connect(embedded, config.datacenter());
        return adapters(config, session, embedded::trouble, List.of(embedded, session));
    }

    /** An ensemble reports its own troubles. */
    private static Adapters external(ServerConfig config, ExternalZooKeeper external) throws IOException {
        String secret = external.secretFile() == null ? null : secret(external.secretFile());
        ZooKeeperSession session = ZooKeeperSession.connect(external.connect(), config.datacenter(), secret);
        return adapters(config, session, Optional::empty, List.of(session));
    }

    private static String secret(Path file) throws IOException {
        String secret = Files.readString(file).strip();
        if (secret.isEmpty()) {
            throw new IOException("zookeeper: " + file + " is empty -> put the secret back into it that the other"
                    + " servers of the datacenter have");
        }
        return secret;
    }

    private static Adapters adapters(
            ServerConfig config,
            ZooKeeperSession session,
            Supplier<Optional<Problem>> trouble,
            List<AutoCloseable> beneath) {
        return new Adapters(
                new ZooKeeperStore(session),
                new ZooKeeperLeadership(session, config.url().toString()),
                config.pool().opener(),
                trouble,
                beneath);
    }
}
