package io.ringmaster.lab.experiment;

import io.ringmaster.lab.experiment.NodeWindow.OfRing;
import io.ringmaster.lab.figure.About;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.load.Latencies;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/** Windows and results of {@link Million} with given figures. */
final class MillionSamples {
    private MillionSamples() {}

    static Latencies times(double ms, int count) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(Math.round(ms * 1e6), count);
        return new Latencies(histogram);
    }

    /** Ten seconds of one ring; a write costs a millisecond beside 0.02 cores a node without load. */
    static OfRing ring(int nodes, double rate, double ms, Optional<String> invalid) {
        long writes = Math.round(rate * nodes * 10);
        return new OfRing(
                nodes, true, invalid, times(ms, (int) writes), writes, 0, writes / 1000.0 + nodes * 0.2, 0.5, 200);
    }

    static NodeWindow window(int nodes, double rate, double ms) {
        return new NodeWindow(rate, 10, List.of(ring(nodes, rate, ms, Optional.empty())), 0.4);
    }

    static NodeWindow invalid(int nodes, double rate) {
        return new NodeWindow(rate, 10, List.of(ring(nodes, rate, 5, Optional.of("120 ms behind"))), 0.4);
    }

    /** A row of a ring that held this rate a node. */
    static void row(Figures figures, int factor, int size, double rate) {
        String key = MillionPlan.key(factor, size);
        new MillionRow(key, size, window(size, rate, 20), window(size, rate * 0.7, 8), 0.02).put(figures);
        MillionRow.missed(key, window(size, rate * 1.15, 60), figures);
        figures.count(key + ".warm.windows", 3);
    }

    static Figures linear() {
        return withSixNodes(80);
    }

    /** Linear but for six nodes at RF 3, which hold this rate a node. */
    static Figures withSixNodes(double rate) {
        Figures figures = new Figures();
        row(figures, 3, 3, 80);
        row(figures, 3, 4, 80);
        row(figures, 3, 6, rate);
        for (int size : List.of(1, 2, 3, 6)) {
            row(figures, 1, size, 200);
        }
        return figures;
    }

    static Measured measured(Figures figures) {
        return figures.measured(
                new About("million", Form.FULL, "0123456", Instant.EPOCH, 1000, Map.of("cores", "2"), false));
    }
}
