package io.ringmaster.playground.doctor;

import java.time.Instant;

/** The newest timestamp wins in Cassandra, so the clocks of machines must agree. */
final class ClockCheck implements Check {
    private static final Instant PROJECT_START = Instant.parse("2025-01-01T00:00:00Z");

    @Override
    public Result look(Host host, Demand demand) {
        if (host.now().isBefore(PROJECT_START)) {
            return Result.fail("clock", "it is set to " + host.now(), "set it: timedatectl set-ntp true");
        }
        Boolean kept = host.clockSynchronized();
        if (kept == null) {
            return Result.ok("clock", "one computer, one clock; its synchronization cannot be read here");
        }
        return kept
                ? Result.ok("clock", "synchronized")
                : Result.warn(
                        "clock",
                        "not synchronized",
                        "timedatectl set-ntp true, before a cluster spans several computers");
    }
}
