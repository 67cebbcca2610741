package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.MS;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.experiment.MillionPlan.Grouping;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.machine.BandwidthSlice;
import io.ringmaster.lab.page.Cells;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures {@link Million}, one grouping of the six nodes after another. */
final class MillionRun {
    /** Of the held rate. */
    static final double PART = 0.7;

    private static final String LEFT_OUT = "left out, for lack of time";

    /** Of the rate that the processor time of the warm-up allows: a ladder that does not know starts below. */
    private static final double CAUTION = 0.55;

    private final Bench bench;
    private final Metronome metronome;
    private final Path jars;
    private final MillionPlan plan;
    private final Figures figures;
    /** Replication factor to the rate a node that was held last. */
    private final Map<Integer, Double> held = new HashMap<>();
    /** Processors that a node of the grouping uses without load; NaN: not measured yet. */
    private double idle = Double.NaN;

    private boolean first = true;

    MillionRun(Bench bench, Metronome metronome, Path jars, MillionPlan plan, Figures figures) {
        this.bench = bench;
        this.metronome = metronome;
        this.jars = jars;
        this.plan = plan;
        this.figures = figures;
    }

    void run() throws IOException, InterruptedException {
        bench.closing(BandwidthSlice.shortened(bench.work()))
                .microseconds()
                .ifPresent(slice -> figures.put("quota.slice", slice / 1e3, MS));
        List<String> keys = plan.groupings().stream()
                .flatMap(grouping -> grouping.factors().stream().map(grouping::key))
                .toList();
        MillionRows.ALL.stream()
                .map(MillionRows.MillionSize::key)
                .filter(key -> !keys.contains(key))
                .forEach(key -> figures.missing(key, "only in the full form"));
        for (Grouping grouping : plan.groupings()) {
            if (!plan.fits(grouping, bench.seconds())) {
                missing(grouping, LEFT_OUT);
                continue;
            }
            try {
                measure(grouping);
            } catch (IOException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                bench.say(grouping + " failed: " + e.getMessage());
                missing(
                        grouping,
                        "failed: "
                                + String.valueOf(e.getMessage())
                                        .lines()
                                        .findFirst()
                                        .orElse(""));
            }
        }
    }

    /** Why a grouping has no figures, for each replication factor that has none. */
    private void missing(Grouping grouping, String reason) {
        for (int factor : grouping.factors()) {
            String key = grouping.key(factor);
            if (Double.isNaN(figures.value(key + ".cpu_s_per_million"))) {
                figures.missing(key, reason);
            }
        }
    }

    private void measure(Grouping grouping) throws IOException, InterruptedException {
        bench.say("starting six nodes: " + grouping);
        double begin = bench.seconds();
        try (SixNodes nodes = SixNodes.start(bench, jars, grouping)) {
            bench.say("started in " + Cells.value(bench.seconds() - begin, "s"));
            idle = Double.NaN;
            for (int factor : grouping.factors()) {
                if (factor != grouping.factors().get(0) && !plan.fitsPair(bench.seconds())) {
                    figures.missing(grouping.key(factor), LEFT_OUT);
                    continue;
                }
                NodeLoad load = new NodeLoad(bench, metronome, nodes, grouping, factor);
                nodes.lift();
                double cpuS = new MillionWarmUp(bench, nodes, plan, figures).run(load, grouping.key(factor), factor);
                nodes.cap(SixNodes.PERIOD);
                double from = held.getOrDefault(factor, CAUTION * SixNodes.CORES / cpuS);
                row(nodes, load, grouping, factor, from);
            }
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

    private void row(SixNodes nodes, NodeLoad load, Grouping grouping, int factor, double from)
            throws IOException, InterruptedException {
        String key = grouping.key(factor);
        Ladder ladder = new Ladder(from, plan.steps());
        NodeWindow kept = null;
        NodeWindow missed = null;
        String noMiss = "no step missed";
        while (ladder.goesOn()) {
            NodeWindow window = load.offer(ladder.rate(), plan.step());
            if (window.step() == Ladder.Step.MISSED) { // what still compiled is compiled at the second time
                window = load.offer(ladder.rate(), plan.step());
            }
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
        if (Double.isNaN(idle)) { // not before the ladder: what the warm-up asked for still compiles then
            idle = idle(nodes, grouping);
        }
        NodeWindow hold = load.offer(ladder.held() * PART, plan.hold());
        log(key, load.entries());
        new MillionRow(key, grouping.measured(), kept, hold, idle).put(figures);
        if (first) {
            first = false;
            var checks = new MillionChecks(bench, nodes, load, figures);
            checks.readBack(metronome, grouping);
            checks.periods(ladder.held(), plan.period());
        }
    }

    /** The log of the load that the columns of a row are from. */
    private void log(String key, List<LoadLog.Entry> entries) throws IOException {
        String file = key.replace('.', '-') + ".hlog.gz";
        LoadLog.write(bench.results().resolve(file), "million: " + key, entries, LoadLog.OVERVIEW);
        figures.log(file);
    }
}
