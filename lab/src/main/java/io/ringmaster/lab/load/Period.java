package io.ringmaster.lab.load;

import io.ringmaster.lab.figure.Measured.Point;
import java.util.List;

/**
 * A part of a run, made of its whole seconds.
 *
 * @param intervals the seconds, in order
 */
public record Period(List<RunResult.Interval> intervals) {
    public Period {
        intervals = List.copyOf(intervals);
    }

    /**
     * @param fromS seconds from the start of the load
     * @param toS the first second that is not part of it
     */
    public static Period of(RunResult run, double fromS, double toS) {
        return new Period(run.intervals().stream()
                .filter(i -> i.startMs() >= fromS * 1000 && i.startMs() + i.durationMs() <= toS * 1000 + 1)
                .toList());
    }

    public Latencies response() {
        return Latencies.sum(
                intervals.stream().map(RunResult.Interval::response).toList());
    }

    /** Answered requests each second. */
    public double rate() {
        long succeeded =
                intervals.stream().mapToLong(RunResult.Interval::succeeded).sum();
        long ms = intervals.stream().mapToLong(RunResult.Interval::durationMs).sum();
        return ms == 0 ? 0 : succeeded * 1000.0 / ms;
    }

    public long failed() {
        return intervals.stream().mapToLong(RunResult.Interval::failed).sum();
    }

    /** The longest response of each second, in milliseconds over seconds from the start of the load. */
    public List<Point> maxima() {
        return intervals.stream()
                .filter(i -> i.response().count() > 0)
                .map(i -> new Point(i.startMs() / 1000.0, i.response().max()))
                .toList();
    }

    /** A percentile of each second, in milliseconds over seconds from the start of the load. */
    public List<Point> percentiles(double percentile) {
        return intervals.stream()
                .filter(i -> i.response().count() > 0)
                .map(i -> new Point(i.startMs() / 1000.0, i.response().p(percentile)))
                .toList();
    }

    /** Answers of each second. */
    public List<Point> rates() {
        return intervals.stream()
                .map(i -> new Point(i.startMs() / 1000.0, i.succeeded() * 1000.0 / Math.max(1, i.durationMs())))
                .toList();
    }
}
