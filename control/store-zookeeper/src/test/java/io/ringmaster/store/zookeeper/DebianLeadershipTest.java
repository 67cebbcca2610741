package io.ringmaster.store.zookeeper;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Leadership;
import io.ringmaster.ports.LeadershipContract;
import io.ringmaster.ports.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class DebianLeadershipTest extends LeadershipContract {
    private static final List<DebianZooKeeper> SERVER = new ArrayList<>();
    private static int datacenters;
    private final Map<Leadership, ZooKeeperSession> sessions = new HashMap<>();
    private ZooKeeperSession own;

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
    void connectOwn() {
        datacenters++;
        own = connect();
    }

    @AfterEach
    void disconnect() {
        sessions.values().forEach(ZooKeeperSession::close);
        own.close();
    }

    private static ZooKeeperSession connect() {
        return ZooKeeperSession.connect(
                SERVER.get(0).connectString(), new DatacenterName("dc" + datacenters), "secret");
    }

    @Override
    protected Leadership candidate(String url) {
        ZooKeeperSession session = connect();
        Leadership leadership = new ZooKeeperLeadership(session, url);
        sessions.put(leadership, session);
        return leadership;
    }

    @Override
    protected Store store() {
        return new ZooKeeperStore(own);
    }

    @Override
    protected void loseSession(Leadership candidate) {
        Sessions.expire(sessions.get(candidate));
    }
}
