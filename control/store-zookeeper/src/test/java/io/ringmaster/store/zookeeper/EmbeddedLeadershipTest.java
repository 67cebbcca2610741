package io.ringmaster.store.zookeeper;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Leadership;
import io.ringmaster.ports.LeadershipContract;
import io.ringmaster.ports.Store;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedLeadershipTest extends LeadershipContract {
    private final Map<Leadership, ZooKeeperSession> sessions = new HashMap<>();
    private EmbeddedZooKeeper server;
    private ZooKeeperSession own;

    @BeforeEach
    void start(@TempDir Path directory) throws IOException {
        server = EmbeddedZooKeeper.start(directory.resolve("zookeeper"), 0);
        own = connect();
    }

    @AfterEach
    void stop() {
        sessions.values().forEach(ZooKeeperSession::close);
        own.close();
        server.close();
    }

    private ZooKeeperSession connect() {
        return ZooKeeperSession.connect(server, new DatacenterName("dc1"));
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
