package io.ringmaster.lab.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What {@code metronome compare} says of two sets of runs.
 *
 * @param notes caveats: failures, different settings, too few runs
 */
public record Comparison(List<Row> rows, List<String> notes) {
    public Comparison {
        rows = List.copyOf(rows);
        notes = List.copyOf(notes);
    }

    /** Response time counts from the intended start, service time from the send. */
    public enum Time {
        @JsonProperty("response")
        RESPONSE,
        @JsonProperty("service")
        SERVICE
    }

    /** What the interval says of the ratio. */
    public enum Conclusion {
        @JsonProperty("faster")
        FASTER,
        @JsonProperty("slower")
        SLOWER,
        /** The interval includes 1. */
        @JsonProperty("cannot_tell")
        CANNOT_TELL,
        /** Too few requests or seconds for an interval. */
        @JsonProperty("too_little")
        TOO_LITTLE
    }

    /**
     * One percentile.
     *
     * @param ratio after divided by before; null where before is 0
     * @param low lower end of the 95 % interval of the ratio; null without one
     * @param high upper end
     * @param reason why there is no interval; null where there is one
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Row(
            Time time,
            double percentile,
            @Nullable Double beforeMs,
            @Nullable Double afterMs,
            @Nullable Double ratio,
            Conclusion verdict,
            @Nullable Double low,
            @Nullable Double high,
            @Nullable String reason) {}

    public Optional<Row> row(Time time, double percentile) {
        return rows.stream()
                .filter(row -> row.time() == time && row.percentile() == percentile)
                .findFirst();
    }
}
