package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CORES;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;
import static io.ringmaster.lab.figure.Unit.SECONDS;

import com.fasterxml.jackson.databind.JsonNode;
import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.load.Arrivals;
import io.ringmaster.lab.load.Consistency;
import io.ringmaster.lab.load.Hosts;
import io.ringmaster.lab.load.KeyspaceReplication;
import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.load.Load;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.Period;
import io.ringmaster.lab.load.RunOutcome;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import io.ringmaster.lab.load.RunResult;
import io.ringmaster.lab.load.VerifyResult;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.ring.ManagedRing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Two of six nodes, one whole rack, die under load; later they come back. */
final class ThirdLost implements Experiment {
    static final double RATE = 800;
    /** Cassandra's failure detector, and the end of requests that were under way. */
    static final int NOTICE_S = 20;

    private static final List<String> LOST = List.of("dc1/machine-1", "dc1/machine-4");
    /** What metronome calls rows that are not as acknowledged. */
    private static final List<String> BAD = List.of("LOST", "OLDER", "WRONG");

    private static final String DATACENTER = "dc1";
    private static final Duration WHOLE = Duration.ofMinutes(3);

    /** Lengths in seconds: the first load with the failure in it, and the second with the return. */
    private record Lengths(int load, int killAt, int second, int reviveAt) {
        static Lengths of(Form form) {
            return form == Form.SHORT ? new Lengths(45, 12, 25, 5) : new Lengths(120, 30, 60, 10);
        }
    }

    @Override
    public String name() {
        return "third-lost";
    }

    @Override
    public String question() {
        return "What do users see when a third of the nodes dies under load?";
    }

