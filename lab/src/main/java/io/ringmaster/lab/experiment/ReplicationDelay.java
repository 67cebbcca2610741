package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.MS;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.figure.Conclusion;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.ReplicationProbe;
import io.ringmaster.lab.machine.RoundTrip;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.page.Plot;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.page.Table;
import io.ringmaster.lab.ring.ManagedRing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A write at LOCAL_ONE in dc1 until it is read at LOCAL_ONE in dc2, over an emulated WAN of the source's length. */
final class ReplicationDelay implements Experiment {
    private static final double ROUND_TRIP_MS = 77.8;
    private static final double GOAL_MS = 2.5;
    private static final int STORAGE_PORT = 7000;
    private static final Duration WARM_PAUSE = Duration.ofMillis(100);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Percentiles PERCENTILES = new Percentiles(List.of(50.0, 95.0, 99.0));
    /** Conditions, and what they change in cassandra_yaml. */
    private enum Condition {
        DEFAULT("default", "as Ringmaster runs it"),
        NAGLE("nagle", "`inter_dc_tcp_nodelay: false`");

        private final String key;
        private final String title;

        Condition(String key, String title) {
            this.key = key;
            this.title = title;
        }
    }

    @Override
    public String name() {
        return "replication";
    }

    @Override
    public String question() {
        return "How long until a write in one datacenter is read in the other?";
    }

