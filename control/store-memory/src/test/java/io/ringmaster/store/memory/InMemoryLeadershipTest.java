package io.ringmaster.store.memory;

import io.ringmaster.ports.Leadership;
import io.ringmaster.ports.LeadershipContract;
import io.ringmaster.ports.Store;

class InMemoryLeadershipTest extends LeadershipContract {
    private final InMemoryStore store = new InMemoryStore();
    private final InMemoryElection election = new InMemoryElection(store);

    @Override
    protected Leadership candidate(String url) {
        return election.candidate(url);
    }

    @Override
    protected Store store() {
        return store;
    }

    @Override
    protected void loseSession(Leadership candidate) {
        ((InMemoryLeadership) candidate).loseSession();
    }
}
