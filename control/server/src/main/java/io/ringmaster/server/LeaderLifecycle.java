package io.ringmaster.server;

import io.ringmaster.ports.FactSink;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.wire.node.HttpExecutorClient;
import io.ringmaster.wire.peer.HttpPeers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * What the leader alone does with the outside: a standby leaves pool, executors and peers alone. Opening and closing a pool takes its
 * time, so it happens on a thread of its own, in the order of the elections.
 */
final class LeaderLifecycle implements LeadershipState.Duties, AutoCloseable {
    private final PoolOnDemand pool;
    private final HttpExecutorClient agent;
    private final HttpPeers peers;
    private final FactSink facts;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        var daemon = new Thread(task, "leader-duties");
        daemon.setDaemon(true);
        return daemon;
    });
    private boolean listening;

    LeaderLifecycle(PoolOnDemand pool, HttpExecutorClient agent, HttpPeers peers, FactSink facts) {
        this.pool = pool;
        this.agent = agent;
        this.peers = peers;
        this.facts = facts;
    }

    @Override
    public void begin() {
        thread.execute(() -> {
            if (!listening) {
                listening = true;
                peers.start(facts);
            }
            pool.start(facts);
        });
    }

    @Override
    public void end() {
        // at once: another server speaks for the datacenter now
        peers.withdraw();
        agent.forgetAll();
        thread.execute(pool::leave);
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
