package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.load.EngineLoad;
import io.ringmaster.lab.load.EngineStorage;
import io.ringmaster.lab.page.Cells;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What was wanted of the RocksDB engine, and whether it came. */
record EngineGoal(Measured measured) {
    static final double P99 = 1.0 / 2;
    static final double P999 = 1.0 / 3;
    static final double CPU = 1.1;
    static final double NO_WORSE = 1;

    private static final String READ_P99 = EngineRounds.READ + ".p99";
    private static final String READ_P999 = EngineRounds.READ + ".p99.9";

    /** A condition: the engine's figure divided by the lowest of stock storage is at most this. */
    private record Part(String name, EngineLoad load, String figure, double atMost) {}

    private static final List<Part> PARTS = List.of(
            new Part("p99 with 50 % reads", StorageEngines.HALF, READ_P99, P99),
            new Part("p99.9 with 50 % reads", StorageEngines.HALF, READ_P999, P999),
            new Part("processor time with 50 % reads", StorageEngines.HALF, EngineRounds.CPU, CPU),
            new Part("p99 with 90 % reads", StorageEngines.MOSTLY_READS, READ_P99, NO_WORSE),
            new Part("p99.9 with 90 % reads", StorageEngines.MOSTLY_READS, READ_P999, NO_WORSE),
            new Part("young collections with 50 % reads", StorageEngines.HALF, EngineRounds.YOUNG, NO_WORSE),
            new Part("young collections with 90 % reads", StorageEngines.MOSTLY_READS, EngineRounds.YOUNG, NO_WORSE));

    static String text() {
        return "Beside the better figure of both stock storages, with 50 % reads: read p99 at most half, p99.9 at most a third, at most"
                + " 1.1 times the processor time; with 90 % reads neither is longer; and a smaller share of the time in"
                + " young collections (source: 60 to 20 ms, 2.5 to 0.3 %).";
    }

    /** The engine's figure. */
    private double engine(EngineLoad load, String figure) {
        return measured.value(StorageEngines.key(EngineStorage.ROCKSDB, load) + figure);
    }

    /** The lower figure of stock storage. */
    private double stock(EngineLoad load, String figure) {
        return EngineComparison.STOCK.stream()
                .mapToDouble(stock -> measured.value(StorageEngines.key(stock, load) + figure))
                .reduce(Math::min)
                .orElse(Double.NaN);
    }

    /** The engine's figure divided by the lower of stock storage. */
    double times(EngineLoad load, String figure) {
        return engine(load, figure) / stock(load, figure);
    }

    private boolean holds(Part part) {
        double engine = engine(part.load, part.figure);
        double limit = part.atMost * stock(part.load, part.figure);
        return part.figure.equals(EngineRounds.YOUNG) ? engine < limit : engine <= limit;
    }

    Conclusion verdict() {
        if (measured.about().form() == Form.SHORT) {
            return new Conclusion(
                    Conclusion.Kind.NOT_COMPARABLE,
                    "The short form has one round, in memory and of one stock storage; it shows that the benchmark"
                            + " works.");
        }
        for (EngineStorage storage : EngineStorage.values()) {
            for (Part part : PARTS) {
                String row = StorageEngines.key(storage, part.load);
                String key = row + part.figure;
                if (measured.isInvalid(key) || measured.figure(key).isEmpty()) {
                    return new Conclusion(
                            Conclusion.Kind.INVALID,
                            "The row of " + storage.text() + " with " + part.load.read() + " % reads is "
                                    + measured.reason(key) + ".");
                }
            }
        }
        List<String> missed = new ArrayList<>();
        PARTS.stream().filter(part -> !holds(part)).forEach(part -> missed.add(part.name));
        return new Conclusion(
                missed.isEmpty() ? Conclusion.Kind.REACHED : Conclusion.Kind.MISSED,
                sentence() + certainty() + (missed.isEmpty() ? "." : ". Missed: " + String.join(", ", missed) + "."));
    }

    private String sentence() {
        EngineLoad half = StorageEngines.HALF;
        EngineLoad mostly = StorageEngines.MOSTLY_READS;
        return "With 50 % reads, read p99 in RocksDB is " + Cells.number(times(half, READ_P99)) + " times ("
                + ms(half, READ_P99)
                + ") and p99.9 " + Cells.number(times(half, READ_P999)) + " times (" + ms(half, READ_P999)
                + ") the better figure of both stock storages, at " + Cells.number(times(half, EngineRounds.CPU))
                + " times the processor time; with 90 % reads they are " + Cells.number(times(mostly, READ_P99))
                + " and " + Cells.number(times(mostly, READ_P999)) + " times. Young collections take "
                + percent(engine(half, EngineRounds.YOUNG)) + " of the time instead of "
                + percent(stock(half, EngineRounds.YOUNG)) + " with 50 % reads";
    }

    /** What the intervals of the comparison leave of the ratios of latency. */
    private String certainty() {
        List<Figure> ratios = Stream.of(StorageEngines.HALF, StorageEngines.MOSTLY_READS)
                .flatMap(load -> EngineComparison.STOCK.stream().flatMap(stock -> Stream.of(99.0, 99.9)
                        .map(percentile -> EngineComparison.key(load, stock, percentile))))
                .flatMap(key -> measured.figure(key).stream())
                .filter(ratio -> ratio.low() != null && ratio.high() != null)
                .toList();
        long certain = ratios.stream()
                .filter(ratio -> Objects.requireNonNull(ratio.low()) > 1 || Objects.requireNonNull(ratio.high()) < 1)
                .count();
        return certain == ratios.size()
                ? ""
                : ". Rounds differ much: of " + ratios.size() + " ratios of p99 and p99.9 in the table of comparisons, "
                        + certain + " differ from 1 for certain";
    }

    private static String percent(double value) {
        return Cells.value(value, "%");
    }

    private String ms(EngineLoad load, String figure) {
        return Cells.value(engine(load, figure), "ms") + " against " + Cells.value(stock(load, figure), "ms");
    }
}
