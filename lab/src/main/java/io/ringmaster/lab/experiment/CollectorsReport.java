package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The page of {@link Collectors}. */
record CollectorsReport(Experiment experiment, Measured measured) {
    private static final double GOAL = 2;
    /** CMS needs them in the rounds, or nothing of its old generation was measured. */
    private static final int CMS_CYCLES = 3;

    Report report() {
        return new Report(
                "A collector that keeps p99.9 below 10 ms at twice the rate of G1 on 17, Cassandra's default (source"
                        + " 004: 10 times, with Zing).",
                verdict(),
                List.of(times(), levels(), stops()),
                plots(),
                text(),
                List.of(
                        "1 GiB of heap for the source's 32, so that a collection has less to do.",
                        "Two cores for generator and node: concurrent collectors take the requests' cores.",
                        "Minutes, not days: CMS shows no fragmentation of its old generation here.",
                        "CMS ended with JDK 13, so that it runs on 11, beside G1 on 11.",
                        "Zing, the source's best, is not free to use; generational ZGC on 21 stands in its row."));
    }

    private List<String> text() {
        List<String> text = new ArrayList<>();
        text.add("Times are response times of an open loop at " + Math.round(Collectors.RATE) + " requests/s, half of"
                + " them reads, each of a row of 1 KB. One node runs, the others stand still (SIGSTOP) with their"
                + " data and compiled code; the order rotates. Stops are those of all threads in the log of the JVM,"
                + " whatever the reason.");
        text.add("Slide 23's operations a second are no capacity. 1951/s at a mean of 3.6 ms keep 7 of the 32 threads"
                + " of cassandra-stress busy, 13765/s at 0.4 ms 5.5 (Little's law): the client was the limit.");
        text.add("Each collector has the options that Cassandra ships for it: G1 those of Cassandra 5.0, CMS those of"
                + " 4.0-alpha2 with the young generation of its cassandra-env.sh; the others have none. All JDKs are"
                + " builds of one maker. Memtables are on the heap, Cassandra's default.");
        text.add(
                "**Read the searches with care.** Each JVM was searched once, the eight one after another, p99.9 after p99"
                        + " on the warmer node, in coarse steps; idle cores are not judged. A first"
                        + " step that missed sent a search downwards, so that a row may hold more than it says: ZGC on 21 kept"
                        + " p99.9 below 10 ms at a higher rate than the one given for p99. *No rate kept it* is of the lowest"
                        + " rate that got a verdict. Parentheses are rates at which a repeat was tried. G1 has a pause target"
                        + " of 300 ms here, Cassandra's.");
        if (measured.value(JvmRow.CMS_11.key() + ".cms_cycles") < CMS_CYCLES) {
            text.add("CMS collected its old generation fewer than " + CMS_CYCLES + " times in the rounds, so that its"
                    + " row says little of it.");
        }
        JvmRow choice = new CollectorChoice(measured).ofProduct();
        text.add(
                "Ringmaster's default (`jvm.collector`) follows from a rule: the highest rate with p99.9 below 10 ms among the collectors of JDK"
                        + " 17 whose processor time per request is at most 1.1 of the least; inside the spread G1 stays. By"
                        + " these figures it is " + choice.collector().text() + ".");
        return text;
    }

    private double rate(JvmRow row) {
        return measured.value(row.key() + Collectors.P999);
    }

    private Conclusion verdict() {
        if (measured.about().form() == Form.SHORT) {
            return new Conclusion(
                    Conclusion.Kind.NOT_COMPARABLE,
                    "The short form searches no rates; it shows two collectors at work.");
        }
        JvmRow best = new CollectorChoice(measured).best().orElse(JvmRow.G1_17);
        double times = rate(best) / rate(JvmRow.G1_17);
        if (Double.isNaN(times)) {
            String key = JvmRow.G1_17.key();
            String reason = measured.reason(measured.missing().containsKey(key) ? key : key + Collectors.P999);
            return new Conclusion(
                    Conclusion.Kind.INVALID, "There is no rate of G1 on 17 to compare with: " + reason + ".");
        }
        return new Conclusion(
                times >= GOAL ? Conclusion.Kind.REACHED : Conclusion.Kind.MISSED,
                best == JvmRow.G1_17
                        ? "None is better than Cassandra's default: G1 on 17 keeps p99.9 below 10 ms at "
                                + Cells.number(rate(best)) + " requests/s."
                        : best.text() + " keeps p99.9 below 10 ms at " + Cells.number(rate(best)) + " requests/s, "
                                + Cells.number(times) + " times as many as G1 on 17.");
    }

