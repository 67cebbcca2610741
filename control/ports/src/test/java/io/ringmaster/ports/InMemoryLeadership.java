package io.ringmaster.ports;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Election in one process, at once and on the caller's thread. */
public final class InMemoryLeadership implements Leadership {
    private final InMemoryElection election;
    private final String url;
    private @Nullable Listener listener;

    InMemoryLeadership(InMemoryElection election, String url) {
        this.election = election;
        this.url = url;
    }

    /** The only candidate of its own electorate. */
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

    /** As when its session expires: it leads no more, the next candidate does, and it stands again behind the others. */
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
