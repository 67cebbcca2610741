package io.ringmaster.lab.experiment;

import java.util.HashMap;
import java.util.Map;

/**
 * When something happened beside a load of another process. By the wall clock, which both have; a load lasts minutes,
 * and its results have steps of a second.
 */
final class Moments {
    private final Map<String, Long> moments = new HashMap<>();

    void mark(String name) {
        moments.put(name, System.currentTimeMillis());
    }

    /** @param startedUnixMs start of the load */
    double secondsOf(String name, long startedUnixMs) {
        Long moment = moments.get(name);
        if (moment == null) {
            throw new IllegalArgumentException("nothing is marked as " + name);
        }
        return (moment - startedUnixMs) / 1000.0;
    }
}
