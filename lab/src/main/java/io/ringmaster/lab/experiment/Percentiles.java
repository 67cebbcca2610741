package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.page.Cells;
import java.util.ArrayList;
import java.util.List;

/**
 * The percentiles of an experiment's tables, in milliseconds: key {@code .p99.9} behind that of the row.
 *
 * @param of 0 to 100, ascending
 */
record Percentiles(List<Double> of) {
    static final Percentiles USUAL = new Percentiles(List.of(50.0, 95.0, 99.0, 99.9));

    private static final String MAX = ".max";

    /** "99.9", "50". */
    static String text(double percentile) {
        return percentile == Math.rint(percentile)
                ? String.valueOf(Math.round(percentile))
                : String.valueOf(percentile);
    }

    private static String key(String key, double percentile) {
        return key + ".p" + text(percentile);
    }

    /** Titles of the columns, and of the longest time. */
    List<String> columns() {
        List<String> columns = new ArrayList<>();
        of.forEach(p -> columns.add("p" + text(p)));
        columns.add("max");
        return columns;
    }

    /** Stores the percentiles that enough requests support, and the longest time. */
    void put(Figures figures, String key, Latencies times) {
        if (times.count() == 0) {
            figures.missing(key, "no request was measured");
            return;
        }
        for (double percentile : of) {
            if (times.supports(percentile)) {
                figures.put(key(key, percentile), times.p(percentile), Unit.MS);
            } else {
                figures.missing(key(key, percentile), "too few requests");
            }
        }
        figures.put(key + MAX, times.max(), Unit.MS);
    }

    /** The cells of a measured row. */
    List<String> cells(Measured measured, String key) {
        List<String> cells = new ArrayList<>();
        of.forEach(p -> cells.add(Cells.cell(measured, key(key, p))));
        cells.add(Cells.cell(measured, key + MAX));
        return cells;
    }

    /** The cells of a source's row; empty where it gives no figure. */
    List<String> cells(List<Seed> seeds, String key) {
        List<String> cells = new ArrayList<>();
        of.forEach(p -> cells.add(Cells.seed(seeds, key(key, p))));
        cells.add(Cells.seed(seeds, key + MAX));
        return cells;
    }
}
