package io.ringmaster.server;

import io.ringmaster.ports.FactSink;
import io.ringmaster.server.read.LeadState;
import io.ringmaster.wire.node.HttpNodeAgent;
import io.ringmaster.wire.peer.HttpPeers;

/** What the leader alone does with the outside: a standby leaves pool, executors and peers alone. */
final class LeaderDuties implements LeadState.Duties {
    private final PoolOnDemand pool;
    private final HttpNodeAgent agent;
    private final HttpPeers peers;
    private final FactSink facts;
    private boolean listening;

    LeaderDuties(PoolOnDemand pool, HttpNodeAgent agent, HttpPeers peers, FactSink facts) {
        this.pool = pool;
        this.agent = agent;
        this.peers = peers;
        this.facts = facts;
    }

    @Override
    public synchronized void begin() {
        pool.start(facts);
        if (!listening) {
            listening = true;
            agent.start(facts);
            peers.start(facts);
        }
    }

    @Override
    public void end() {
        pool.leave();
        peers.withdraw();
        agent.forgetAll();
    }
}
