package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CPU_S;
import static io.ringmaster.lab.figure.Unit.MIB;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.ring.CassandraJars;
import io.ringmaster.lab.ring.DefaultsRing;
import io.ringmaster.lab.ring.ManagedRing;
import io.ringmaster.lab.ring.ManagedStart;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Two datacenters of three nodes from nothing, beside Cassandra's defaults; and one node more in a live ring. */
final class Startup implements Experiment {
    static final int NODES = 6;
    /** The stages of a start, as the product reports them, in order. */
    static final List<String> STAGES = List.of("OFFER", "LAUNCH", "BINARIES", "EXECUTOR", "DAEMON", "JOINED");

    private static final double MIB_BYTES = 1 << 20;
    private static final double MS_PER_SECOND = 1000;

    @Override
    public String name() {
        return "startup";
    }

    @Override
    public String question() {
        return "How long until a new cluster and a new node serve, and where does the time go?";
    }

    @Override
    public List<Seed> seeds() {
        return List.of(
                new Seed("node", 60, SECONDS, "001, slide 21: one new node a minute"),
                new Seed("node_wanted", 30, SECONDS, "001, slide 35: with dynamic reservations"));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.MAVEN);
    }

    @Override
    public Duration budget(Form form) {
        return form == Form.SHORT ? Duration.ofSeconds(140) : Duration.ofMinutes(22);
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        ours(bench, form == Form.SHORT ? 1 : 3, figures);
        if (form == Form.SHORT) {
            figures.missing("defaults", "only in the full form");
            figures.missing("add", "only in the full form");
            figures.missing("production", "only in the full form");
            return;
        }
        oneMore(bench, figures);
        production(bench, figures);
        defaults(bench, figures);
    }

    private static ManagedRing ring(Bench bench) {
        return ManagedRing.of(bench.root(), bench.work().resolve("ringmaster.log"));
    }

    private static void ours(Bench bench, int rounds, Figures figures) throws IOException, InterruptedException {
        List<ManagedStart> starts = new ArrayList<>();
        List<ManagedStart> encrypted = new ArrayList<>();
        ManagedRing ring = bench.closing(ring(bench));
        for (int i = 0; i < 2 * rounds; i++) {
            boolean tls = (i + 1) / 2 % 2 == 1; // without, with, with, without, ...: what drifts meets both
            (tls ? encrypted : starts).add(start(bench, ring, tls));
            if (!tls && starts.size() == rounds) {
                stages("stage", ring.status(), "", figures);
            }
            ring.close();
        }
        put("ours", starts, figures);
        put("tls", encrypted, figures);
        put("node", starts, s -> s.seconds() / NODES, SECONDS, figures);
    }

    private static ManagedStart start(Bench bench, ManagedRing ring, boolean tls)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(List.of("--heap", "512MiB"));
        if (tls) {
            options.add(ManagedRing.TLS);
        }
        ManagedStart start = ManagedStart.of(ring, options.toArray(String[]::new));
        bench.say(
                (tls ? "with TLS" : "in clear text") + ": up after " + Math.round(start.seconds() * 10) / 10.0 + " s");
        return start;
    }

    /** As a spec has it that says nothing: the production preset, which keeps the wait for gossip, TLS and logins. */
    private static void production(Bench bench, Figures figures) throws IOException, InterruptedException {
        bench.say("the production preset, with TLS and logins: about two minutes");
        try (ManagedRing ring = ring(bench)) {
            ManagedStart start = ManagedStart.of(ring, "--heap", "512MiB", "--preset", "production", ManagedRing.TLS);
            put("production", List.of(start), figures);
        }
    }

    private static void put(String way, List<ManagedStart> starts, Figures figures) {
        put(way + ".seconds", starts, ManagedStart::seconds, SECONDS, figures);
        put(way + ".command", starts, ManagedStart::command, SECONDS, figures);
        put(way + ".cpu", starts, ManagedStart::cpuSeconds, CPU_S, figures);
        put(way + ".cpu_daemons", starts, ManagedStart::daemonsCpu, CPU_S, figures);
        put(way + ".cpu_executors", starts, ManagedStart::executorsCpu, CPU_S, figures);
        put(way + ".cpu_servers", starts, ManagedStart::serversCpu, CPU_S, figures);
        put(way + ".resident", starts, s -> s.residentBytes() / MIB_BYTES, MIB, figures);
    }

    /** The median of the rounds, with the lowest and the highest. */
    private static void put(
            String key, List<ManagedStart> starts, ToDoubleFunction<ManagedStart> part, Unit unit, Figures figures) {
        figures.put(key, Figure.median(starts.stream().mapToDouble(part).boxed().toList(), unit));
    }

    /** The stages of each node, over all nodes whose name ends so. */
    private static void stages(String key, JsonNode status, String end, Figures figures) {
        for (String stage : STAGES) {
            List<Double> times = new ArrayList<>();
            for (JsonNode part : status.get("datacenters")) {
                for (JsonNode node : part.get("nodes")) {
                    JsonNode time = node.get("stagesMs").get(stage);
                    if (time != null && node.get("node").asText().endsWith(end)) {
                        times.add(time.asDouble());
                    }
                }
            }
            if (times.isEmpty()) {
                figures.missing(key + "." + stage, "nothing to do");
            } else {
                figures.put(key + "." + stage, Figure.median(times, MS));
            }
        }
    }

    /** A fourth node for a live ring of three. */
    private static void oneMore(Bench bench, Figures figures) throws IOException, InterruptedException {
        bench.say("one node more in a live ring");
        try (ManagedRing ring = ring(bench)) {
            ring.up("--datacenters", "1", "--spare-machines", "1");
            double before = bench.seconds();
            ring.run("cluster", "scale", ManagedRing.CLUSTER, "--dc", "dc1", "--nodes", "4", "--yes", "--wait");
            figures.put("add.command", bench.seconds() - before, SECONDS);
            stages("add", ring.status(), "node-3", figures);
            if (Double.isNaN(figures.value("add.JOINED"))) {
                figures.missing("add.node", "the node reported no stage");
                return;
            }
            double sum = STAGES.stream()
                    .mapToDouble(stage -> figures.value("add." + stage))
                    .filter(Double::isFinite)
                    .sum();
            figures.put("add.node", sum / MS_PER_SECOND, SECONDS);
        }
    }

    private static void defaults(Bench bench, Figures figures) throws IOException, InterruptedException {
        bench.say("Cassandra's defaults, one node after another: about seven minutes");
        DefaultsRing ring =
                bench.closing(new DefaultsRing(bench.folder("defaults"), CassandraJars.folder(bench.root())));
        figures.put("defaults.seconds", ring.start(bench::say), SECONDS);
        figures.put("defaults.cpu", ring.cpuSeconds(), CPU_S);
        figures.put("defaults.resident", ring.residentBytes() / MIB_BYTES, MIB);
        double seconds = figures.value("defaults.seconds");
        figures.put("times_faster", seconds / figures.value("ours.seconds"), Unit.TIMES);
        figures.put("tls.times_faster", seconds / figures.value("tls.seconds"), Unit.TIMES);
        figures.put("production.times_faster", seconds / figures.value("production.seconds"), Unit.TIMES);
    }

    @Override
    public Report report(Measured measured) {
        return new StartupReport(this, measured).report();
    }
}
