package io.ringmaster.lab.experiment;

import io.ringmaster.lab.experiment.MillionRows.MillionSize;
import io.ringmaster.lab.figure.Measured.Point;
import io.ringmaster.lab.page.Plot;
import java.util.ArrayList;
import java.util.List;

/** The plots of {@link Million}: rates with the straight line and its band, and processor time in its two parts. */
record MillionPlots(MillionRows rows) {
    List<Plot> all() {
        List<Plot> plots = new ArrayList<>();
        for (int factor : List.of(3, 1)) {
            if (!rows.of(factor).isEmpty()) {
                plots.add(writes(factor));
            }
        }
        if (!plots.isEmpty()) {
            plots.add(cpu());
        }
        return plots;
    }

    private Plot writes(int factor) {
        List<MillionSize> sizes = rows.of(factor);
        List<Plot.Line> lines = new ArrayList<>();
        lines.add(new Plot.Line(
                "held",
                Plot.Kind.POINTS,
                false,
                sizes.stream()
                        .map(size -> List.of((double) size.nodes(), rows.value(size, ".writes")))
                        .toList()));
        MillionSize base = new MillionSize(factor, factor);
        if (rows.has(base)) {
            double node = rows.value(base, ".node");
            lines.add(Plot.Line.of(
                            "linear", List.of(new Point(0, 0), new Point(MillionPlan.NODES, MillionPlan.NODES * node)))
                    .inDashes());
            lines.add(new Plot.Line(
                    "10 % around it",
                    Plot.Kind.RANGE,
                    false,
                    sizes.stream()
                            .map(size -> List.of(
                                    (double) size.nodes(),
                                    size.nodes() * node * (1 - Linearity.BAND),
                                    size.nodes() * node * (1 + Linearity.BAND)))
                            .toList()));
        }
        return Plot.lines(
                "writes-rf" + factor,
                "Writes/s that a ring holds, RF " + factor,
                Plot.Axis.of("nodes", "", Plot.Scale.LINEAR),
                Plot.Axis.of("held", "writes/s", Plot.Scale.LINEAR),
                lines);
    }

    private Plot cpu() {
        List<MillionSize> sizes = MillionRows.ALL.stream().filter(rows::has).toList();
        return Plot.lines(
                "cpu",
                "Processor time of the nodes for a million writes",
                Plot.Axis.categories(
                        "ring", sizes.stream().map(MillionSize::toString).toList()),
                Plot.Axis.of("processor time", "CPU-s", Plot.Scale.LINEAR),
                List.of(
                        bars("all", sizes, ".cpu_s_per_million"),
                        bars("without load", sizes, ".idle_cpu_s_per_million"),
                        bars("generator", sizes, ".generator_cpu_s_per_million")));
    }

    private Plot.Line bars(String name, List<MillionSize> sizes, String figure) {
        List<List<Double>> data = new ArrayList<>();
        for (int i = 0; i < sizes.size(); i++) {
            data.add(List.of((double) i, rows.value(sizes.get(i), figure)));
        }
        return new Plot.Line(name, Plot.Kind.BAR, false, data);
    }
}
