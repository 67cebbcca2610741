package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.load.Arrivals;
import io.ringmaster.lab.load.Hosts;
import io.ringmaster.lab.load.Load;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.Search;
import io.ringmaster.lab.load.SustainResult;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.ring.CassandraJars;
import io.ringmaster.lab.ring.Jdks;
import io.ringmaster.lab.ring.Jvm;
import io.ringmaster.lab.ring.RingSpec;
import io.ringmaster.lab.ring.StockRing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** One node on each of eight JVMs: the same load in turn, then the highest rate that keeps a service level. */
final class Collectors implements Experiment {
    static final double RATE = 1500;
    static final int HEAP_MIB = 1024;
    static final String P99 = ".sustain.p99";
    static final String P999 = ".sustain.p99.9";

    /** Service levels of seed 004, in the order of the searches. */
    private static final List<Level> LEVELS = List.of(new Level(P99, "p99<5ms"), new Level(P999, "p99.9<10ms"));

    private static final int ROWS = 200_000;
    private static final double FILL_RATE = 5000;
    private static final int SHORT_ROWS = 30_000;
    private static final int ROUNDS = 3;
    private static final double FIRST_RATE = 2000;
    /** The search for the stricter level starts a little below the result of the other. */
    private static final double START_BELOW = 0.7;

    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration MEASURED = Duration.ofSeconds(11);
    private static final Duration STEP = Duration.ofSeconds(6);
    /** 20 of 20,000 requests lie beyond p99.9: rates from 700/s get a verdict. */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(30);
    /** Reads and writes after the fill, so that the first round does not compile the reads. */
    private static final Duration COMPILED = Duration.ofSeconds(10);
    /** Before a search: a node that stood still answers late at first, and the search would start downwards. */
    private static final Duration RESUMED = Duration.ofSeconds(5);

    /** @param key the end of its figures' keys */
    private record Level(String key, String slo) {}

    /** A node that was filled. */
    private record Filled(JvmRow row, StockRing ring, CollectorRounds rounds) {}

    @Override
    public String name() {
        return "collectors";
    }

    @Override
    public String question() {
        return "Which garbage collector keeps a service level at the highest rate?";
    }

    @Override
    public List<Seed> seeds() {
        List<Seed> seeds = new ArrayList<>();
        slide23(seeds, JvmRow.CMS_11, "CMS", 1951, 3.6, 0.3, 0.6, 1, 11.6, 13496.9);
        slide23(seeds, JvmRow.G1_11, "G1", 13765, 0.4, 0.3, 0.4, 0.5, 0.7, 4626.9);
        seeds.add(new Seed(JvmRow.G1_17.key() + P99, 10_000, PER_SECOND, "004, HotSpot, p99 < 5 ms"));
        seeds.add(new Seed(JvmRow.G1_17.key() + P999, 2_000, PER_SECOND, "004, HotSpot, p99.9 < 10 ms"));
        seeds.add(new Seed(JvmRow.ZGC_21.key() + P99, 40_000, PER_SECOND, "004, Zing, p99 < 5 ms"));
        seeds.add(new Seed(JvmRow.ZGC_21.key() + P999, 20_000, PER_SECOND, "004, Zing, p99.9 < 10 ms"));
        return seeds;
    }

