package io.ringmaster.ports;

import java.time.Instant;

/** The current time, which the simulator replaces. */
@FunctionalInterface
public interface Clock {
    Instant now();
}
