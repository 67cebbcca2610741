package io.ringmaster.store.zookeeper;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Store;
import io.ringmaster.ports.StoreContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class DebianStoreTest extends StoreContract {
    private static final List<DebianZooKeeper> SERVER = new ArrayList<>();
    private static int datacenters;
    private ZooKeeperSession session;

    @BeforeAll
    static void startServer(@TempDir Path directory) throws IOException, InterruptedException {
        SERVER.add(DebianZooKeeper.start(directory));
    }

    @AfterAll
    static void stopServer() {
        SERVER.forEach(DebianZooKeeper::close);
        SERVER.clear();
    }

    @BeforeEach
    void connect() {
        session = ZooKeeperSession.connect(
                SERVER.get(0).connectString(), new DatacenterName("dc" + ++datacenters), "secret");
    }

    @AfterEach
    void disconnect() {
        session.close();
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
