package io.ringmaster.lab.experiment;

import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.load.RunOutcome;
import io.ringmaster.lab.load.RunResult;
import io.ringmaster.lab.ring.GcLog;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Windows of {@link Collectors} with given times. */
final class CollectorSamples {
    private static final double IDLE = 0.6;
    private static final GcLog QUIET = new GcLog(List.of(), List.of(), List.of());

    private CollectorSamples() {}

    /** Of 1000 requests, 980 take half a millisecond. */
    private static Latencies times(double p99, double p999) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(500_000, 980);
        histogram.recordValueWithCount(Math.round(p99 * 1e6), 15);
        histogram.recordValueWithCount(Math.round(p999 * 1e6), 5);
        return new Latencies(histogram);
    }

    private static CollectorWindow window(
            double rate, double p99, double p999, List<String> invalid, long failed, double idle) {
        Latencies times = times(p99, p999);
        var requests = new RunResult.Requests(1000, 1000, 1000 - failed, failed);
        var generator = new RunResult.Generator(0, 0.0, null, 0, 0, 0);
        var second = new RunResult.Interval(0, 1000, 1000, 1000 - failed, failed, 0, 0, 1.5, times, times);
        var result = new RunResult(
                0,
                8,
                invalid.isEmpty(),
                invalid,
                requests,
                times,
                times,
                List.of(),
                List.of(),
                List.of(second),
                generator);
        return new CollectorWindow(rate, RunOutcome.of(Path.of("a.json"), result), 10, 0.0004, idle, 1L << 30, QUIET);
    }

    static CollectorWindow window(double rate, double p99, double p999) {
        return window(rate, p99, p999, List.of(), 0, IDLE);
    }

    static CollectorWindow onFullMachine(double rate, double p99, double p999) {
        return window(rate, p99, p999, List.of(), 0, 0.1);
    }

    /** The generator fell behind, although the times are good. */
    static CollectorWindow behind(double rate) {
        return window(rate, 1, 1, List.of("120 ms behind"), 0, 0.05);
    }

    /** Requests failed, although the times are good. */
    static CollectorWindow failed(double rate) {
        return window(rate, 1, 1, List.of(), 3, IDLE);
    }

    /** The climb of a JVM that keeps p99 below 5 ms and p99.9 below 10 ms up to these rates. */
    static Climb climb(List<Integer> rates, double p99, double p999) {
        Climb climb = new Climb(rates);
        while (climb.goesOn()) {
            climb.take(window(climb.rate(), climb.rate() <= p99 ? 2 : 7, climb.rate() <= p999 ? 8 : 14));
        }
        return climb;
    }
}
