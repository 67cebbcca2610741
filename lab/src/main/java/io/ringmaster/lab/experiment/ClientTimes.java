package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Measured.Point;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.load.LoadLog;
import java.util.Comparator;
import java.util.List;

/**
 * What a load generator reported, second by second, without the seconds of its own start.
 *
 * @param entries of its interval log
 */
record ClientTimes(List<LoadLog.Entry> entries) {
    ClientTimes {
        entries = List.copyOf(entries);
    }

    private long startMs() {
        return entries.stream().mapToLong(LoadLog.Entry::startMs).min().orElse(0);
    }

    /** Seconds from the start of the load. */
    double second(long wallClockMs) {
        return (wallClockMs - startMs()) / 1000.0;
    }

    private List<LoadLog.Entry> counted(String tag) {
        return entries.stream()
                .filter(e -> e.tag().equals(tag) && second(e.startMs()) >= Response.SKIPPED_S)
                .sorted(Comparator.comparingLong(LoadLog.Entry::startMs))
                .toList();
    }

    Latencies times(String tag) {
        return Latencies.sum(counted(tag).stream().map(LoadLog.Entry::times).toList());
    }

    void store(String key, String tag, Figures figures) {
        put(key, times(tag), figures);
        figures.series(
                key + ".max",
                counted(tag).stream()
                        .filter(e -> e.times().count() > 0)
                        .map(e -> new Point(second(e.startMs()), e.times().max()))
                        .toList());
    }

    /** The figures of a row: percentiles, how many were noticed, and how long users waited beyond the usual. */
    static void put(String key, Latencies times, Figures figures) {
        Response.PERCENTILES.put(figures, key, times);
        figures.count(key + ".reported", times.count());
        figures.count(key + ".noticed", times.countBeyond((double) Response.NOTICED.toMillis()));
        figures.put(key + ".waited", waited(times), Unit.SECONDS);
        figures.series(key + ".percentiles", times.curve());
    }

    /** Seconds of all requests together beyond the median, which is what they take without a stall. */
    private static double waited(Latencies times) {
        return times.count() == 0 ? 0.0 : times.sumSeconds() - (double) times.count() * times.p(50) / 1000;
    }
}
