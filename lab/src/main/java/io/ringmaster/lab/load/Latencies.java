package io.ringmaster.lab.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.ringmaster.lab.figure.Measured.Point;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Times of requests, as a histogram of nanoseconds with three significant digits. Percentiles are never averaged: add
 * the histograms of rounds, nodes or seconds, then ask the sum. All answers are in milliseconds.
 *
 * @param histogram is never changed
 */
public record Latencies(Histogram histogram) {
    static final double NS_PER_MS = 1e6;
    private static final int DIGITS = 3;
    /** Points of a curve for each halving of the requests that are left. */
    private static final int TICKS = 10;

    public static Latencies none() {
        return new Latencies(new Histogram(DIGITS));
    }

    /**
     * @param base64 a compressed V2 histogram of nanoseconds, as in results of metronome and in interval logs
     * @throws IllegalArgumentException the text is not a histogram
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Latencies decode(String base64) {
        try {
            return new Latencies(Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0));
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("not a compressed histogram", e);
        }
    }

    public static Latencies sum(Collection<Latencies> parts) {
        Histogram sum = new Histogram(DIGITS);
        parts.forEach(part -> sum.add(part.histogram));
        return new Latencies(sum);
    }

    public Latencies add(Latencies other) {
        return sum(List.of(this, other));
    }

    public long count() {
        return histogram.getTotalCount();
    }

    /**
     * @param percentile 0 to 100
     * @return milliseconds; NaN without a request
     */
    public double p(double percentile) {
        return count() == 0 ? Double.NaN : histogram.getValueAtPercentile(percentile) / NS_PER_MS;
    }

    /** Whether at least one request lies beyond the percentile: otherwise {@link #p} is only the maximum. */
    public boolean supports(double percentile) {
        return count() * (100 - percentile) / 100 >= 1 - 1e-9;
    }

    /** Milliseconds; NaN without a request. */
    public double mean() {
        return count() == 0 ? Double.NaN : histogram.getMean() / NS_PER_MS;
    }

    /** Milliseconds; NaN without a request. */
    public double max() {
        return count() == 0 ? Double.NaN : histogram.getMaxValue() / NS_PER_MS;
    }

    /** Requests that took longer than this, to a thousandth of the limit. */
    public long countBeyond(double limitMs) {
        long from = histogram.nextNonEquivalentValue(Math.round(limitMs * NS_PER_MS));
        return from > histogram.getMaxValue() ? 0 : histogram.getCountBetweenValues(from, histogram.getMaxValue());
    }

    /** All times together, in seconds: how long users waited. */
    public double sumSeconds() {
        return count() == 0 ? 0 : mean() * count() / 1000;
    }

    /** Milliseconds over the share of requests, for a scale of nines: up to the last share with a request beyond it. */
    public List<Point> curve() {
        List<Point> points = new ArrayList<>();
        for (HistogramIterationValue value : histogram.percentiles(TICKS)) {
            double share = value.getPercentileLevelIteratedTo() / 100;
            if (share >= 1 || !supports(share * 100)) {
                break;
            }
            points.add(new Point(share, value.getValueIteratedTo() / NS_PER_MS));
        }
        return points;
    }
}
