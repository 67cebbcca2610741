package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CORES;
import static io.ringmaster.lab.figure.Unit.CPU_S_PER_MILLION;
import static io.ringmaster.lab.figure.Unit.MIB;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PERCENT;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;

import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.Latencies;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** The windows of one JVM at one rate, from all passes. Percentiles are those of all valid windows together. */
final class CollectorRounds {
    /** End of a row's key; the figures' own ends follow. */
    static final String KEY = ".fixed";
    /** The same of the windows at the rate that the row kept p99.9 at. */
    static final String HELD = ".held";

    private static final int LEAST = 2;
    private static final double MIB_BYTES = 1 << 20;
    private static final double MILLION = 1e6;
    private static final double MS_PER_SECOND = 1e3;

    private final List<CollectorWindow> all;
    private final List<CollectorWindow> rounds;

    CollectorRounds(List<CollectorWindow> all) {
        this.all = List.copyOf(all);
        this.rounds = all.stream().filter(window -> window.reason().isEmpty()).toList();
    }

    /**
     * Stores what was measured, or why it is invalid.
     *
     * @param end {@link #KEY} or {@link #HELD}
     */
    void put(JvmRow row, String end, Figures figures) {
        String key = row.key() + end;
        String reason = all.stream()
                .map(CollectorWindow::reason)
                .filter(one -> !one.isEmpty())
                .findFirst()
                .orElse("nothing was measured");
        if (rounds.size() < LEAST) {
            figures.missing(key, Measured.INVALID + ": " + reason);
            return;
        }
        if (rounds.size() < all.size()) {
            figures.missing(
                    key + ".left_out", (all.size() - rounds.size()) + " of " + all.size() + " windows: " + reason);
        }
        response(key, figures);
        figures.put(key + ".idle", spread(CORES, CollectorWindow::idle))
                .put(key + ".op_rate", spread(PER_SECOND, CollectorWindow::answered))
                .put(key + ".cpu", spread(CPU_S_PER_MILLION, w -> w.cpuPerRequest() * MILLION))
                .put(key + ".resident", spread(MIB, w -> w.resident() / MIB_BYTES))
                .put(key + ".hiccup", longest(CollectorWindow::hiccupMs));
        stops(row, key, figures);
    }

    private void response(String key, Figures figures) {
        Latencies sum =
                Latencies.sum(rounds.stream().map(CollectorWindow::response).toList());
        for (double percentile : Percentiles.USUAL.of()) {
            figures.put(key + ".p" + Percentiles.text(percentile), figure(sum.p(percentile), MS, w -> w.response()
                    .p(percentile)));
        }
        figures.put(key + ".mean", figure(sum.mean(), MS, w -> w.response().mean()))
                .put(key + ".max", longest(w -> w.response().max()))
                .series(key + ".response", sum.curve());
    }

    private void stops(JvmRow row, String key, Figures figures) {
        figures.put(key + ".stopped", spread(PERCENT, w -> w.log().stoppedSeconds() / w.seconds() * 100))
                .put(key + ".longest_stop", longest(w -> w.log().longestStopSeconds() * MS_PER_SECOND));
        for (JvmEvent event : JvmEvent.ALL) {
            if (event.isOf(row.collector())) {
                figures.count(key + event.end(), event.count(rounds));
            }
        }
        Histogram stops = new Histogram(3);
        for (CollectorWindow window : rounds) {
            window.log().stops().forEach(stop -> stops.recordValue(Math.round(stop.seconds() * 1e9)));
        }
        figures.series(key + ".stops", new Latencies(stops).curve());
    }

    /** The mean of the windows, which all took the same time. */
    private Figure spread(Unit unit, ToDoubleFunction<CollectorWindow> of) {
        return figure(rounds.stream().mapToDouble(of).average().orElse(0), unit, of);
    }

    /** Milliseconds. */
    private Figure longest(ToDoubleFunction<CollectorWindow> of) {
        return figure(rounds.stream().mapToDouble(of).max().orElse(0), MS, of);
    }

    private Figure figure(double value, Unit unit, ToDoubleFunction<CollectorWindow> of) {
        double low = rounds.stream().mapToDouble(of).min().orElse(value);
        double high = rounds.stream().mapToDouble(of).max().orElse(value);
        return new Figure(value, unit, low, high, rounds.size());
    }
}
