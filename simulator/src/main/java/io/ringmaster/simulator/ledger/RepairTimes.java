package io.ringmaster.simulator.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * What a node knows of a repair: the request that it is for, and times of clocks that may be wrong.
 *
 * @param request by which the node knows what it has repaired for it: a time of the server's clock, as it is written
 * @param maxAge what was repaired so long ago at the most, by the clock of the node, is left out too
 * @param requestedAt when the server requested the task, by its clock; {@link Instant#MAX} if it does not say that
 * @param now what the clock of the node shows
 */
public record RepairTimes(String request, Duration maxAge, Instant requestedAt, Instant now, Misjudged misjudged) {
    /** Which records a node takes wrongly for a proof. */
    public enum Misjudged {
        NONE,
        /** Those with a time from the future. */
        FUTURE,
        /** Those with a later time than the server gave the request, by its clock. */
        LATER
    }

    /** @param args of the task */
    public static RepairTimes of(Map<String, String> args, Instant now, Misjudged misjudged) {
        return new RepairTimes(
                args.getOrDefault("unless_after", ""),
                Duration.parse(args.getOrDefault("max_age", "PT0S")),
                args.containsKey("requested_at") ? Instant.parse(args.get("requested_at")) : Instant.MAX,
                now,
                misjudged);
    }

    /** Whether the node need not repair again what it has recorded. A time from the future proves nothing. */
    boolean leavesOut(RepairRecords.Repaired repaired) {
        if (repaired.at().isAfter(now)) {
            return misjudged == Misjudged.FUTURE;
        }
        return misjudged == Misjudged.LATER
                ? !repaired.at().isBefore(Instant.parse(request))
                : isForRequest(repaired) || repaired.at().isAfter(now.minus(maxAge));
    }

    /** Whether all that is left out was repaired since the request, whatever the clocks say. */
    boolean leavesOutForRequestAlone() {
        return maxAge.isZero();
    }

    private boolean isForRequest(RepairRecords.Repaired repaired) {
        return !request.isEmpty() && repaired.request().equals(request);
    }

    /** Since when what is repaired now counts: by the slower of the two clocks. */
    Instant countsSince() {
        return now.isBefore(requestedAt) ? now : requestedAt;
    }
}
