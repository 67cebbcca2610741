package io.ringmaster.ports;

import java.util.Optional;

/** Election among the servers of one datacenter. */
public interface Leadership extends AutoCloseable {

    /** Called from any thread; never blocks. */
    interface Listener {
        /** This server leads. Each leader gets a higher epoch than any before it. */
        void onElected(long epoch);

        /** This server leads no more, or cannot be sure that it does. */
        void onLost();
    }

    void start(Listener listener);

    /** The base URL that the current leader announced, when one is known. */
    Optional<String> leaderUrl();

    @Override
    void close();
}
