package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.SECONDS;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.bench.Experiment;
import io.ringmaster.lab.bench.Need;
import io.ringmaster.lab.experiment.StallPlan.Stalled;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.figure.Measured;
import io.ringmaster.lab.figure.Seed;
import io.ringmaster.lab.load.Arrivals;
import io.ringmaster.lab.load.CassandraStress;
import io.ringmaster.lab.load.Consistency;
import io.ringmaster.lab.load.Hosts;
import io.ringmaster.lab.load.KeyspaceReplication;
import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.load.Load;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.NdBench;
import io.ringmaster.lab.load.RunOutcome;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import io.ringmaster.lab.load.StressOptions;
import io.ringmaster.lab.load.StressResult;
import io.ringmaster.lab.page.Report;
import io.ringmaster.lab.ring.CassandraJars;
import io.ringmaster.lab.ring.RingSpec;
import io.ringmaster.lab.ring.StockRing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** One of three coordinators stands still again and again; each load generator says what it saw. */
final class Response implements Experiment {
    static final int RATE = 600;
    static final int COORDINATORS = 3;
    static final int THREADS = 24;
    static final int FEW_THREADS = 4;
    static final Percentiles PERCENTILES = new Percentiles(List.of(50.0, 99.0, 99.9));
    /** What no user would notice; whatever takes longer was stalled. */
    static final Duration NOTICED = Duration.ofMillis(100);
    /** A generator's own start is left out of what it reports. */
    static final int SKIPPED_S = 5;

    private static final String WARM = "warm-up";

    @Override
    public String name() {
        return "response";
    }

    @Override
    public String question() {
        return "What does each load generator report of a node that stands still?";
    }

    @Override
    public List<Seed> seeds() {
        String response = "004, OpenJDK at 40,001/s, response time";
        String service = "004, OpenJDK at 40,001/s, service time";
        return List.of(
                new Seed("source.response.p50", 0.5, MS, response),
                new Seed("source.response.p99", 537.4, MS, response),
                new Seed("source.response.p99.9", 1052.2, MS, response),
                new Seed("source.response.max", 1314.9, MS, response),
                new Seed("source.service.p50", 0.5, MS, service),
                new Seed("source.service.p99", 2.0, MS, service),
                new Seed("source.service.p99.9", 8.4, MS, service),
                new Seed("source.service.max", 1312.8, MS, service));
    }

    @Override
    public Set<Need> needs() {
        return Set.of(Need.METRONOME, Need.MAVEN);
    }

    @Override
    public Duration budget(Form form) {
        return form == Form.SHORT ? Duration.ofSeconds(170) : Duration.ofSeconds(425);
    }

    @Override
    public void run(Bench bench, Form form, Figures figures) throws IOException, InterruptedException {
        Metronome metronome = Metronome.of(bench);
        CassandraStress stress = CassandraStress.of(bench);
        bench.say("starting three nodes");
        StockRing ring = bench.closing(StockRing.start(
                bench.work().resolve("ring"),
                CassandraJars.folder(bench.root()),
                RingSpec.of(COORDINATORS, 1).heap(1024)));
        StallPlan plan = StallPlan.of(form);
        var clients = new Clients(bench, ring, metronome, stress, figures, plan);
        clients.warm(form == Form.SHORT ? 8 : 20);
        clients.openLoop();
        Latencies blocking = clients.stress("throttle", THREADS, false);
        ndBench(blocking, plan, figures);
        clients.stress("fixed", THREADS, true);
        if (form == Form.SHORT) {
            figures.missing("few", "only in the full form").missing("ends", "only in the full form");
            return;
        }
        clients.stress("few.throttle", FEW_THREADS, false);
        clients.stress("few.fixed", FEW_THREADS, true);
        clients.endsInStall();
    }

    private static void ndBench(Latencies blocking, StallPlan plan, Figures figures) {
        NdBench ndBench = new NdBench(plan.arithmetic(RATE, COORDINATORS), THREADS);
        figures.count("ndbench.lost", ndBench.lost());
        ClientTimes.put("ndbench", ndBench.reported(blocking, NOTICED), figures);
    }

    @Override
    public Report report(Measured measured) {
        return new ResponseReport(this, measured).report();
    }

