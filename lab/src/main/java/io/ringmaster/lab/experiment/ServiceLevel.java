package io.ringmaster.lab.experiment;

import io.ringmaster.lab.load.Latencies;

/** The service levels of seed 004, of response times. */
enum ServiceLevel {
    P99(99, 5, ".sustain.p99"),
    P999(99.9, 10, ".sustain.p999");

    private final double percentile;
    private final double limitMs;
    private final String end;

    /** @param end of the keys of its figures */
    ServiceLevel(double percentile, double limitMs, String end) {
        this.percentile = percentile;
        this.limitMs = limitMs;
        this.end = end;
    }

    /** Key of the highest rate at which a JVM keeps it. */
    String key(JvmRow row) {
        return row.key() + end;
    }

    /** Its percentile, in milliseconds. */
    double ms(Latencies times) {
        return times.p(percentile);
    }

    boolean isKept(Latencies times) {
        return ms(times) < limitMs;
    }

    /** {@code p99.9}. */
    String percentile() {
        return "p" + Percentiles.text(percentile);
    }

    double limitMs() {
        return limitMs;
    }

    /** {@code p99.9 < 10 ms}. */
    String text() {
        return percentile() + " < " + Math.round(limitMs) + " ms";
    }
}
