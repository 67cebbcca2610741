package io.ringmaster.store.memory;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The election that {@link InMemoryLeadership} candidates share. The longest-standing candidate leads; the store counts the epochs. */
public final class InMemoryElection {
    private final InMemoryStore store;
    private final List<InMemoryLeadership> candidates = new ArrayList<>();

    public InMemoryElection(InMemoryStore store) {
        this.store = store;
    }

    public InMemoryLeadership candidate(String url) {
        return new InMemoryLeadership(this, url);
    }

    synchronized void join(InMemoryLeadership candidate) {
        candidates.add(candidate);
        if (candidates.size() == 1) {
            candidate.elected(store.nextEpoch());
        }
    }

    synchronized void leave(InMemoryLeadership candidate) {
        boolean led = leader() == candidate;
        if (candidates.remove(candidate) && led) {
            candidate.lost();
            if (!candidates.isEmpty()) {
                candidates.get(0).elected(store.nextEpoch());
            }
        }
    }

    synchronized @Nullable InMemoryLeadership leader() {
        return candidates.isEmpty() ? null : candidates.get(0);
    }
}
