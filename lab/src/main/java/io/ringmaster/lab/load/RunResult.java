package io.ringmaster.lab.load;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.ringmaster.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A result of {@code metronome run}. Response time counts from the intended start of a request, service time from its
 * send; both hold every request, failed ones too.
 *
 * @param startedUnixMs when the load started, by the wall clock
 * @param durationS seconds until the last answer
 * @param invalidReasons why the numbers must not be trusted; empty for a valid run
 * @param intervals one for each second
 */
@JsonNaming(SnakeCaseStrategy.class)
public record RunResult(
        long startedUnixMs,
        double durationS,
        boolean valid,
        List<String> invalidReasons,
        Requests requests,
        Latencies response,
        Latencies service,
        List<Statement> statements,
        List<ErrorCount> errors,
        List<Interval> intervals,
        Generator generator) {
    public RunResult {
        invalidReasons = List.copyOf(invalidReasons);
        Objects.requireNonNull(requests, "requests");
        Objects.requireNonNull(response, "response");
        Objects.requireNonNull(service, "service");
        statements = List.copyOf(statements);
        errors = List.copyOf(errors);
        intervals = List.copyOf(intervals);
    }

    /** Numbers of requests: intended by the schedule, sent, and by outcome. */
    public record Requests(long intended, long sent, long succeeded, long failed) {}

    /** The part of one statement of the workload. */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Statement(
            String name, boolean isWrite, long succeeded, long failed, Latencies response, Latencies service) {}

    /**
     * One kind of failure.
     *
     * @param kind metronome's name of it: {@code client_timeout}, {@code unavailable}, {@code connection_lost}, ...
     * @param example the first message
     */
    public record ErrorCount(@JsonProperty("class") String kind, String example, long count) {}

    /**
     * One second. Requests count where they were answered, {@code intended} where they were meant to start.
     *
     * @param startMs from the start of the load
     * @param inFlight requests without an answer at its end
     * @param behindMs longest delay of a send that the generator itself caused
     * @param hiccupMs longest pause of the machine
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Interval(
            long startMs,
            long durationMs,
            long intended,
            long succeeded,
            long failed,
            long inFlight,
            double behindMs,
            double hiccupMs,
            Latencies response,
            Latencies service) {}

    /**
     * The generator beside its load.
     *
     * @param behindMs longest delay of a send that the generator itself caused
     * @param sentAfterMs mean time from the intended start to the send
     * @param hiccups pauses of an idle thread: those of the machine
     */
    @JsonNaming(SnakeCaseStrategy.class)
    public record Generator(
            double behindMs,
            @Nullable Double sentAfterMs,
            @Nullable Latencies hiccups,
            double cpuUserS,
            double cpuSystemS,
            long peakMemoryBytes) {

        public double cpuS() {
            return cpuUserS + cpuSystemS;
        }
    }

    /** @throws IOException the file is missing or no result of a run; the message names it */
    static RunResult read(Path file) throws IOException {
        try {
            return parse(Json.parse(Files.readString(file), Map.class));
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new IOException(file + " is not a result of metronome run: " + e.getMessage(), e);
        }
    }

    /** The figures of the generator stand among the others in the file. */
    static RunResult parse(Map<?, ?> json) {
        Map<Object, Object> withGenerator = new HashMap<>(json);
        withGenerator.put("generator", json);
        return Json.mapper().convertValue(withGenerator, RunResult.class);
    }

    /** What a log keeps of it. */
    public List<LoadLog.Entry> entries() {
        return entries("");
    }

    /** @param end of the tags, for logs that hold several runs: {@code response-1400} */
    public List<LoadLog.Entry> entries(String end) {
        List<LoadLog.Entry> entries = new ArrayList<>();
        for (Interval interval : intervals) {
            long start = startedUnixMs + interval.startMs();
            long until = start + interval.durationMs();
            entries.add(new LoadLog.Entry(LoadLog.RESPONSE + end, start, until, interval.response()));
            entries.add(new LoadLog.Entry(LoadLog.SERVICE + end, start, until, interval.service()));
        }
        return entries;
    }
}
