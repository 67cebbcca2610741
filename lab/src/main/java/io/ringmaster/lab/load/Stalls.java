package io.ringmaster.lab.load;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Stalls of one coordinator, and what users see of them by arithmetic: requests come evenly, each waits for the end of
 * the stall.
 *
 * @param rate requests per second of all coordinators together
 * @param coordinators that share them evenly
 * @param lengths of the stalls
 */
public record Stalls(double rate, int coordinators, List<Duration> lengths) {
    public Stalls {
        lengths = List.copyOf(lengths);
    }

    /** Requests per second of the one that stalls. */
    public double stalledRate() {
        return rate / coordinators;
    }

    /** How many requests take longer than this. */
    public double longerThan(Duration limit) {
        return stalledRate() * sum(d -> Math.max(0, d - seconds(limit)));
    }

    /** How long all users together wait for the ends of the stalls, in seconds. */
    public double requestSeconds() {
        return stalledRate() * sum(d -> d * d / 2);
    }

    double sum(ToDoubleFunction<Double> ofSeconds) {
        return lengths.stream().map(Stalls::seconds).mapToDouble(ofSeconds).sum();
    }

    static double seconds(Duration time) {
        return time.toNanos() / 1e9;
    }
}
