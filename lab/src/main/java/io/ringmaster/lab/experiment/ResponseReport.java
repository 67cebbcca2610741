package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.load.Stalls;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The page of {@link Response}. */
record ResponseReport(Experiment experiment, Measured measured) {
    /** Key of a row to its title, in order. */
    private static final List<Map.Entry<String, String>> ROWS = List.of(
            Map.entry("metronome.response", "metronome, response time"),
            Map.entry("metronome.service", "metronome, service time"),
            Map.entry("fixed", "cassandra-stress `fixed=`, 24 threads"),
            Map.entry("throttle", "cassandra-stress `throttle=`, 24 threads"),
            Map.entry("ndbench", "NDBench's way, 24 threads (computed)"),
            Map.entry("few.fixed", "cassandra-stress `fixed=`, 4 threads"),
            Map.entry("few.throttle", "cassandra-stress `throttle=`, 4 threads"),
            Map.entry("ends", "cassandra-stress `fixed=` `duration=`, ends within a stall"));

    /** What may separate a histogram of one run from arithmetic with even arrivals. */
    private static final double NEAR = 0.15;

    Report report() {
        return new Report(
                "metronome reports the requests that arithmetic expects beyond 100 ms, within 15 %; each other way is"
                        + " shown with what it leaves out.",
                verdict(),
                List.of(source(), clients(), printed(), stalls()),
                List.of(percentiles(), maxima()),
                List.of(
                        "One of three coordinators is stopped (SIGSTOP) and goes on. Requests come evenly, and a third"
                                + " of them goes to it, so that arithmetic knows what users see: "
                                + Cells.number(expected("metronome").longerThan(Response.NOTICED))
                                + " requests take longer than 100 ms, and all together wait "
                                + Cells.number(expected("metronome").requestSeconds())
                                + " s. A stalled *replica* is hidden by the quorum of the other two; a stalled"
                                + " *coordinator* is not.",
                        "`fixed=` counts from the intended start, and with a number of operations it leaves nothing"
                                + " out. It shows more than independent users see: its threads that wait for the"
                                + " stalled coordinator also hold back the requests to the other two. `throttle=` counts from the send, and its"
                                + " threads send nothing while they wait, so that each stall costs one long time for"
                                + " each thread. With `duration=` what was due at the end and had no thread is neither"
                                + " made nor reported.",
                        "NDBench is **computed from its source, not run**: its program is not in Maven. All its threads"
                                + " block on the stalled coordinator, its rate limiter keeps the permits of one second,"
                                + " and the time is taken around the call. Its row is that of `throttle=` without the"
                                + " requests that the limiter loses ("
                                + Cells.cell(measured, "ndbench.lost") + ").",
                        "The first " + Response.SKIPPED_S + " s of each run, in which a generator itself starts, are"
                                + " left out of the tables; *as printed* has them.",
                        "cassandra-stress is that of Cassandra 4.0-alpha2, the last in Maven, with the driver of 5.0.9."),
                List.of(
                        Response.RATE + " requests/s on two cores in place of 40,001/s, and stalls by a signal in place"
                                + " of the pauses of a JVM with a large heap. What a generator with few"
                                + " threads leaves out grows with the rate: it shows each stall once for each thread,"
                                + " whatever the rate, and users see a third of all requests of its length.",
                        "The source measured one machine with YCSB; a ring of three with a quorum is what users of"
                                + " Cassandra have, and only a third of their requests sees the stalled node."));
    }

    /** Requests that are meant to start in the seconds that count. */
    private double counted() {
        long seconds = StallPlan.of(measured.about().form()).duration().toSeconds() - Response.SKIPPED_S;
        return (double) (Response.RATE * seconds);
    }

    /** What users saw of the stalls of a run, as they really were. */
    private Stalls expected(String run) {
        List<Duration> lengths = new ArrayList<>();
        for (int i = 1; measured.figure(run + ".stall." + i + ".length").isPresent(); i++) {
            lengths.add(Duration.ofMillis(Math.round(measured.value(run + ".stall." + i + ".length") * 1000)));
        }
        return new Stalls(Response.RATE, Response.COORDINATORS, lengths);
    }

    private Conclusion verdict() {
        for (String key : List.of("metronome", "fixed", "throttle")) {
            if (measured.isInvalid(key)) {
                return new Conclusion(
                        Conclusion.Kind.INVALID, "The run *" + key + "* is " + measured.reason(key) + ".");
            }
        }
        double wanted = expected("metronome").longerThan(Response.NOTICED);
        double honest = measured.value("metronome.response.noticed");
        double blind = measured.value("throttle.noticed");
        if (Double.isNaN(honest + blind)) {
            return new Conclusion(
                    Conclusion.Kind.INVALID,
                    "Not every client was measured; metronome: " + Cells.cell(measured, "metronome.response.noticed")
                            + ", cassandra-stress with `throttle=`: " + Cells.cell(measured, "throttle.noticed") + ".");
        }
        boolean reached = Math.abs(honest / wanted - 1) <= NEAR;
        return new Conclusion(
                reached ? Conclusion.Kind.REACHED : Conclusion.Kind.MISSED,
                "Of " + Cells.number(wanted) + " requests that users waited longer than 100 ms for, metronome reports "
                        + Cells.number(honest) + ", cassandra-stress with `fixed=` "
                        + Cells.cell(measured, "fixed.noticed") + " and with `throttle=` " + Cells.number(blind)
                        + "; their p99.9 is " + Cells.cell(measured, "metronome.response.p99.9") + ", "
                        + Cells.cell(measured, "fixed.p99.9") + " and " + Cells.cell(measured, "throttle.p99.9") + ".");
    }

