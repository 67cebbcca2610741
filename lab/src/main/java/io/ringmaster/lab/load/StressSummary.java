package io.ringmaster.lab.load;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The figures that cassandra-stress prints at its end, as it prints them: response times of {@code fixed=}, service
 * times otherwise. Times are milliseconds.
 *
 * @param opRate operations per second
 * @param operations those that succeeded
 */
public record StressSummary(
        double opRate,
        double mean,
        double median,
        double p95,
        double p99,
        double p999,
        double max,
        long operations,
        long errors) {
    private static final Pattern LINE = Pattern.compile("([A-Z][\\w. ]*?) *: +([\\d,.]+)( .*)?");

    /**
     * @param lines its output
     * @throws IllegalArgumentException a figure is missing; the message names it
     */
    static StressSummary parse(List<String> lines) {
        Map<String, Double> figures = new HashMap<>();
        lines.stream().skip(Math.max(0, lines.indexOf("Results:"))).forEach(line -> {
            Matcher figure = LINE.matcher(line);
            if (figure.matches()) {
                figures.put(figure.group(1), Double.valueOf(figure.group(2).replace(",", "")));
            }
        });
        return new StressSummary(
                figure(figures, "Op rate"),
                figure(figures, "Latency mean"),
                figure(figures, "Latency median"),
                figure(figures, "Latency 95th percentile"),
                figure(figures, "Latency 99th percentile"),
                figure(figures, "Latency 99.9th percentile"),
                figure(figures, "Latency max"),
                (long) figure(figures, "Total partitions"),
                (long) figure(figures, "Total errors"));
    }

    private static double figure(Map<String, Double> figures, String name) {
        Double value = figures.get(name);
        if (value == null) {
            throw new IllegalArgumentException("cassandra-stress printed no '" + name + "'");
        }
        return value;
    }
}
