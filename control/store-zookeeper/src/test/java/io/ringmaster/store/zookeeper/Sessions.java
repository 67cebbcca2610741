package io.ringmaster.store.zookeeper;

import org.apache.zookeeper.ZooKeeper;

/** Operations on sessions for tests. */
final class Sessions {
    private Sessions() {}

    /** Ends the session at the server, as if its client had been silent for too long. */
    static void expire(ZooKeeperSession session) {
        try {
            ZooKeeper zk = session.client().getZookeeperClient().getZooKeeper();
            String server = session.client().getZookeeperClient().getCurrentConnectionString();
            ZooKeeper twin = new ZooKeeper(server, 10_000, event -> {}, zk.getSessionId(), zk.getSessionPasswd());
            try {
                // Only a connected client closes its session at the server.
                while (twin.getState() != ZooKeeper.States.CONNECTED) {
                    Thread.sleep(5);
                }
            } finally {
                twin.close();
            }
        } catch (Exception e) {
            throw new AssertionError("cannot expire the session", e);
        }
    }

    /** Starts an epoch without an election. */
    static long elect(ZooKeeperSession session) {
        return session.nextEpoch("/ringmaster");
    }
}