    @Override
    public List<Seed> seeds() {
        return List.of(
                new Seed("before.p50", 10.3, MS, "002, all nodes"),
                new Seed("before.p95", 23, MS, "002, all nodes"),
                new Seed("degraded.p50", 13.5, MS, "002, a third removed"),
                new Seed("degraded.p95", 61.8, MS, "002, a third removed"),
                new Seed("degraded.p99.9", 1333.5, MS, "002, a third removed, written as \"994.9th percentile\""));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.METRONOME, Need.MAVEN);
    }

    @Override
    public Duration budget(Form form) {
        return form == Form.SHORT ? Duration.ofSeconds(170) : Duration.ofSeconds(375);
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        Lengths lengths = Lengths.of(form);
        Metronome metronome = Metronome.of(bench);
        ManagedRing ring =
                bench.closing(ManagedRing.of(bench.root(), bench.work().resolve("ringmaster.log")));
        bench.say("starting six nodes in three racks");
        ring.up("--datacenters", "1", "--nodes", "6", "--heap", "512MiB");
        List<String> hosts = ring.hosts(DATACENTER);
        Load load = Load.of(Hosts.of(hosts), "writes")
                .replication(KeyspaceReplication.of(Map.of(DATACENTER, 3)))
                .sendAgain();
        bench.say("warming up");
        metronome.run("warm-up", load.seed(9), Arrivals.rate(RATE, Duration.ofSeconds(form == Form.SHORT ? 10 : 30)));
        RunOutcome first = loseThird(bench, metronome, ring, load, lengths, figures);
        verify(metronome, "quorum", first, Consistency.QUORUM, survivors(hosts), figures);
        RunOutcome second = comeBack(bench, metronome, ring, load, lengths, figures);
        bench.say("repairing, then reading every acknowledged write at ALL");
        double before = bench.seconds();
        ring.run("repair", "start", ManagedRing.CLUSTER, "--yes", "--wait");
        figures.put("repair", bench.seconds() - before, SECONDS);
        verify(metronome, "all", first, Consistency.ALL, hosts, figures);
        verify(metronome, "all-second", second, Consistency.ALL, hosts, figures);
        log(bench, "lost.hlog.gz", first, figures);
        log(bench, "back.hlog.gz", second, figures);
    }

    private static void log(Bench bench, String name, RunOutcome outcome, Figures figures) throws IOException {
        LoadLog.write(
                bench.results().resolve(name), "third-lost", outcome.result().entries(), LoadLog.DETAIL);
        figures.log(name);
    }

    /** The nodes that stay: machines 1 and 4 hold the first and the fourth. */
    private static List<String> survivors(List<String> hosts) {
        List<String> left = new ArrayList<>(hosts);
        left.remove(3);
        left.remove(0);
        return left;
    }

    private static RunOutcome loseThird(
            Bench bench, Metronome metronome, ManagedRing ring, Load load, Lengths lengths, Figures figures)
            throws IOException, InterruptedException {
        bench.say(Math.round(RATE) + " writes/s for " + lengths.load() + " s; one rack dies after " + lengths.killAt()
                + " s");
        Moments moments = new Moments();
        Fullness fullness = Fullness.watch();
        Metronome.Running running =
                metronome.start("lost", load.seed(1), Arrivals.rate(RATE, Duration.ofSeconds(lengths.load())));
        running.awaitFirstSecond();
        Thread.sleep(Duration.ofSeconds(lengths.killAt() - 1L).toMillis());
        moments.mark("killed");
        for (String machine : LOST) {
            ring.run("playground", "kill", machine);
        }
        moments.mark("dead");
        RunOutcome outcome = running.end();
        fullness.judge("lost", figures);
        RunResult run = outcome.result();
        double killed = moments.secondsOf("killed", run.startedUnixMs());
        double dead = moments.secondsOf("dead", run.startedUnixMs());
        figures.put("killed_at", killed, SECONDS);
        figures.put("dead_at", dead, SECONDS);
        period("before", Period.of(run, 2, Math.floor(killed)), outcome, figures);
        period("noticing", Period.of(run, Math.floor(killed), dead + NOTICE_S), outcome, figures);
        period("degraded", Period.of(run, dead + NOTICE_S, run.durationS()), outcome, figures);
        series("lost", run, figures);
        return outcome;
    }

    private static RunOutcome comeBack(
            Bench bench, Metronome metronome, ManagedRing ring, Load load, Lengths lengths, Figures figures)
            throws IOException, InterruptedException {
        bench.say("the rack comes back under load");
        Moments moments = new Moments();
        Fullness fullness = Fullness.watch();
        Metronome.Running running =
                metronome.start("back", load.seed(2), Arrivals.rate(RATE, Duration.ofSeconds(lengths.second())));
        running.awaitFirstSecond();
        Thread.sleep(Duration.ofSeconds(lengths.reviveAt() - 1L).toMillis());
        moments.mark("revived");
        double before = bench.seconds();
        for (String machine : LOST) {
            ring.run("playground", "revive", machine);
        }
        awaitWhole(ring);
        figures.put("whole", bench.seconds() - before, SECONDS);
        RunOutcome outcome = running.end();
        figures.put("returning.idle", fullness.idleCores(), CORES);
        RunResult run = outcome.result();
        double revived = moments.secondsOf("revived", run.startedUnixMs());
        figures.put("revived_at", revived, SECONDS);
        period("returning", Period.of(run, revived, run.durationS()), outcome, figures);
        series("back", run, figures);
        return outcome;
    }

    /** Until all nodes are NORMAL, each sees all others, and no hints wait for any. */
    private static void awaitWhole(ManagedRing ring) throws IOException, InterruptedException {
        long end = System.nanoTime() + WHOLE.toNanos();
        while (!isWhole(ring.status())) {
            if (System.nanoTime() > end) {
                throw new IOException("the ring is not whole after " + WHOLE.toSeconds() + " s");
            }
            Thread.sleep(500);
        }
    }

    private static boolean isWhole(JsonNode status) {
        for (JsonNode part : status.get("datacenters")) {
            for (JsonNode node : part.get("nodes")) {
                if (!node.path("mode").asText().equals("NORMAL")
                        || node.path("seesNormal").asInt() != 6
                        || node.path("pendingHintsBytes").asLong() > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static void period(String key, Period period, RunOutcome outcome, Figures figures) {
        if (outcome instanceof InvalidRun invalid) {
            figures.missing(key, "invalid: " + invalid.reason());
        }
        Latencies response = period.response();
        if (response.count() == 0) {
            figures.missing(key, "no second of the load lies in it");
            return;
        }
        Percentiles.USUAL.put(figures, key, response);
        figures.put(key + ".rate", period.rate(), PER_SECOND);
        figures.count(key + ".failed", period.failed());
        figures.put(key + ".seconds", period.intervals().size(), SECONDS);
    }

    private static void series(String key, RunResult run, Figures figures) {
        Period all = Period.of(run, 0, run.durationS());
        figures.series(key + ".max", all.maxima());
        figures.series(key + ".p95", all.percentiles(95));
        figures.series(key + ".rate", all.rates());
    }

    private static void verify(
            Metronome metronome, String key, RunOutcome run, Consistency level, List<String> hosts, Figures figures)
            throws IOException, InterruptedException {
        VerifyResult found = metronome.verify("verify-" + key, run.file(), Hosts.of(hosts), level);
        figures.count("verify." + key + ".writes", found.writes());
        figures.count("verify." + key + ".bad", bad(found));
    }

    static long bad(VerifyResult found) {
        long bad = found.findings().entrySet().stream()
                .filter(e -> BAD.stream().anyMatch(e.getKey()::startsWith))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return found.whole() ? 0 : Math.max(1, bad);
    }

    @Override
    public Report report(Measured measured) {
        return new ThirdLostReport(this, measured).report();
    }
}
