package io.ringmaster.model.plan;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Latencies and failures of a light load of reads and writes that ran during a plan, measured by the machine of the
 * user.
 *
 * @param what the load in one line, for people
 * @param at when it was reported
 * @param parts one for each datacenter that received the load
 */
public record PlanLoad(String what, Instant at, List<Part> parts) {
    private static final int TEXT_LIMIT = 200;
    private static final int PARTS_LIMIT = 100;

    /** @throws IllegalArgumentException naming the field that is missing, too long or not a number */
    public PlanLoad {
        require(what != null && what.length() <= TEXT_LIMIT, "what: must be a text of up to 200 characters");
        require(at != null, "at: must be a time");
        require(
                parts != null && !parts.isEmpty() && parts.size() <= PARTS_LIMIT,
                "parts: there must be 1 to 100 of them");
        parts = List.copyOf(parts);
    }

    /** The load before the work of the plan, during it, and after it. */
    public record Part(DatacenterName datacenter, Period before, Period during, Period after) {
        public Part {
            require(datacenter != null, "parts.datacenter: must be a name");
            require(before != null && during != null && after != null, "parts: before, during and after are needed");
        }

        public long requests() {
            return before.requests + during.requests + after.requests;
        }

        public long failed() {
            return before.failed + during.failed + after.failed;
        }
    }

    /**
     * One period of the load. Response times run from the intended start of a request, failed requests included.
     *
     * @param seconds the length of the period
     * @param p50Ms null, as the other times, where there are too few requests for this percentile
     * @param error the cause of the first failed request, or null
     */
    public record Period(
            double seconds,
            long requests,
            long failed,
            @Nullable Double p50Ms,
            @Nullable Double p99Ms,
            @Nullable Double p999Ms,
            @Nullable Double maxMs,
            @Nullable String error) {
        public Period {
            require(isFigure(seconds), "seconds: must be 0 or more");
            require(requests >= 0 && failed >= 0 && failed <= requests, "failed: must lie in 0-requests");
            require(
                    isFigure(p50Ms) && isFigure(p99Ms) && isFigure(p999Ms) && isFigure(maxMs),
                    "p50Ms, p99Ms, p999Ms, maxMs: must be 0 or more");
            require(error == null || error.length() <= TEXT_LIMIT, "error: must be no longer than 200 characters");
        }

        private static boolean isFigure(@Nullable Double value) {
            return value == null || (value >= 0 && value < Double.POSITIVE_INFINITY);
        }
    }

    public long requests() {
        return parts.stream().mapToLong(Part::requests).sum();
    }

    public long failed() {
        return parts.stream().mapToLong(Part::failed).sum();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