    private Table source() {
        return new Table(
                "The source (004): one server with pauses, at 40,001/s.",
                columns(),
                List.of(sourceRow("response time", "source.response"), sourceRow("service time", "source.service")));
    }

    private static List<String> columns() {
        return Stream.concat(Stream.of(""), Response.PERCENTILES.columns().stream())
                .toList();
    }

    private List<String> sourceRow(String title, String key) {
        return Stream.concat(Stream.of(title), Response.PERCENTILES.cells(experiment.seeds(), key).stream())
                .toList();
    }

    private Table clients() {
        List<String> columns = new ArrayList<>(List.of("", "reported", "beyond 100 ms"));
        columns.addAll(Response.PERCENTILES.columns());
        columns.addAll(List.of("users' wait it shows", "of the true wait"));
        List<List<String>> rows = new ArrayList<>();
        Stalls expected = expected("metronome");
        rows.add(List.of(
                "what users see of metronome's stalls, by arithmetic",
                Cells.number(counted()),
                Cells.number(expected.longerThan(Response.NOTICED)),
                "",
                "",
                "",
                "",
                Cells.value(expected.requestSeconds(), "s"),
                ""));
        ROWS.forEach(row -> rows.add(client(row.getKey(), row.getValue())));
        return new Table("What each client reports of the same stalls:", columns, rows);
    }

    private List<String> client(String key, String title) {
        List<String> row = new ArrayList<>(List.of(title));
        row.add(Cells.cell(measured, key + ".reported"));
        row.add(Cells.cell(measured, key + ".noticed"));
        row.addAll(Response.PERCENTILES.cells(measured, key));
        row.add(Cells.cell(measured, key + ".waited"));
        double waited = measured.value(key + ".waited");
        double all = expected(runOf(key)).requestSeconds();
        boolean cut = key.equals("ends"); // it ends within its stall
        row.add(Double.isNaN(waited) || all == 0 || cut ? "" : Cells.value(100 * waited / all, "%"));
        return row;
    }

    /** The run that gave the figures of a row. */
    private static String runOf(String key) {
        return key.startsWith("metronome.") ? "metronome" : key.equals("ndbench") ? "throttle" : key;
    }

    private Table printed() {
        List<List<String>> rows = new ArrayList<>();
        for (var row : ROWS) {
            if (measured.figure(row.getKey() + ".printed.max").isPresent()) {
                rows.add(List.of(
                        row.getValue(),
                        Cells.cell(measured, row.getKey() + ".made"),
                        Cells.cell(measured, row.getKey() + ".printed.p99"),
                        Cells.cell(measured, row.getKey() + ".printed.p99.9"),
                        Cells.cell(measured, row.getKey() + ".printed.max")));
            }
        }
        return new Table(
                "As cassandra-stress prints it, its own start included:",
                List.of("", "made", "p99", "p99.9", "max"),
                rows);
    }

    private Table stalls() {
        List<List<String>> rows = new ArrayList<>();
        for (String key : List.of("metronome", "fixed", "throttle", "few.fixed", "few.throttle", "ends")) {
            if (measured.figure(key + ".stall.1.length").isPresent()) {
                rows.add(List.of(key, lengths(key), Cells.cell(measured, key + ".idle")));
            }
        }
        return new Table(
                "The stalls as they were, and the processors beside them:", List.of("run", "stalls", "idle"), rows);
    }

    private String lengths(String key) {
        List<String> lengths = new ArrayList<>();
        for (int i = 1; measured.figure(key + ".stall." + i + ".length").isPresent(); i++) {
            lengths.add(Cells.cell(measured, key + ".stall." + i + ".length"));
        }
        return String.join(", ", lengths);
    }

    private Plot percentiles() {
        return Plot.lines(
                "percentiles",
                "What each client reports of the same stalls",
                Plot.Axis.of("share of requests", "", Plot.Scale.NINES),
                Plot.Axis.of("time", "ms", Plot.Scale.LOG),
                lines(".percentiles"));
    }

    private Plot maxima() {
        Plot plot = Plot.lines(
                "maxima",
                "Longest time of each second, by client",
                Plot.Axis.of("time", "s", Plot.Scale.LINEAR),
                Plot.Axis.of("longest", "ms", Plot.Scale.LOG),
                Stream.of("metronome.response", "fixed", "throttle")
                        .map(key -> line(key, ".max"))
                        .toList());
        for (int i = 1; measured.figure("metronome.stall." + i + ".at").isPresent(); i++) {
            double at = measured.value("metronome.stall." + i + ".at");
            plot = plot.with(
                    new Plot.Band(at, at + measured.value("metronome.stall." + i + ".length"), "x", "stalled"));
        }
        return plot;
    }

    private List<Plot.Line> lines(String end) {
        return Stream.of("metronome.response", "metronome.service", "fixed", "throttle", "ndbench")
                .map(key -> line(key, end))
                .toList();
    }

    private Plot.Line line(String key, String end) {
        String title = ROWS.stream()
                .filter(row -> row.getKey().equals(key))
                .map(row -> row.getValue().replace("`", ""))
                .findFirst()
                .orElse(key);
        return Plot.Line.of(title, measured.points(key + end));
    }
}
