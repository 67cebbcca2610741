package io.ringmaster.lab.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A result of {@code metronome sustain}: the highest rate that keeps a service level.
 *
 * @param slo {@code p99<5ms,p99.9<10ms}
 * @param sustainableRate requests per second; null if no rate kept the level
 * @param spread lowest and highest outcome of the repeats; null without
 * @param steps the rates that were tried, in order
 */
@JsonNaming(SnakeCaseStrategy.class)
public record SustainResult(
        String slo, @Nullable Double sustainableRate, @Nullable List<Double> spread, List<Step> steps) {
    public SustainResult {
        steps = List.copyOf(steps);
    }

    /** One rate and its run. */
    public record Step(double rate, Conclusion verdict, String reason, RunResult run) {
        @JsonCreator
        static Step of(
                @JsonProperty("rate") double rate,
                @JsonProperty("verdict") Conclusion verdict,
                @JsonProperty("reason") String reason,
                @JsonProperty("run") Map<String, Object> run) {
            return new Step(rate, verdict, reason, RunResult.parse(run));
        }
    }

    /** Whether a rate kept the level; UNKNOWN for an invalid run or too few requests. */
    public enum Conclusion {
        @JsonProperty("kept")
        KEPT,
        @JsonProperty("missed")
        MISSED,
        @JsonProperty("unknown")
        UNKNOWN
    }

    /** @throws IOException the file is missing or no result of a search; the message names it */
    static SustainResult read(Path file) throws IOException {
        try {
            return Json.parse(Files.readString(file), SustainResult.class);
        } catch (UncheckedIOException e) {
            throw new IOException(file + " is not a result of metronome sustain: " + e.getCause(), e);
        }
    }

    /** What a log keeps of all steps. */
    public List<LoadLog.Entry> entries() {
        return steps.stream().flatMap(step -> step.run().entries().stream()).toList();
    }
}
