package io.ringmaster.server;

import io.ringmaster.ports.FactSink;
import io.ringmaster.ports.PoolRecords;
import io.ringmaster.server.read.LeadershipState;
import io.ringmaster.wire.node.HttpExecutorClient;
import io.ringmaster.wire.peer.HttpPeers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongFunction;

/**
 * Opens and closes the connections that only the leader uses: pool, executors and peers. Opening a pool may take
 * seconds, so a separate thread does it, in the order of the elections.
 */
final class LeaderLifecycle implements LeadershipState.Lifecycle, AutoCloseable {
    private final PoolOnDemand pool;
    private final HttpExecutorClient executors;
    private final HttpPeers peers;
    private final FactSink facts;
    private final LongFunction<PoolRecords> records;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        var daemon = new Thread(task, "leader-lifecycle");
        daemon.setDaemon(true);
        return daemon;
    });
    private boolean peersStarted;

    /** @param records of the pool, by the epoch in which they are written */
    LeaderLifecycle(
            PoolOnDemand pool,
            HttpExecutorClient executors,
            HttpPeers peers,
            FactSink facts,
            LongFunction<PoolRecords> records) {
        this.pool = pool;
        this.executors = executors;
        this.peers = peers;
        this.facts = facts;
        this.records = records;
    }

    @Override
    public void start(long epoch) {
        thread.execute(() -> {
            if (!peersStarted) {
                peersStarted = true;
                peers.start(facts);
            }
            pool.start(facts, records.apply(epoch));
        });
    }

    @Override
    public void stop() {
        // not queued: another server reports for the datacenter from now on
        peers.withdraw();
        executors.forgetAll();
        thread.execute(pool::stop);
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
