package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.DOLLARS;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.ring.CassandraJars;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Six nodes with a quota each, grouped into rings of different sizes: the machine is equally full at every size, so
 * that a small ring gets no idle processor, cache or clock. A ladder finds the rate that each size holds.
 */
final class Million implements Experiment {
    static final double SOURCE_NODES = 300;

    @Override
    public String name() {
        return "million";
    }

    @Override
    public String question() {
        return "What does a million writes cost, and does it scale with the nodes?";
    }

    @Override
    public List<Seed> seeds() {
        String quorum = "002, RF 3, QUORUM, 170 bytes, 300 data nodes, 15,000 clients";
        String one = "002, the same at ONE";
        return List.of(
                new Seed("quorum.writes", 1_000_000, PER_SECOND, quorum),
                new Seed("quorum.p50", 10.3, MS, quorum),
                new Seed("quorum.p95", 23, MS, quorum),
                new Seed("quorum.cost", 0.079, DOLLARS, "002, computed: $330 for 70 minutes"),
                new Seed("quorum.text_cost", 0.07, DOLLARS, "002, for a million writes, in its text"),
                new Seed("one.writes", 1_400_000, PER_SECOND, one),
                new Seed("one.p50", 7.6, MS, one),
                new Seed("one.p95", 21, MS, one));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.ROOT, Need.METRONOME, Need.MAVEN);
    }

    @Override
    public Duration budget(Form form) {
        return MillionPlan.of(form).limit();
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        Metronome metronome = Metronome.of(bench);
        new MillionRun(bench, metronome, CassandraJars.folder(bench.root()), MillionPlan.of(form), figures).run();
    }

    @Override
    public Report report(Measured measured) {
        return new MillionReport(this, new MillionRows(measured)).report();
    }
}
