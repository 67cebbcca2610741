package io.ringmaster.server;

import io.ringmaster.server.config.ServerConfig;
import io.ringmaster.server.config.ServerConfig.ExternalZooKeeper;
import io.ringmaster.store.zookeeper.EmbeddedZooKeeper;
import io.ringmaster.store.zookeeper.ZooKeeperLeadership;
import io.ringmaster.store.zookeeper.ZooKeeperSession;
import io.ringmaster.store.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** ZooKeeper and the configured pool. */
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
                config.pool().opener(),
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
}
