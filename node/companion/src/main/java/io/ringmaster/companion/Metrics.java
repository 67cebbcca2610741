package io.ringmaster.companion;

import com.codahale.metrics.Counting;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metric;
import com.codahale.metrics.Sampling;
import com.codahale.metrics.Snapshot;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.cassandra.metrics.CassandraMetricsRegistry;

/**
 * Cassandra's metrics in the Prometheus text format, read from its registry. Per-table metrics are left out: there are
 * tens of thousands, and the keyspace metrics aggregate them.
 */
final class Metrics {
    private static final String PREFIX = "org.apache.cassandra.metrics.";
    private static final Pattern LEFT_OUT = Pattern.compile("(Table|ColumnFamily|IndexTable|IndexColumnFamily)\\..*");
    private static final double[] QUANTILES = {0.5, 0.95, 0.99, 0.999};

    private Metrics() {}

    static String text() {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(CassandraMetricsRegistry.Metrics.getMetrics()).forEach((name, metric) -> {
            if (name.startsWith(PREFIX)
                    && !LEFT_OUT.matcher(name.substring(PREFIX.length())).matches()) {
                text.append(lines(name.substring(PREFIX.length()), metric));
            }
        });
        return text.toString();
    }

    /** Empty if the value cannot be read, as that of a keyspace that is dropped at this moment. */
    private static CharSequence lines(String name, Metric metric) {
        StringBuilder lines = new StringBuilder();
        try {
            append(lines, name, metric);
            return lines;
        } catch (RuntimeException | AssertionError e) {
            return "";
        }
    }

    private static void append(StringBuilder text, String name, Metric metric) {
        int dot = name.indexOf('.');
        String family = "cassandra_" + (dot < 0 ? name : name.substring(0, dot)).replaceAll("[^A-Za-z0-9_]", "_");
        Map<String, String> labels = new TreeMap<>();
        labels.put("name", dot < 0 ? "" : name.substring(dot + 1));
        if (metric instanceof Gauge<?> gauge) {
            if (gauge.getValue() instanceof Number number) {
                line(text, family, labels, number);
            }
            return;
        }
        if (metric instanceof Counting counting) {
            line(text, family + "_count", labels, counting.getCount());
        }
        if (metric instanceof Sampling sampling) {
            Snapshot snapshot = sampling.getSnapshot();
            for (double quantile : QUANTILES) {
                labels.put("quantile", String.valueOf(quantile));
                line(text, family, labels, snapshot.getValue(quantile));
            }
        }
    }

    private static void line(StringBuilder text, String family, Map<String, String> labels, Number value) {
        text.append(family);
        String separator = "{";
        for (Map.Entry<String, String> label : labels.entrySet()) {
            text.append(separator).append(label.getKey()).append("=\"");
            text.append(label.getValue().replace("\\", "\\\\").replace("\"", "\\\""))
                    .append('"');
            separator = ",";
        }
        text.append("} ").append(value).append('\n');
    }
}
