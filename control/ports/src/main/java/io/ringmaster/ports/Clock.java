package io.ringmaster.ports;

import java.time.Instant;

/** The time, so that it can be simulated. */
@FunctionalInterface
public interface Clock {
    Instant now();
}