    /** Runs the clients one after another, each with the same stalls. */
    private record Clients(
            Bench bench, StockRing ring, Metronome metronome, CassandraStress stress, Figures figures, StallPlan plan) {

        Hosts hosts() {
            return Hosts.of(ring.addresses());
        }

        Load load() {
            return Load.of(hosts(), "writes").replication(KeyspaceReplication.of(COORDINATORS));
        }

        void warm(int seconds) throws IOException, InterruptedException {
            bench.say("warming up");
            metronome.run(WARM, load().seed(9), Arrivals.rate(RATE, Duration.ofSeconds(seconds)));
            stress.run(WARM + "-stress", options(RATE * seconds, THREADS, true), hosts());
        }

        void openLoop() throws IOException, InterruptedException {
            bench.say("metronome: " + plan);
            List<Stalled> stalls = new ArrayList<>();
            Fullness fullness = Fullness.watch();
            RunOutcome outcome = metronome.run("metronome", load(), Arrivals.rate(RATE, plan.duration()), () -> {
                stalls.clear();
                plan.run(ring.node(2), stalls);
            });
            fullness.judge("metronome", figures);
            if (outcome instanceof InvalidRun invalid) {
                figures.missing("metronome", "invalid: " + invalid.reason());
            }
            var client = new ClientTimes(outcome.result().entries());
            client.store("metronome.response", LoadLog.RESPONSE, figures);
            client.store("metronome.service", LoadLog.SERVICE, figures);
            store("metronome", stalls, client);
        }

        /** @return its service times */
        Latencies stress(String key, int threads, boolean fixed) throws IOException, InterruptedException {
            bench.say("cassandra-stress, " + (fixed ? "fixed" : "throttle") + ", " + threads + " threads: " + plan);
            return stress(key, options((int) (RATE * plan.duration().toSeconds()), threads, fixed), fixed, plan);
        }

        /** A run that ends after a time, while a coordinator stands still. */
        void endsInStall() throws IOException, InterruptedException {
            bench.say("cassandra-stress, fixed, which ends within a stall");
            StallPlan last = StallPlan.atTheEnd(plan.duration());
            var options = new StressOptions(
                    StressOptions.Operation.WRITE,
                    new StressOptions.Amount.Time(last.duration()),
                    THREADS,
                    new StressOptions.Pace.Fixed(RATE),
                    Consistency.QUORUM,
                    KeyspaceReplication.of(COORDINATORS));
            stress("ends", options, true, last);
        }

        private Latencies stress(String key, StressOptions options, boolean fixed, StallPlan stallPlan)
                throws IOException, InterruptedException {
            List<Stalled> stalls = new ArrayList<>();
            Fullness fullness = Fullness.watch();
            StressResult result = stress.run(key, options, hosts(), () -> stallPlan.run(ring.node(2), stalls));
            fullness.judge(key, figures);
            var client = new ClientTimes(result.entries());
            client.store(key, fixed ? LoadLog.RESPONSE : LoadLog.SERVICE, figures);
            figures.count(key + ".made", result.summary().operations());
            figures.put(key + ".printed.p99", result.summary().p99(), MS);
            figures.put(key + ".printed.p99.9", result.summary().p999(), MS);
            figures.put(key + ".printed.max", result.summary().max(), MS);
            store(key, stalls, client);
            return client.times(LoadLog.SERVICE);
        }

        private static StressOptions options(int operations, int threads, boolean fixed) {
            return new StressOptions(
                    StressOptions.Operation.WRITE,
                    new StressOptions.Amount.Operations(operations),
                    threads,
                    fixed ? new StressOptions.Pace.Fixed(RATE) : new StressOptions.Pace.Throttle(RATE),
                    Consistency.QUORUM,
                    KeyspaceReplication.of(COORDINATORS));
        }

        private void store(String key, List<Stalled> stalls, ClientTimes client) throws IOException {
            for (int i = 0; i < stalls.size(); i++) {
                figures.put(
                        key + ".stall." + (i + 1) + ".at",
                        client.second(stalls.get(i).atMs()),
                        SECONDS);
                figures.put(key + ".stall." + (i + 1) + ".length", stalls.get(i).seconds(), SECONDS);
            }
            String file = key.replace('.', '-') + ".hlog.gz";
            LoadLog.write(bench.results().resolve(file), "response: " + key, client.entries(), LoadLog.DETAIL);
            figures.log(file);
        }
    }
}