    private static void slide23(List<Seed> seeds, JvmRow row, String column, double rate, double... times) {
        String source = "001, slide 23, " + column;
        seeds.add(new Seed(row.key() + ".op_rate", rate, PER_SECOND, source));
        List<String> keys = List.of(".mean", ".p50", ".p95", ".p99", ".p99.9", ".max");
        for (int i = 0; i < times.length; i++) {
            seeds.add(new Seed(row.key() + keys.get(i), times[i], MS, source));
        }
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.METRONOME, Need.PIP, Need.MAVEN);
    }

    @Override
    public Duration budget(Form form) {
        return form == Form.SHORT ? Duration.ofSeconds(170) : Duration.ofMinutes(38);
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        Metronome metronome = Metronome.of(bench);
        List<Filled> nodes = start(bench, metronome, form, figures);
        List<Filled> order = new ArrayList<>(nodes);
        for (int round = 1; round <= (form == Form.SHORT ? 1 : ROUNDS); round++) {
            for (Filled node : order) {
                if (!node.rounds.hasFailed()) {
                    bench.say("round " + round + ": " + node.row.text());
                    round(bench, metronome, form, node, round);
                }
            }
            Collections.rotate(order, 1);
        }
        nodes.forEach(node -> node.rounds.put(node.row.key(), figures));
        for (Filled node : nodes) {
            if (!node.rounds.hasFailed()) {
                search(bench, metronome, form, node, figures);
            }
        }
    }

    private static void round(Bench bench, Metronome metronome, Form form, Filled node, int round)
            throws IOException, InterruptedException {
        Load load = load(node.ring, rows(form)).read(50);
        Arrivals schedule = Arrivals.rate(RATE, MEASURED).warmup(WARM_UP);
        try {
            node.ring.resume();
            node.rounds.measure(metronome, node.row.key() + "-" + round, node.ring, load, schedule);
            node.ring.stall();
        } catch (IOException e) {
            node.rounds.fail(giveUp(bench, node.row, node.ring, e));
        }
    }

    /** Ends a node that failed: it costs its own row, not those of the others. */
    private static String giveUp(Bench bench, JvmRow row, StockRing ring, IOException e) throws IOException {
        String reason = failed(bench, row, e);
        ring.close();
        return reason;
    }

    /** @throws IOException the run is over: nothing failed */
    private static String failed(Bench bench, JvmRow row, IOException e) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw e;
        }
        bench.say(row.text() + " failed: " + e.getMessage());
        return "failed: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static int rows(Form form) {
        return form == Form.SHORT ? SHORT_ROWS : ROWS;
    }

    /** Every node is filled and then stalled, with its data and compiled code, before the next starts. */
    private static List<Filled> start(Bench bench, Metronome metronome, Form form, Figures figures)
            throws IOException, InterruptedException {
        Path jars = CassandraJars.folder(bench.root());
        Jdks jdks = Jdks.of(bench.root(), System.getenv());
        List<Filled> nodes = new ArrayList<>();
        for (JvmRow row : JvmRow.of(form)) {
            Path home;
            try {
                home = jdks.home(row.feature());
            } catch (IOException e) {
                figures.missing(row.key(), "no JDK " + row.feature() + ": " + lastLine(e));
                continue;
            }
            bench.say("starting and filling a node with " + row.text());
            Jvm jvm = new Jvm(home, row.feature(), row.collector(), List.of());
            RingSpec spec = RingSpec.of(1, 1).heap(HEAP_MIB).jvm(jvm);
            StockRing ring;
            try {
                ring = bench.closing(StockRing.start(bench.work().resolve(row.key()), jars, spec));
            } catch (IOException e) {
                figures.missing(row.key(), failed(bench, row, e));
                continue;
            }
            try {
                fill(metronome, form, row, ring);
                ring.stall();
                nodes.add(new Filled(row, ring, new CollectorRounds(RATE)));
            } catch (IOException e) {
                figures.missing(row.key(), giveUp(bench, row, ring, e));
            }
        }
        return nodes;
    }

    /** A generator that is late has filled the table all the same. */
    private static void fill(Metronome metronome, Form form, JvmRow row, StockRing ring)
            throws IOException, InterruptedException {
        Duration length = Duration.ofMillis((long) (rows(form) / FILL_RATE * 1000));
        Load fill = load(ring, rows(form)).read(0).set("order", "sequence");
        metronome
                .start("fill-" + row.key(), fill, Arrivals.rate(FILL_RATE, length))
                .end();
        Load both = load(ring, rows(form)).read(50);
        metronome
                .start("compile-" + row.key(), both, Arrivals.rate(RATE, COMPILED))
                .end();
    }

    /** What pip printed before it is for the screen, not for a cell. */
    private static String lastLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().reduce("", (before, line) -> line);
    }

    private static Load load(StockRing ring, int rows) {
        return Load.of(Hosts.of(ring.addresses()), "emp").rows(rows).set("row_bytes", "1000");
    }

    private static void search(Bench bench, Metronome metronome, Form form, Filled node, Figures figures)
            throws IOException, InterruptedException {
        if (form == Form.SHORT) {
            LEVELS.forEach(level -> figures.missing(node.row.key() + level.key, "only in the full form"));
            return;
        }
        try {
            searchAll(bench, metronome, load(node.ring, rows(form)).read(50), node, figures);
        } catch (IOException e) {
            String reason = giveUp(bench, node.row, node.ring, e);
            LEVELS.forEach(level -> figures.missing(node.row.key() + level.key, reason));
        }
    }

    private static void searchAll(Bench bench, Metronome metronome, Load load, Filled node, Figures figures)
            throws IOException, InterruptedException {
        node.ring.resume();
        metronome
                .start("resume-" + node.row.key(), load, Arrivals.rate(RATE, RESUMED))
                .end();
        double from = FIRST_RATE;
        for (Level level : LEVELS) {
            bench.say("highest rate of " + node.row.text() + " with " + level.slo);
            Search search = Search.of(level.slo)
                    .from(from)
                    .step(STEP, LONGEST_STEP)
                    .warmup(Duration.ofSeconds(1))
                    .precision(0.15)
                    .repeats(1);
            SustainResult found = metronome.sustain(node.row.key() + level.key, load, search);
            put(node.row.key() + level.key, found, figures);
            Double rate = found.sustainableRate();
            from = rate == null ? FIRST_RATE / 2 : Math.rint(rate * START_BELOW);
        }
        node.ring.stall();
    }

    private static void put(String key, SustainResult found, Figures figures) {
        Double rate = found.sustainableRate();
        if (rate == null) {
            // of the rates that missed, the last is the lowest; or the only one that was kept missed when repeated
            String reason = found.steps().stream()
                    .filter(step -> step.verdict() == SustainResult.Conclusion.MISSED)
                    .reduce((before, step) -> step)
                    .map(step -> ": " + step.reason())
                    .orElse("");
            figures.missing(key, "no rate kept it" + reason);
            return;
        }
        List<Double> spread = found.spread();
        figures.put(
                key,
                spread == null
                        ? Figure.of(rate, PER_SECOND)
                        : new Figure(rate, PER_SECOND, spread.get(0), spread.get(1), 2));
    }

    @Override
    public Report report(Measured measured) {
        return new CollectorsReport(this, measured).report();
    }
}
