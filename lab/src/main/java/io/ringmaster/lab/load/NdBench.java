package io.ringmaster.lab.load;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * What NDBench 0.7.4 would report, computed from its source ({@code NdBenchDriver}, {@code ReadOperation}) and not run.
 * Each thread asks a rate limiter, sends, and waits for the answer. While a coordinator stalls, all threads come to
 * wait for it one by one, and then no request is made. The limiter saves the permits of one second; those of the time
 * beyond are lost, and with them their requests. The time of a request is taken around the call: service time.
 *
 * @param threads that send, one request each
 */
public record NdBench(Stalls stalls, int threads) {
    /** Guava's {@code RateLimiter.create} keeps unused permits of this time. */
    private static final double SAVED_SECONDS = 1;

    /** Seconds of a stall after which every thread waits for the stalled coordinator. */
    public double blockedAfter() {
        return threads / stalls.stalledRate();
    }

    /** Requests that were due and are never made. */
    public long lost() {
        return Math.round(stalls.rate() * stalls.sum(d -> Math.max(0, d - blockedAfter() - SAVED_SECONDS)));
    }

    /** Requests of a run that are made and reported. */
    public long made(Duration duration) {
        return Math.round(stalls.rate() * Stalls.seconds(duration)) - lost();
    }

    /**
     * The times that it would report, from the service times of a client that blocks in the same way but makes every
     * request. The lost ones are taken, evenly, from those that no stall held up: a stall only delays requests in
     * flight, and there are as many as threads in both.
     *
     * @param limit requests up to this time saw no stall
     */
    public Latencies reported(Latencies service, Duration limit) {
        double limitMs = limit.toNanos() / Latencies.NS_PER_MS;
        long quick = service.count() - service.countBeyond(limitMs);
        double kept = quick == 0 ? 1 : Math.max(0, (double) (quick - lost()) / quick);
        Histogram reported = new Histogram(service.histogram().getNumberOfSignificantValueDigits());
        long quickSoFar = 0;
        for (HistogramIterationValue value : service.histogram().recordedValues()) {
            long count = value.getCountAddedInThisIterationStep();
            if (quickSoFar < quick) {
                // Rounded sums, not rounded parts, so that exactly the lost ones are missing in the end.
                long before = Math.round(quickSoFar * kept);
                quickSoFar += count;
                count = Math.round(quickSoFar * kept) - before;
            }
            if (count > 0) {
                reported.recordValueWithCount(value.getValueIteratedTo(), count);
            }
        }
        return new Latencies(reported);
    }
}
