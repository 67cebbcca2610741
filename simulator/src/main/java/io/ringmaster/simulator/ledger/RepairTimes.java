package io.ringmaster.simulator.ledger;

import java.time.Instant;
import java.util.Map;

/**
 * The times of a repair, of clocks that may be wrong.
 *
 * @param unlessAfter what was repaired since then, by the clock of the server, is left out
 * @param requestedAt when the server requested the task; {@link Instant#MAX} if it does not say that
 * @param now what the clock of the node shows
 * @param futureCounts whether a record with a time from the future proves a repair, which is a bug
 */
public record RepairTimes(Instant unlessAfter, Instant requestedAt, Instant now, boolean futureCounts) {
    /** @param args of the task */
    public static RepairTimes of(Map<String, String> args, Instant now, boolean futureCounts) {
        return new RepairTimes(time(args, "unless_after"), time(args, "requested_at"), now, futureCounts);
    }

    private static Instant time(Map<String, String> args, String name) {
        return args.containsKey(name) ? Instant.parse(args.get(name)) : Instant.MAX;
    }

    boolean proves(Instant at) {
        return !at.isBefore(unlessAfter) && (futureCounts || !at.isAfter(now));
    }

    /** Since when what is repaired now counts: by the slower of the two clocks. */
    Instant countsSince() {
        return now.isBefore(requestedAt) ? now : requestedAt;
    }
}
