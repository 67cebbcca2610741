package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Measured;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The rule that decides the default collector: of the collectors of the product's JDK the one with the highest rate
 * with p99.9 below 10 ms, then with p99 below 5 ms. The default stays where one of its passes reaches both rates of
 * that one: what passes of one collector differ by is no reason to change it. A collector that keeps no rung has the
 * rate 0. Processor time does not count: at the lowest rung it differs more between windows than between collectors.
 */
record CollectorChoice(Measured measured) {
    /** Below each rate: not measured. */
    private static final double NONE = -1;

    /** All rows that keep p99.9 at the highest rate, in the lower of their passes; empty where none was measured. */
    List<JvmRow> best() {
        double highest = Arrays.stream(JvmRow.values())
                .mapToDouble(row -> low(ServiceLevel.P999, row))
                .max()
                .orElse(NONE);
        return highest == NONE
                ? List.of()
                : Arrays.stream(JvmRow.values())
                        .filter(row -> low(ServiceLevel.P999, row) == highest)
                        .toList();
    }

    /** What the product could use. Where the default was not measured it stays. */
    JvmRow ofProduct() {
        JvmRow best = Arrays.stream(JvmRow.values())
                .filter(row -> row.feature() == JvmRow.PRODUCT)
                .max(Comparator.<JvmRow>comparingDouble(row -> low(ServiceLevel.P999, row))
                        .thenComparingDouble(row -> low(ServiceLevel.P99, row)))
                .orElseThrow();
        boolean beaten = rate(JvmRow.DEFAULT).isPresent()
                && Arrays.stream(ServiceLevel.values())
                        .anyMatch(level -> high(level, JvmRow.DEFAULT) < low(level, best));
        return beaten ? best : JvmRow.DEFAULT;
    }

    private double low(ServiceLevel level, JvmRow row) {
        return rate(level, row).map(Figure::value).orElse(NONE);
    }

    private double high(ServiceLevel level, JvmRow row) {
        return rate(level, row)
                .map(rate -> Objects.requireNonNullElse(rate.high(), rate.value()))
                .orElse(NONE);
    }

    /** The lower of the passes with p99.9 below 10 ms; 0 where one kept no rung. */
    Optional<Figure> rate(JvmRow row) {
        return rate(ServiceLevel.P999, row);
    }

    private Optional<Figure> rate(ServiceLevel level, JvmRow row) {
        String key = level.key(row);
        return measured.figure(key).or(() -> measured.figure(key + HeldRates.NONE));
    }
}
