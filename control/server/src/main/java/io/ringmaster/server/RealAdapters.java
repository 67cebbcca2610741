package io.ringmaster.server;

import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.local.CassandraExecutor;
import io.ringmaster.pool.local.LocalPool;
import io.ringmaster.pool.local.LocalPoolSettings;
import io.ringmaster.pool.local.binaries.Binaries;
import io.ringmaster.ports.Pool;
import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.ServerConfig.ExternalZooKeeper;
import io.ringmaster.store.zookeeper.EmbeddedZooKeeper;
import io.ringmaster.store.zookeeper.ZooKeeperLeadership;
import io.ringmaster.store.zookeeper.ZooKeeperSession;
import io.ringmaster.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** ZooKeeper and the local pool, as the settings say. */
final class RealAdapters {
    private RealAdapters() {}

    /** @throws IOException naming what cannot be used */
    static Adapters open(ServerConfig config) throws IOException {
        var beneath = new ArrayList<AutoCloseable>();
        ZooKeeperSession session = session(config, beneath);
        beneath.add(session);
        return new Adapters(
                new ZooKeeperStore(session),
                new ZooKeeperLeadership(session, config.url().toString()),
                () -> pool(config),
                id -> executorToken(config.stateDirectory(), id),
                beneath);
    }

    private static ZooKeeperSession session(ServerConfig config, List<AutoCloseable> beneath) throws IOException {
        ExternalZooKeeper external = config.zookeeper();
        if (external == null) {
            EmbeddedZooKeeper embedded =
                    EmbeddedZooKeeper.start(config.stateDirectory().resolve("zookeeper"), 0);
            beneath.add(embedded);
            return ZooKeeperSession.connect(embedded, config.datacenter());
        }
        String secret = external.secretFile() == null
                ? null
                : Files.readString(external.secretFile()).strip();
        return ZooKeeperSession.connect(external.connect(), config.datacenter(), secret);
    }

    private static Optional<String> executorToken(Path stateDirectory, AllocationId id) {
        Path file = stateDirectory.resolve("allocations").resolve(id.value()).resolve("token");
        try {
            return Files.exists(file) ? Optional.of(Files.readString(file).strip()) : Optional.empty();
        } catch (IOException e) {
            // without it the executor refuses, and that reason is shown
            return Optional.empty();
        }
    }

    private static Pool pool(ServerConfig config) {
        var executor = new CassandraExecutor(config.dist(), new Binaries(config.cache(), config.binaries()));
        return new LocalPool(new LocalPoolSettings(config.stateDirectory(), config.machines(), executor));
    }
}
