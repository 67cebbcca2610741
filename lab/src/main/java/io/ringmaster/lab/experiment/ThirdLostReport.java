package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The page of {@link ThirdLost}. */
record ThirdLostReport(Experiment experiment, Measured measured) {
    /** The periods of both loads, in order. */
    private static final List<Map.Entry<String, String>> PERIODS = List.of(
            Map.entry("before", "all six nodes"),
            Map.entry("noticing", "a rack dies, until " + ThirdLost.NOTICE_S + " s after"),
            Map.entry("degraded", "four of six nodes"),
            Map.entry("returning", "the rack comes back"));

    Report report() {
        return new Report(
                "No acknowledged write lost, and no request failed. The source says that its cluster remained"
                        + " functional at the full rate.",
                verdict(),
                List.of(periods(), safety()),
                List.of(
                        plot("lost", "killed_at", "Longest response of each second: a rack dies"),
                        plot("back", "revived_at", "Longest response of each second: the rack comes back")),
                List.of(
                        "Times are response times of an open loop: from the moment when a write was meant to start."
                                + " Writes whose connection died are sent again to another node, as drivers do for"
                                + " idempotent statements; their time counts from the first intention.",
                        "Both machines of one rack die as by a power failure: their processes end at once and their"
                                + " disks are out of reach. The kernel of this computer closes their connections at"
                                + " once; behind a dead network card clients would wait for their time limit.",
                        "A stop that is not at the moment of the failure, as in the first plot, is not of the failure. Its cause"
                                + " was not looked for; it stays in the figures."),
                List.of(
                        "Six nodes and their generator share two cores, " + Math.round(ThirdLost.RATE)
                                + " writes/s in place of 1,000,000. With two nodes gone, the others get their cores,"
                                + " so that half of the writes can be faster than *before*, while the slowest are not: the"
                                + " source's machines got more work each, ours get more processor each. The ratios of the source are therefore"
                                + " not reproduced; failed and lost writes, and the seconds of the change, are.",
                        "The source lost 100 of 300 machines and does not say which; here they are one rack of three,"
                                + " so that with three replicas in three racks every range keeps two. Of a random"
                                + " third, with three replicas anywhere, 26 % of the ranges would lose their quorum.",
                        "Two nodes that start beside the load take what is left of two cores: *the rack comes back*"
                                + " shows this computer more than Cassandra.",
                        "The load of the return ends before the rack is whole: hints go on being delivered without load.",
                        "The development preset: no commit log sync before the acknowledgement, as Cassandra's default."));
    }

    private double value(String key) {
        return measured.value(key);
    }

    private double lost() {
        return value("verify.quorum.bad") + value("verify.all.bad") + value("verify.all-second.bad");
    }

    private double failed() {
        return PERIODS.stream().mapToDouble(p -> value(p.getKey() + ".failed")).sum();
    }

    private Conclusion verdict() {
        if (measured.missing().containsKey("lost")) {
            return new Conclusion(
                    Conclusion.Kind.INVALID, "The load of the failure is " + measured.reason("lost") + ".");
        }
        for (var period : PERIODS) {
            if (measured.isInvalid(period.getKey())) {
                return new Conclusion(
                        Conclusion.Kind.INVALID,
                        "The period *" + period.getValue() + "* is " + measured.reason(period.getKey()) + ".");
            }
        }
        double longest = Math.max(value("noticing.max"), value("degraded.max"));
        if (Double.isNaN(lost() + failed() + longest)) {
            return new Conclusion(
                    Conclusion.Kind.INVALID,
                    "Not every period was measured, or not every acknowledged write read back.");
        }
        boolean reached = lost() == 0 && failed() == 0;
        return new Conclusion(
                reached ? Conclusion.Kind.REACHED : Conclusion.Kind.MISSED,
                Cells.number(lost()) + " acknowledged writes lost and " + Cells.number(failed())
                        + " requests failed. The longest response took " + Cells.cell(measured, "before.max")
                        + " before the failure, " + Cells.cell(measured, "noticing.max") + " around it, and "
                        + Cells.cell(measured, "degraded.max") + " in the time with four of six nodes.");
    }

    private Table periods() {
        List<String> columns = new ArrayList<>(List.of("", "writes/s"));
        columns.addAll(Percentiles.USUAL.columns());
        columns.addAll(List.of("failed", "idle"));
        List<List<String>> rows = new ArrayList<>();
        rows.add(source("source (002): all nodes", "> 1,000,000/s", "before"));
        rows.add(source("source (002): a third removed", "> 1,000,000/s", "degraded"));
        for (var period : PERIODS) {
            String key = period.getKey();
            List<String> row = new ArrayList<>();
            row.add(period.getValue() + ", " + Cells.cell(measured, key + ".seconds"));
            row.add(Cells.cell(measured, key + ".rate"));
            row.addAll(Percentiles.USUAL.cells(measured, key));
            row.add(Cells.cell(measured, key + ".failed"));
            row.add(Cells.cell(measured, key.equals("returning") ? "returning.idle" : "lost.idle"));
            rows.add(row);
        }
        return new Table(
                "Response times of writes at QUORUM with three replicas; idle cores are of the whole load:",
                columns,
                rows);
    }

    private List<String> source(String title, String rate, String key) {
        List<String> row = new ArrayList<>(List.of(title, rate));
        row.addAll(Percentiles.USUAL.cells(experiment.seeds(), key));
        row.addAll(List.of("", ""));
        return row;
    }

    private Table safety() {
        return new Table(
                "Every acknowledged write was read back:",
                List.of("", "writes", "lost, old or wrong"),
                List.of(
                        read("those of the failure, at QUORUM with the rack still dead", "verify.quorum"),
                        read(
                                "those of the failure, at ALL after the return and a repair ("
                                        + Cells.cell(measured, "repair") + ")",
                                "verify.all"),
                        read("those of the return, at ALL after the same repair", "verify.all-second"),
                        List.of(
                                "from the return of the rack until every node was NORMAL and no hints waited",
                                Cells.cell(measured, "whole"),
                                "")));
    }

    private List<String> read(String title, String key) {
        return List.of(title, Cells.cell(measured, key + ".writes"), Cells.cell(measured, key + ".bad"));
    }

    private Plot plot(String key, String moment, String title) {
        double at = value(moment);
        return Plot.lines(
                        key,
                        title,
                        Plot.Axis.of("time", "s", Plot.Scale.LINEAR),
                        Plot.Axis.of("response", "ms", Plot.Scale.LOG),
                        List.of(
                                Plot.Line.of("longest", measured.points(key + ".max")),
                                Plot.Line.of("95 %", measured.points(key + ".p95"))
                                        .inDashes()))
                .with(new Plot.Level(at, key.equals("lost") ? "a rack dies" : "it comes back", "x"));
    }
}
