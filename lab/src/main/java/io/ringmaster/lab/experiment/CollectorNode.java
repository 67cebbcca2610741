package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.Arrivals;
import io.ringmaster.lab.load.Hosts;
import io.ringmaster.lab.load.Load;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.ring.Node;
import io.ringmaster.lab.ring.StockRing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A node on one of the JVMs, and what it showed. It stands still while others are measured. */
final class CollectorNode {
    private static final double PERCENT_OF_ONE = 100;

    private final Bench bench;
    private final Metronome metronome;
    private final CollectorsPlan plan;
    private final JvmRow row;
    private final StockRing ring;
    private final List<Climb> climbs = new ArrayList<>();
    private String failure = "";

    CollectorNode(Bench bench, Metronome metronome, CollectorsPlan plan, JvmRow row, StockRing ring) {
        this.bench = bench;
        this.metronome = metronome;
        this.plan = plan;
        this.row = row;
        this.ring = ring;
    }

    boolean hasFailed() {
        return !failure.isEmpty();
    }

    private Load load() {
        return Load.of(Hosts.of(ring.addresses()), "emp").rows(plan.rows()).set("row_bytes", "1000");
    }

    /**
     * Fills the table, and lets the code of reads and writes compile. A generator that is late has filled it all the
     * same.
     */
    void fill(Figures figures) throws IOException, InterruptedException {
        try {
            Load fill = load().read(0).set("order", "sequence");
            metronome.start("fill-" + row.key(), fill, plan.fill()).end();
            warm(figures);
            ring.stall();
        } catch (IOException e) {
            giveUp(e);
        }
    }

    /** What is not compiled by the end of it would stand in the times of the first rungs. */
    private void warm(Figures figures) throws IOException, InterruptedException {
        Node node = ring.node(1);
        for (int number = 1; ; number++) {
            double cpu = node.cpuSeconds();
            double compiled = node.compilerSeconds();
            Arrivals schedule = Arrivals.rate(CollectorsPlan.FILL_RATE, CollectorsPlan.WARMING);
            metronome
                    .start("warm-" + row.key() + "-" + number, load().read(50), schedule)
                    .end();
            double share = (node.compilerSeconds() - compiled) / (node.cpuSeconds() - cpu);
            boolean compiles = number < CollectorsPlan.LEAST_WARMINGS || share >= CollectorsPlan.COMPILERS;
            if (!compiles || number >= plan.warmings()) {
                figures.count(row.key() + ".warm.loads", number)
                        .put(row.key() + ".warm.compilers", share * PERCENT_OF_ONE, Unit.PERCENT);
                return;
            }
        }
    }

    /** Climbs the ladder. A node that fails costs its own row, not those of the others. */
    void climb() throws IOException, InterruptedException {
        int pass = climbs.size() + 1;
        bench.say("pass " + pass + ": " + row.text());
        try {
            ring.resume();
            metronome
                    .start(
                            "resume-" + row.key() + "-" + pass,
                            load().read(50),
                            Arrivals.rate(plan.lowest(), plan.resumed()))
                    .end();
            Climb climb = new Climb(plan.rates());
            while (climb.goesOn()) {
                climb.take(window(pass, climb));
            }
            climbs.add(climb);
            ring.stall();
        } catch (IOException e) {
            giveUp(e);
        }
    }

    private CollectorWindow window(int pass, Climb climb) throws IOException, InterruptedException {
        int number = climb.windows().size() + 1;
        String name = row.key() + "-" + pass + "-" + number + "-" + climb.rate();
        CollectorWindow window =
                CollectorWindow.offer(metronome, name, ring.node(1), load().read(50), climb.rate(), plan);
        bench.say(row.text() + ", " + Cells.value(window.rate(), "/s") + ": p99 " + window.text(ServiceLevel.P99)
                + ", p99.9 " + window.text(ServiceLevel.P999) + ", " + Cells.number(window.idle()) + " cores idle");
        return window;
    }

    /** @throws IOException the run is over: nothing failed */
    private void giveUp(IOException e) throws IOException {
        failure = failed(bench, row, e);
        ring.close();
    }

    /** What a cell says of a node that failed; the same with its reason is for the user. */
    static String failed(Bench bench, JvmRow row, IOException e) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw e;
        }
        bench.say(row.text() + " failed: " + e.getMessage());
        return "failed: " + String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private List<CollectorWindow> windows(double rate) {
        return climbs.stream()
                .flatMap(climb -> climb.windows().stream())
                .filter(window -> window.rate() == rate)
                .toList();
    }

    /** Stores what it showed, and the log of all its windows. */
    void put(Figures figures) throws IOException {
        if (hasFailed()) {
            figures.missing(row.key(), failure);
            return;
        }
        for (int pass = climbs.size() + 1; pass <= CollectorsPlan.PASSES; pass++) {
            for (ServiceLevel level : ServiceLevel.values()) {
                figures.missing(level.key(row) + HeldRates.pass(pass), "left out, for lack of time");
            }
        }
        String log = row.key() + ".hlog.gz";
        List<LoadLog.Entry> entries = climbs.stream()
                .flatMap(climb -> climb.windows().stream())
                .flatMap(window -> window.entries().stream())
                .toList();
        LoadLog.write(bench.results().resolve(log), "collectors: " + row.text(), entries, LoadLog.OVERVIEW);
        figures.log(log);
        double held = climbs.stream()
                .mapToDouble(climb -> climb.held(ServiceLevel.P999).rate())
                .min()
                .orElseThrow();
        new CollectorRounds(windows(plan.lowest())).put(row, CollectorRounds.KEY, figures);
        new CollectorRounds(windows(held)).put(row, CollectorRounds.HELD, figures);
        for (ServiceLevel level : ServiceLevel.values()) {
            new HeldRates(level, climbs).put(level.key(row), figures);
        }
    }
}
