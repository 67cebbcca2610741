package io.ringmaster.lab.figure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What one run measured: the content of {@code docs/lab/NAME.json}. Keys are stable, because other pages name them.
 *
 * @param figures key to figure, for example {@code rf3.6.cpu_s_per_million}
 * @param series name to points of (x, y), for plots
 * @param missing key, or the part of a key before a dot, to the reason why its figures are missing or invalid
 * @param logs names of raw interval logs beside the file
 */
public record Measured(
        About about,
        Map<String, Figure> figures,
        Map<String, List<Point>> series,
        Map<String, String> missing,
        List<String> logs) {
    /** The reason where none is stated. */
    public static final String NOT_MEASURED = "not measured";

    /** How the reason of a figure starts that was measured and must not be used. */
    public static final String INVALID = "invalid";

    public Measured {
        Objects.requireNonNull(about, "about");
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
        missing = Collections.unmodifiableMap(new LinkedHashMap<>(missing));
        logs = List.copyOf(logs);
    }

    /** One point of a series. */
    public record Point(double x, double y) {}

    public Optional<Figure> figure(String key) {
        return Optional.ofNullable(figures.get(key));
    }

    /** @return the value, or NaN, which no comparison holds for */
    public double value(String key) {
        return figure(key).map(Figure::value).orElse(Double.NaN);
    }

    public List<Point> points(String name) {
        return series.getOrDefault(name, List.of());
    }

    /** Whether a figure was measured, but must not be used: it or a part of its key is stated to be invalid. */
    public boolean isInvalid(String key) {
        return missing.keySet().stream()
                .filter(part -> key.equals(part) || key.startsWith(part + "."))
                .anyMatch(part -> missing.getOrDefault(part, "").startsWith(INVALID));
    }

    /** Why a figure is missing; the longest stated part of its key decides. */
    public String reason(String key) {
        for (String part = key; ; part = part.substring(0, part.lastIndexOf('.'))) {
            String reason = missing.get(part);
            if (reason != null) {
                return reason;
            }
            if (part.indexOf('.') < 0) {
                return NOT_MEASURED;
            }
        }
    }
}
