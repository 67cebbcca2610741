package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CORES;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PERCENT;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.experiment.MillionPlan.Grouping;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.load.Consistency;
import io.ringmaster.lab.load.Hosts;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.VerifyResult;
import io.ringmaster.lab.page.Cells;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures {@link Million}, one grouping of the six nodes after another. */
final class MillionRun {
    /** Of the held rate. */
    static final double PART = 0.7;
    /** Periods of the quota that are compared, in milliseconds. */
    static final List<Integer> PERIODS_MS = List.of(100, 20, 10);

    /** Of the rate that the processor time of the warm-up allows: a ladder that does not know starts below. */
    private static final double CAUTION = 0.55;
    /** Writes/s a node, all replicas together, while code compiles. */
    private static final double WARM_RATE = 300;

    private static final double WARM_CHANGE = 0.03;
    private static final int REPEATS = 2;

    private final Bench bench;
    private final Metronome metronome;
    private final Path jars;
    private final MillionPlan plan;
    private final Figures figures;
    /** Replication factor to the rate a node that was held last. */
    private final Map<Integer, Double> held = new HashMap<>();

    private boolean first = true;

    MillionRun(Bench bench, Metronome metronome, Path jars, MillionPlan plan, Figures figures) {
        this.bench = bench;
        this.metronome = metronome;
        this.jars = jars;
        this.plan = plan;
        this.figures = figures;
    }

    void run() throws IOException, InterruptedException {
        for (Grouping grouping : plan.groupings()) {
            if (plan.fits(grouping, bench.seconds())) {
                measure(grouping);
                continue;
            }
            for (int factor : grouping.factors()) {
                figures.missing(grouping.key(factor), "left out, for lack of time");
            }
        }
    }

    private void measure(Grouping grouping) throws IOException, InterruptedException {
        bench.say("starting six nodes: " + grouping);
        double begin = bench.seconds();
        try (SixNodes nodes = SixNodes.start(bench, jars, grouping)) {
            bench.say("started in " + Cells.value(bench.seconds() - begin, "s"));
            double idle = Double.NaN;
            for (int factor : grouping.factors()) {
                NodeLoad load = new NodeLoad(metronome, nodes, grouping, factor);
                nodes.lift();
                double cpuS = warm(load, grouping.key(factor), factor);
                nodes.cap(SixNodes.PERIOD);
                if (Double.isNaN(idle)) {
                    idle = idle(nodes, grouping);
                }
                double from = held.getOrDefault(factor, CAUTION * SixNodes.CORES / cpuS);
                row(nodes, load, grouping, factor, from, idle);
            }
        }
    }

    /**
     * Without a limit, until the processor time of a write changes by less than 3 %.
     *
     * @return processor time of a write, in seconds
     */
    private double warm(NodeLoad load, String key, int factor) throws IOException, InterruptedException {
        bench.say(key + ": warming up without limits");
        double before = Double.NaN;
        for (int window = 1; ; window++) {
            double cpuS = load.warm(WARM_RATE / factor, MillionPlan.WINDOW);
            double change = Math.abs(cpuS / before - 1);
            if (change < WARM_CHANGE || window == plan.windows()) {
                figures.count(key + ".warm.windows", window).put(key + ".warm.change", change * 100, PERCENT);
                return cpuS;
            }
            before = cpuS;
        }
    }

    /** @return processors that a node of the measured size uses without load */
    private double idle(SixNodes nodes, Grouping grouping) throws IOException, InterruptedException {
        bench.say("idle for " + plan.idle().toSeconds() + " s");
        List<SixNodes.Used> before = nodes.used();
        long begin = System.nanoTime();
        Thread.sleep(plan.idle().toMillis());
        List<SixNodes.Used> after = nodes.used();
        double seconds = (System.nanoTime() - begin) / 1e9;
        double cpuS = 0;
        int count = 0;
        for (int i = 0; i < before.size(); i++) {
            int size = grouping.rings().get(i);
            if (size == grouping.measured()) {
                cpuS += after.get(i).since(before.get(i)).cpuS();
                count += size;
            }
        }
        return cpuS / seconds / count;
    }

    private void row(SixNodes nodes, NodeLoad load, Grouping grouping, int factor, double from, double idle)
            throws IOException, InterruptedException {
        String key = grouping.key(factor);
        Ladder ladder = new Ladder(from, plan.steps());
        NodeWindow kept = null;
        NodeWindow missed = null;
        String noMiss = "no step missed";
        while (ladder.goesOn()) {
            NodeWindow window = valid(load, key, ladder.rate(), plan.step());
            Ladder.Step step = window.step();
            bench.say(key + ": " + Cells.value(window.rate(), "writes/s a node") + ", p95 "
                    + Cells.value(window.p95(), "ms") + ", failed " + window.failed() + ": " + step);
            switch (step) {
                case KEPT -> kept = window;
                case MISSED -> missed = window;
                case UNKNOWN -> noMiss = "its generator fell behind";
            }
            ladder.take(step);
        }
        if (missed == null) {
            figures.missing(key + ".missed", noMiss);
        } else {
            MillionRow.missed(key, missed, figures);
        }
        if (kept == null) {
            figures.missing(key, "invalid: no step of the ladder was kept");
            return;
        }
        if (!ladder.isClosed()) {
            figures.count(key + ".open", 1);
        }
        held.put(factor, ladder.held());
        NodeWindow hold = valid(load, key, ladder.held() * PART, plan.hold());
        new MillionRow(key, grouping.measured(), kept, hold, idle).put(figures);
        if (first) {
            first = false;
            verify(nodes, load, grouping);
            periods(nodes, load, ladder.held());
        }
    }

    /** The first valid window of three, else the last. */
    private NodeWindow valid(NodeLoad load, String key, double rate, Duration length)
            throws IOException, InterruptedException {
        for (int attempt = 0; ; attempt++) {
            NodeWindow window = load.offer(rate, length);
            if (window.invalid().isEmpty() || attempt == REPEATS) {
                return window;
            }
            bench.say(key + ": a generator is invalid: " + window.invalid().get() + "; repeating it");
        }
    }

    /** Reads the writes of the last load back, without limits. */
    private void verify(SixNodes nodes, NodeLoad load, Grouping grouping) throws IOException, InterruptedException {
        nodes.lift();
        Hosts hosts = Hosts.of(nodes.rings().get(0).addresses());
        bench.say("reading the writes of a ring of " + grouping.measured() + " back");
        VerifyResult found =
                metronome.verify("verify", load.last().get(0).file(), hosts, Consistency.QUORUM);
        figures.count("verify.writes", found.writes());
        figures.count("verify.bad", ThirdLost.bad(found));
        nodes.cap(SixNodes.PERIOD);
    }

    /** The held rate at several periods of the same quota. */
    private void periods(SixNodes nodes, NodeLoad load, double rate) throws IOException, InterruptedException {
        for (int ms : PERIODS_MS) {
            nodes.cap(Duration.ofMillis(ms));
            NodeWindow window = valid(load, "period", rate, plan.period());
            String key = "period." + ms;
            window.invalid().ifPresent(reason -> figures.missing(key, "invalid: " + reason));
            if (window.acknowledged() > 0) {
                figures.put(key + ".p50", window.response().p(50), MS)
                        .put(key + ".p95", window.p95(), MS)
                        .put(key + ".used", MillionRow.used(window) * 100, PERCENT)
                        .put(key + ".cores", window.cores(), CORES)
                        .put(key + ".throttled", window.throttled() * 100, PERCENT);
            }
        }
        nodes.cap(SixNodes.PERIOD);
    }
}