    private List<JvmRow> rows() {
        return JvmRow.of(measured.about().form());
    }

    private Table times() {
        List<String> keys = List.of(".op_rate", ".mean", ".p50", ".p95", ".p99", ".p99.9", ".max");
        List<List<String>> rows = new ArrayList<>();
        rows.add(source("source 001: CMS, JDK 8", JvmRow.CMS_11, keys));
        rows.add(source("source 001: G1, JDK 8", JvmRow.G1_11, keys));
        rows().forEach(row -> rows.add(ours(row, keys)));
        return new Table(
                "The same rate for all, with the lowest and highest of three rounds:",
                List.of("collector", "operations", "mean", "p50", "p95", "p99", "p99.9", "max"),
                rows);
    }

    private Table levels() {
        List<String> keys = List.of(Collectors.P99, Collectors.P999, ".cpu", ".resident", ".idle");
        List<List<String>> rows = new ArrayList<>();
        rows.add(source("source 004: HotSpot", JvmRow.G1_17, keys));
        rows.add(source("source 004: Zing", JvmRow.ZGC_21, keys));
        rows().forEach(row -> rows.add(ours(row, keys)));
        return new Table(
                "The highest rate that keeps a service level, of this machine with its generator; and at "
                        + Math.round(Collectors.RATE)
                        + "/s the processor time of the node, its memory, and idle cores:",
                List.of("collector", "p99 < 5 ms", "p99.9 < 10 ms", "node", "resident", "idle"),
                rows);
    }

    private Table stops() {
        List<String> keys =
                List.of(".stopped", ".longest_stop", ".young", ".full", ".cms_cycles", ".stalls", ".degenerated");
        return new Table(
                "What the JVMs wrote about the same rounds:",
                List.of(
                        "collector",
                        "time stopped",
                        "longest stop",
                        "young pauses",
                        "full pauses",
                        "CMS cycles",
                        "ZGC stalls",
                        "degenerated"),
                rows().stream().map(row -> ours(row, keys)).toList());
    }

    private List<String> source(String title, JvmRow row, List<String> keys) {
        List<Seed> seeds = experiment.seeds();
        return row(title, keys, key -> Cells.seed(seeds, row.key() + key));
    }

    private List<String> ours(JvmRow row, List<String> keys) {
        return row(row.text(), keys, key -> Cells.cell(measured, row.key() + key));
    }

    private static List<String> row(String title, List<String> keys, Function<String, String> cell) {
        List<String> cells = new ArrayList<>(List.of(title));
        keys.forEach(key -> cells.add(cell.apply(key)));
        return cells;
    }

    private List<Plot> plots() {
        List<Plot> plots = new ArrayList<>(List.of(responses(), lengths()));
        if (measured.about().form() == Form.FULL) {
            plots.add(rates());
        }
        return plots;
    }

    private Plot responses() {
        return curves("response", "Response times at " + Math.round(Collectors.RATE) + " requests/s", "response");
    }

    private Plot lengths() {
        return curves("stops", "Stops of the JVM in the same rounds", "length");
    }

    private Plot curves(String series, String title, String axis) {
        return Plot.lines(
                series,
                title,
                Plot.Axis.of("share", "", Plot.Scale.NINES),
                Plot.Axis.of(axis, "ms", Plot.Scale.LOG),
                rows().stream()
                        .filter(row ->
                                !measured.points(row.key() + "." + series).isEmpty())
                        .map(row -> Plot.Line.of(row.text(), measured.points(row.key() + "." + series)))
                        .toList());
    }

    private Plot rates() {
        List<JvmRow> found =
                rows().stream().filter(row -> !Double.isNaN(rate(row))).toList();
        List<List<Double>> bars = IntStream.range(0, found.size())
                .mapToObj(i -> List.of((double) i, rate(found.get(i))))
                .toList();
        return Plot.lines(
                "rates",
                "Highest rate with p99.9 below 10 ms",
                Plot.Axis.categories(
                        "collector", found.stream().map(JvmRow::text).toList()),
                Plot.Axis.of("rate", "/s", Plot.Scale.LINEAR),
                List.of(new Plot.Line("rate", Plot.Kind.BAR, false, bars)));
    }
}
