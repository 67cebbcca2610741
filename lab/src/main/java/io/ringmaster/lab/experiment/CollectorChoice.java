package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Measured;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The rule that decides the default collector, fixed before the ladder was measured: the highest rate with p99.9 below
 * 10 ms, of the collectors of the product's JDK. Where the passes of another reach that rate too, the higher rate with
 * p99 below 5 ms decides, then G1 stays, Cassandra's default. A collector that keeps no rung has the rate 0, G1
 * included. Processor time does not count: at the lowest rung it differs more between windows than between collectors.
 */
record CollectorChoice(Measured measured) {
    /** The best of all rows; empty where none was measured. */
    Optional<JvmRow> best() {
        return best(row -> true);
    }

    /** What the product could use. Without a rate of G1 there is nothing to compare with, and G1 stays. */
    JvmRow ofProduct() {
        return rate(JvmRow.G1_17)
                .flatMap(today -> best(row -> row.feature() == JvmRow.PRODUCT))
                .orElse(JvmRow.G1_17);
    }

    private Optional<JvmRow> best(Predicate<JvmRow> asked) {
        List<JvmRow> rows = Arrays.stream(JvmRow.values())
                .filter(asked)
                .filter(row -> rate(row).isPresent())
                .toList();
        double highest = rows.stream()
                .mapToDouble(row -> rate(row).orElseThrow().value())
                .max()
                .orElse(0);
        return rows.stream()
                .filter(row -> high(rate(row).orElseThrow()) >= highest)
                .max(Comparator.comparingDouble(this::p99)
                        .thenComparing(row -> row == JvmRow.G1_17)
                        .thenComparingDouble(row -> rate(row).orElseThrow().value()));
    }

    /** The lower of the passes; 0 where one kept no rung. */
    Optional<Figure> rate(JvmRow row) {
        String key = ServiceLevel.P999.key(row);
        return measured.figure(key).or(() -> measured.figure(key + HeldRates.NONE));
    }

    private double p99(JvmRow row) {
        return measured.figure(ServiceLevel.P99.key(row)).map(Figure::value).orElse(0.0);
    }

    private static double high(Figure figure) {
        return Objects.requireNonNullElse(figure.high(), figure.value());
    }
}
