package io.ringmaster.playground.doctor;

import java.time.Instant;

/** Cassandra decides by timestamps which write wins, so the clocks of machines must agree. */
final class ClockCheck implements Check {
    private static final Instant PROJECT_BEGAN = Instant.parse("2025-01-01T00:00:00Z");

    @Override
    public Result look(Host host, Demand demand) {
        if (host.now().isBefore(PROJECT_BEGAN)) {
            return Result.fail("clock", "it is set to " + host.now(), "set it: timedatectl set-ntp true");
        }
        Boolean kept = host.clockSynchronized();
        if (kept == null) {
            return Result.ok("clock", "one computer, one clock; whether it is kept right cannot be told from here");
        }
        return kept
                ? Result.ok("clock", "synchronized")
                : Result.warn(
                        "clock", "not synchronized", "timedatectl set-ntp true, before several computers are used");
    }
}
