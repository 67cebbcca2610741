package io.ringmaster.store.zookeeper;

import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreContract;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedStoreTest extends StoreContract {
    private EmbeddedZooKeeper server;
    private ZooKeeperSession session;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0);
        session = ZooKeeperSession.connect(server, DC1);
    }

    @AfterEach
    void stop() {
        session.close();
        server.close();
    }

    @Override
    protected Store open() {
        return new ZooKeeperStore(session);
    }

    @Override
    protected long elect() {
        return Sessions.elect(session);
    }
}
