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
 * The rule that decides the default collector, fixed before anything was measured: the highest rate with p99.9 below
 * 10 ms, among those whose processor time per request is at most 1.1 of the least. Inside the spread G1 stays.
 */
record CollectorChoice(Measured measured) {
    private static final double CPU_FACTOR = 1.1;

    /** The best of all rows; empty where none was measured. */
    Optional<JvmRow> best() {
        return best(row -> true);
    }

    /** What the product could use: a collector of its JDK. G1, its default, unless another is better. */
    JvmRow ofProduct() {
        JvmRow found = best(row -> row.feature() == JvmRow.PRODUCT).orElse(JvmRow.G1_17);
        Optional<Figure> today = rate(JvmRow.G1_17);
        if (today.isEmpty()) {
            return JvmRow.G1_17;
        }
        return rate(found).filter(better -> low(better) > high(today.get())).isPresent() ? found : JvmRow.G1_17;
    }

    private Optional<JvmRow> best(Predicate<JvmRow> asked) {
        List<JvmRow> rows = Arrays.stream(JvmRow.values())
                .filter(asked)
                .filter(row -> rate(row).isPresent() && !Double.isNaN(cpu(row)))
                .toList();
        double least = rows.stream().mapToDouble(this::cpu).min().orElse(0);
        return rows.stream()
                .filter(row -> cpu(row) <= CPU_FACTOR * least)
                .max(Comparator.comparingDouble(row -> rate(row).orElseThrow().value()));
    }

    private Optional<Figure> rate(JvmRow row) {
        return measured.figure(row.key() + Collectors.P999);
    }

    private double cpu(JvmRow row) {
        return measured.value(row.key() + ".cpu");
    }

    private static double low(Figure figure) {
        return Objects.requireNonNullElse(figure.low(), figure.value());
    }

    private static double high(Figure figure) {
        return Objects.requireNonNullElse(figure.high(), figure.value());
    }
}
