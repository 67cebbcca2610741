package io.ringmaster.lab.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A search for the highest rate that keeps a service level. */
public record Search(List<String> options) {
    public Search {
        options = List.copyOf(options);
    }

    /** @param slo {@code p99<5ms,p99.9<10ms}, of response times */
    public static Search of(String slo) {
        return new Search(List.of("--slo", slo));
    }

    /** The first rate, in requests per second. */
    public Search from(double perSecond) {
        return with("--from", Load.rate(perSecond));
    }

    /** The highest rate to try. */
    public Search to(double perSecond) {
        return with("--to", Load.rate(perSecond));
    }

    /** Shortest and longest time at a rate: the percentile decides how many requests it takes. */
    public Search step(Duration shortest, Duration longest) {
        return with("--step", Load.time(shortest), "--longest-step", Load.time(longest));
    }

    /** Load before each step that is not recorded. */
    public Search warmup(Duration warmup) {
        return with("--warmup", Load.time(warmup));
    }

    /** The relative gap at which the search ends: 0.05. */
    public Search precision(double gap) {
        return with("--precision", Double.toString(gap));
    }

    public Search repeats(int ofTheLastRates) {
        return with("--repeats", Integer.toString(ofTheLastRates));
    }

    private Search with(String... more) {
        return new Search(Stream.concat(options.stream(), Stream.of(more)).toList());
    }
}