    @Override
    public List<Seed> seeds() {
        String source = "001, slide 30";
        return List.of(
                new Seed("default.acknowledged.p50", 44.69, MS, source),
                new Seed("default.acknowledged.p95", 46.38, MS, source),
                new Seed("default.acknowledged.p99", 47.44, MS, source),
                new Seed("round_trip", 77.8, MS, source));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ROOT, Need.MAVEN);
    }

    @Override
    public Duration budget(Form form) {
        return form == Form.SHORT ? Duration.ofSeconds(90) : Duration.ofSeconds(320);
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        Path log = bench.work().resolve("ringmaster.log");
        ManagedRing ring = bench.closing(ManagedRing.of(bench.root(), log));
        bench.say("starting two datacenters, " + ROUND_TRIP_MS + " ms apart");
        ring.up("--wan", ROUND_TRIP_MS + "ms", "--nodes", "1", "--heap", "512MiB");
        figures.put("round_trip", roundTrip(ring, log), MS);
        condition(Condition.DEFAULT, bench, form, figures, ring);
        if (form == Form.FULL) {
            Path spec = bench.work().resolve("nagle.yaml");
            Files.writeString(spec, withoutNoDelay(Files.readString(ring.spec())));
            ring.run("cluster", "apply", "-f", spec.toString(), "--yes", "--wait");
            condition(Condition.NAGLE, bench, form, figures, ring);
        } else {
            figures.missing("nagle", "only in the full form");
        }
        figures.put("round_trip_after", roundTrip(ring, log), MS);
    }

    private static String withoutNoDelay(String spec) throws IOException {
        String changed = spec.replace("cassandra_yaml: {}", "cassandra_yaml: {inter_dc_tcp_nodelay: false}");
        if (changed.equals(spec)) {
            throw new IOException("the spec of the playground has no empty cassandra_yaml");
        }
        return changed;
    }

    private static double roundTrip(ManagedRing ring, Path log) throws IOException, InterruptedException {
        return RoundTrip.ms(ring.daemons("dc1").get(0), ring.hosts("dc2").get(0), STORAGE_PORT, log);
    }

    private static void condition(Condition condition, Bench bench, Form form, Figures figures, ManagedRing ring)
            throws IOException, InterruptedException {
        boolean brief = form == Form.SHORT;
        String key = condition.key;
        try (ReplicationProbe probe = ReplicationProbe.open(
                ring.hosts("dc1").get(0), ring.hosts("dc2").get(0))) {
            bench.say(condition.title + ": warming up");
            probe.measure(brief ? 100 : 300, WARM_PAUSE);
            int keys = brief ? 60 : 300;
            bench.say(condition.title + ": " + keys + " writes, one each " + PAUSE.toMillis() + " ms");
            long begin = System.currentTimeMillis();
            ReplicationProbe.Result result = probe.measure(keys, PAUSE);
            log(condition, result, begin, bench, figures);
            figures.put(key + ".keys", keys, Unit.COUNT);
            figures.put(key + ".lost", result.lost(), Unit.COUNT);
            PERCENTILES.put(figures, key + ".acknowledged", result.fromAcknowledgement());
            PERCENTILES.put(figures, key + ".start", result.fromStart());
            PERCENTILES.put(figures, key + ".write", result.write());
            PERCENTILES.put(figures, key + ".spin", result.spin());
            figures.series(key + ".acknowledged", result.fromAcknowledgement().curve());
            figures.series(key + ".start", result.fromStart().curve());
        }
    }

    /** One interval, with a tag for each of the times. */
    private static void log(
            Condition condition, ReplicationProbe.Result result, long begin, Bench bench, Figures figures)
            throws IOException {
        long end = System.currentTimeMillis();
        String file = condition.key + ".hlog.gz";
        LoadLog.write(
                bench.results().resolve(file),
                "replication: " + condition.title,
                List.of(
                        new LoadLog.Entry("acknowledged", begin, end, result.fromAcknowledgement()),
                        new LoadLog.Entry("start", begin, end, result.fromStart()),
                        new LoadLog.Entry("write", begin, end, result.write()),
                        new LoadLog.Entry("read", begin, end, result.spin())),
                LoadLog.OVERVIEW);
        figures.log(file);
    }

    @Override
    public Report report(Measured measured) {
        return new Report(
                "At most " + GOAL_MS + " ms beyond one way at p50; the source has 5.8 ms (44.69 of 38.9).",
                verdict(measured),
                List.of(table(measured), beyond(measured), conditions(measured)),
                List.of(plot(measured)),
                List.of(
                        "The source counts from the acknowledgement of the write to the end of the read that finds it,"
                                + " and so does the first row; a user's wait starts with the write, which the row"
                                + " below has. The end is known to one read of the loop (the row *a read of the"
                                + " loop*), which is part of the figures. Both ends are read from one monotonic"
                                + " clock; the source compares the clocks of two machines, whose difference (some"
                                + " tenths of a millisecond under NTP) is in its figures and not in ours.",
                        "The write leaves for the other datacenter before it is acknowledged, so that the time from the"
                                + " acknowledgement can be shorter than one way of the network.",
                        "Clients of dc2 reach it without the delay, as in the source. Each write waits until the one"
                                + " before was read, so nothing queues."),
                List.of(
                        "Two nodes of two cores against 24 cores a machine: the work of both coordinators is part of"
                                + " what is beyond one way, and here it runs on busier cores.",
                        "The WAN is emulated: a constant delay without loss or jitter. The source's round trip, 77.8 ms, was"
                                + " measured once, by ping; its one way is taken as half of it.",
                        "One node in each datacenter: no write goes to a replica within dc2 from another one."));
    }

    private static double beyondOneWay(Measured measured, String key) {
        return measured.value(key) - measured.value("round_trip") / 2;
    }

    private static Conclusion verdict(Measured measured) {
        double beyond = beyondOneWay(measured, "default.acknowledged.p50");
        if (Double.isNaN(beyond) || measured.value("default.lost") > 0) {
            return new Conclusion(Conclusion.Kind.INVALID, "Not every write was found in the other datacenter.");
        }
        for (Condition condition : Condition.values()) {
            if (beyondOneWay(measured, condition.key + ".start.p50") < 0) {
                return new Conclusion(
                        Conclusion.Kind.INVALID,
                        "Writes were found before the network could carry them (" + condition.title + ").");
            }
        }
        String sentence = "Half of the writes were readable in the other datacenter " + Cells.value(beyond, "ms")
                + " after one way of the network, counted from the acknowledgement (source: 5.8 ms), and "
                + Cells.value(beyondOneWay(measured, "default.start.p50"), "ms")
                + ", counted from the start of the write.";
        return new Conclusion(beyond <= GOAL_MS ? Conclusion.Kind.REACHED : Conclusion.Kind.MISSED, sentence);
    }

    private Table table(Measured measured) {
        return new Table(
                "Until a write is read in the other datacenter:",
                columns(),
                List.of(
                        row("source (001, slide 30)", PERCENTILES.cells(seeds(), "default.acknowledged")),
                        row("from the acknowledgement, as the source", measured, "default.acknowledged"),
                        row("from the start of the write", measured, "default.start"),
                        row("the write itself", measured, "default.write"),
                        row("a read of the loop", measured, "default.spin")));
    }

    private static Table beyond(Measured measured) {
        return new Table(
                "The same without one way of the network, half of the round trip of a TCP connection ("
                        + Cells.cell(measured, "round_trip") + " before, " + Cells.cell(measured, "round_trip_after")
                        + " after):",
                columns(),
                List.of(
                        List.of("source, one way 38.9 ms", "5.79 ms", "7.48 ms", "8.54 ms", ""),
                        List.of(
                                "here, one way " + Cells.value(measured.value("round_trip") / 2, "ms"),
                                beyondCell(measured, "p50"),
                                beyondCell(measured, "p95"),
                                beyondCell(measured, "p99"),
                                beyondCell(measured, "max"))));
    }

    private static String beyondCell(Measured measured, String which) {
        return Cells.value(beyondOneWay(measured, "default.acknowledged." + which), "ms");
    }

    private static Table conditions(Measured measured) {
        return new Table(
                "With and without Nagle's algorithm between datacenters, from the acknowledgement:",
                columns(),
                List.of(
                        row(Condition.DEFAULT.title, measured, "default.acknowledged"),
                        row(Condition.NAGLE.title, measured, "nagle.acknowledged")));
    }

    private static List<String> columns() {
        return Stream.concat(Stream.of(""), PERCENTILES.columns().stream()).toList();
    }

    private static List<String> row(String title, Measured measured, String key) {
        return row(title, PERCENTILES.cells(measured, key));
    }

    private static List<String> row(String title, List<String> cells) {
        return Stream.concat(Stream.of(title), cells.stream()).toList();
    }

    private static Plot plot(Measured measured) {
        return Plot.lines(
                        "percentiles",
                        "Until a write is read in the other datacenter",
                        Plot.Axis.of("share of writes", "", Plot.Scale.NINES),
                        Plot.Axis.of("time", "ms", Plot.Scale.LINEAR),
                        List.of(
                                Plot.Line.of("from the start of the write", measured.points("default.start")),
                                Plot.Line.of("from the acknowledgement", measured.points("default.acknowledged")),
                                Plot.Line.of("from the acknowledgement, Nagle", measured.points("nagle.acknowledged"))
                                        .inDashes()))
                .with(new Plot.Level(ROUND_TRIP_MS / 2, "one way", "y"));
    }
}
