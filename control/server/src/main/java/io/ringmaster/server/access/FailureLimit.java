package io.ringmaster.server.access;

import io.ringmaster.ports.Clock;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the wrong tokens of each address in the present second. A right token is always accepted: otherwise one wrong
 * script would lock out everyone behind the same proxy, and nobody guesses 256 random bits.
 */
public final class FailureLimit {
    /** The maximum of failures of one address in a second that get their real answer. */
    public static final int PER_SECOND = 10;
    /** Bounds the memory that callers with many addresses can use. */
    private static final int ADDRESSES = 10_000;

    private final Clock clock;
    private final Map<String, Integer> failures = new HashMap<>();
    private long second;

    public FailureLimit(Clock clock) {
        this.clock = clock;
    }

    /**
     * Counts a failure.
     *
     * @return whether it is beyond the limit, so that the caller must slow down
     */
    public synchronized boolean isBeyond(String address) {
        long now = clock.now().getEpochSecond();
        if (now != second) {
            second = now;
            failures.clear();
        }
        if (failures.size() >= ADDRESSES && !failures.containsKey(address)) {
            return true;
        }
        return failures.merge(address, 1, Integer::sum) > PER_SECOND;
    }
}
