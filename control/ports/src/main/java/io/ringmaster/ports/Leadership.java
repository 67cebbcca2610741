package io.ringmaster.ports;

import java.util.Optional;

/** Leader election among the servers of one datacenter. */
public interface Leadership extends AutoCloseable {

    /** Called from any thread; must not block. */
    interface Listener {
        /** This server leads. Every epoch is higher than all earlier ones. */
        void onElected(long epoch);

        /** This server no longer leads, or cannot be sure that it does. */
        void onLost();
    }

    void start(Listener listener);

    /** The base URL that the current leader announced, if one is known. */
    Optional<String> leaderUrl();

    @Override
    void close();
}
