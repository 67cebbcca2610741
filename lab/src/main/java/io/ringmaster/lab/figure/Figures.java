package io.ringmaster.lab.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects what a run measures. Each key is set once. */
public final class Figures {
    private final Map<String, Figure> figures = new LinkedHashMap<>();
    private final Map<String, List<Measured.Point>> series = new LinkedHashMap<>();
    private final Map<String, String> missing = new LinkedHashMap<>();
    private final List<String> logs = new ArrayList<>();
    private final Map<String, String> facts = new LinkedHashMap<>();

    public Figures put(String key, double value, Unit unit) {
        return put(key, Figure.of(value, unit));
    }

    public Figures count(String key, long number) {
        return put(key, (double) number, Unit.COUNT);
    }

    public Figures put(String key, Figure figure) {
        if (figures.putIfAbsent(key, figure) != null) {
            throw new IllegalStateException("figure " + key + " was measured before");
        }
        return this;
    }

    public Figures series(String name, List<Measured.Point> points) {
        if (series.putIfAbsent(name, List.copyOf(points)) != null) {
            throw new IllegalStateException("series " + name + " was measured before");
        }
        return this;
    }

    /** What was measured so far; NaN where there is nothing. */
    public double value(String key) {
        Figure figure = figures.get(key);
        return figure == null ? Double.NaN : figure.value();
    }

    /** Says why a figure, or all whose keys start with this and a dot, are missing or invalid. */
    public Figures missing(String key, String reason) {
        missing.put(key, reason);
        return this;
    }

    /** Names a raw log beside the result. */
    public Figures log(String file) {
        logs.add(file);
        return this;
    }

    /** A fact beside those of the machine that figures depend on. */
    public Figures fact(String name, String value) {
        facts.put(name, value);
        return this;
    }

    public Measured measured(About about) {
        return new Measured(about.with(facts), figures, series, missing, logs);
    }
}
