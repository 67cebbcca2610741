package io.ringmaster.store.memory;

import io.ringmaster.ports.Leadership;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A candidate of an election in one process. Elections happen at once, on the caller's thread. */
public final class InMemoryLeadership implements Leadership {
    private final InMemoryElection election;
    private final String url;
    private @Nullable Listener listener;

    InMemoryLeadership(InMemoryElection election, String url) {
        this.election = election;
        this.url = url;
    }

    /** The only candidate of a new election. */
    public static InMemoryLeadership alone(InMemoryStore store, String url) {
        return new InMemoryElection(store).candidate(url);
    }

    @Override
    public void start(Listener l) {
        listener = l;
        election.join(this);
    }

    @Override
    public Optional<String> leaderUrl() {
        return Optional.ofNullable(election.leader()).map(leader -> leader.url);
    }

    /** Expires the session: the next candidate leads, and this one joins the election again behind the others. */
    public void loseSession() {
        election.leave(this);
        election.join(this);
    }

    @Override
    public void close() {
        election.leave(this);
    }

    void elected(long epoch) {
        if (listener != null) {
            listener.onElected(epoch);
        }
    }

    void lost() {
        if (listener != null) {
            listener.onLost();
        }
    }
}
