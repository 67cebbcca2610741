package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Measured.Point;
import io.ringmaster.lab.page.Plot;
import java.util.List;
import java.util.stream.IntStream;

/** The plots on the page of {@link Collectors}. */
record CollectorsPlots(Measured measured, List<JvmRow> rows) {
    List<Plot> plots() {
        int rate = CollectorsPlan.of(measured.about().form()).lowest();
        return List.of(
                windows(),
                rates(),
                curves("response", "Response times at " + rate + " requests/s", "response"),
                curves("stops", "Stops of the JVM in the windows at " + rate + " requests/s", "length"));
    }

    private Plot curves(String series, String title, String axis) {
        return Plot.lines(
                series,
                title,
                Plot.Axis.of("share", "", Plot.Scale.NINES),
                Plot.Axis.of(axis, "ms", Plot.Scale.LOG),
                rows.stream()
                        .map(row -> Plot.Line.of(
                                row.text(), measured.points(row.key() + CollectorRounds.KEY + "." + series)))
                        .toList());
    }

    private Plot windows() {
        ServiceLevel level = ServiceLevel.P999;
        return Plot.lines(
                        "windows",
                        level.percentile() + " of every window",
                        Plot.Axis.of("rate", "/s", Plot.Scale.LOG),
                        Plot.Axis.of(level.percentile(), "ms", Plot.Scale.LOG),
                        rows.stream()
                                .map(row -> points(row.text(), measured.points(level.key(row) + ".windows")))
                                .toList())
                .with(new Plot.Level(level.limitMs(), level.text(), "y"));
    }

    private static Plot.Line points(String name, List<Point> points) {
        return new Plot.Line(
                name,
                Plot.Kind.POINTS,
                false,
                points.stream().map(point -> List.of(point.x(), point.y())).toList());
    }

    private Plot rates() {
        List<JvmRow> found = rows.stream().filter(row -> rate(row) > 0).toList();
        List<List<Double>> bars = IntStream.range(0, found.size())
                .mapToObj(i -> List.of((double) i, rate(found.get(i))))
                .toList();
        return Plot.lines(
                "rates",
                "Highest rung with p99.9 below 10 ms",
                Plot.Axis.categories("collector", found.stream().map(this::bar).toList()),
                Plot.Axis.of("rate", "/s", Plot.Scale.LINEAR),
                List.of(new Plot.Line("rate", Plot.Kind.BAR, false, bars)));
    }

    private String bar(JvmRow row) {
        boolean open =
                measured.figure(ServiceLevel.P999.key(row) + HeldRates.OPEN).isPresent();
        return row.text() + (open ? ", at least" : "");
    }

    private double rate(JvmRow row) {
        return measured.value(ServiceLevel.P999.key(row));
    }
}
