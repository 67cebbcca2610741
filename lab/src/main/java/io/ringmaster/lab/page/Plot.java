package io.ringmaster.lab.page;

import io.ringmaster.lab.figure.Measured.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * A plot, in the form that {@code lab/plots} reads.
 *
 * @param name name of the file, without its end
 */
public record Plot(String name, String title, Axis x, Axis y, List<Line> series, List<Band> bands, List<Level> levels) {
    public Plot {
        series = List.copyOf(series);
        bands = List.copyOf(bands);
        levels = List.copyOf(levels);
    }

    /** How values become places. NINES: a fraction below 1, such that each further nine takes the same room. */
    public enum Scale {
        LINEAR,
        LOG,
        NINES,
        CATEGORY;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** @param labels names of the categories; empty on other scales */
    public record Axis(String name, String unit, Scale scale, List<String> labels) {
        public static Axis of(String name, String unit, Scale scale) {
            return new Axis(name, unit, scale, List.of());
        }

        public static Axis categories(String name, List<String> labels) {
            return new Axis(name, "", Scale.CATEGORY, labels);
        }
    }

    /** @param data rows of numbers, as the kind wants them */
    public record Line(String name, Kind kind, boolean dashed, List<List<Double>> data) {
        public static Line of(String name, List<Point> points) {
            return new Line(
                    name,
                    Kind.LINE,
                    false,
                    points.stream().map(p -> List.of(p.x(), p.y())).toList());
        }

        public Line inDashes() {
            return new Line(name, kind, true, data);
        }
    }

    /** How a series is drawn. */
    public enum Kind {
        /** (x, y) */
        LINE,
        /** (x, y) */
        POINTS,
        /** (category, y) */
        BAR,
        /** (x, low, high) */
        RANGE;

        boolean hasDashes() {
            return this == LINE;
        }

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /** A shaded part of the x axis. */
    public record Band(double from, double to, String axis, String label) {}

    /** A line across. */
    public record Level(double at, String label, String axis) {}

    /** Series without data are left out. */
    public static Plot lines(String name, String title, Axis x, Axis y, List<Line> series) {
        List<Line> drawn = series.stream().filter(s -> !s.data().isEmpty()).toList();
        return new Plot(name, title, x, y, drawn, List.of(), List.of());
    }

    /** Whether there is anything to draw. */
    public boolean hasData() {
        return !series.isEmpty();
    }

    public Plot with(Band band) {
        List<Band> more = new ArrayList<>(bands);
        more.add(band);
        return new Plot(name, title, x, y, series, more, levels);
    }

    public Plot with(Level level) {
        List<Level> more = new ArrayList<>(levels);
        more.add(level);
        return new Plot(name, title, x, y, series, bands, more);
    }
}
