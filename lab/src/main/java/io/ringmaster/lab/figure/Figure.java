package io.ringmaster.lab.figure;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One measured figure.
 *
 * @param value the figure of all rounds together: percentiles come from added histograms, never from averages
 * @param low lowest single round, or null for a single run
 * @param high highest single round, or null for a single run
 * @param runs number of rounds, at least 1
 */
public record Figure(double value, Unit unit, @Nullable Double low, @Nullable Double high, int runs) {
    public Figure {
        if (!Double.isFinite(value) || runs < 1) {
            throw new IllegalArgumentException("not a figure: " + value + " of " + runs + " runs");
        }
    }

    public static Figure of(double value, Unit unit) {
        return new Figure(value, unit, null, null, 1);
    }

    /** The median of rounds, with the lowest and the highest; for durations of a whole round, not for percentiles. */
    public static Figure median(List<Double> rounds, Unit unit) {
        List<Double> sorted = rounds.stream().sorted().toList();
        int half = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
        return sorted.size() == 1
                ? of(median, unit)
                : new Figure(median, unit, sorted.get(0), sorted.get(sorted.size() - 1), sorted.size());
    }
}
