package io.ringmaster.lab.experiment;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.experiment.MillionPlan.Grouping;
import io.ringmaster.lab.experiment.NodeWindow.OfRing;
import io.ringmaster.lab.experiment.SixNodes.Used;
import io.ringmaster.lab.load.Arrivals;
import io.ringmaster.lab.load.Hosts;
import io.ringmaster.lab.load.KeyspaceReplication;
import io.ringmaster.lab.load.Load;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.Metronome.Running;
import io.ringmaster.lab.load.Period;
import io.ringmaster.lab.load.RunOutcome;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import io.ringmaster.lab.load.RunResult;
import io.ringmaster.lab.machine.Idle;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Loads all rings at one rate a node, each by a generator of its own; all start together. */
final class NodeLoad {
    /** The first second of a load, in which connections are young, is left out. */
    private static final int SKIPPED_S = 1;

    private static final int REPEATS = 2;

    private final Bench bench;
    private final Metronome metronome;
    private final SixNodes nodes;
    private final Grouping grouping;
    private final int factor;
    private int runs;
    private List<RunOutcome> last = List.of();

    NodeLoad(Bench bench, Metronome metronome, SixNodes nodes, Grouping grouping, int factor) {
        this.bench = bench;
        this.metronome = metronome;
        this.nodes = nodes;
        this.grouping = grouping;
        this.factor = factor;
    }

    /** Each run writes rows of its own. */
    private Load load(int ring) {
        Load load = Load.of(hosts(ring), "writes")
                .keyspace("rf" + factor)
                .replication(KeyspaceReplication.of(factor))
                .seed(runs);
        return runs == 1 ? load : load.noSchema();
    }

    private Hosts hosts(int ring) {
        return Hosts.of(nodes.rings().get(ring).addresses());
    }

    private int size(int ring) {
        return nodes.rings().get(ring).nodes().size();
    }

    private List<Running> start(double rate, Duration length, Optional<Instant> at)
            throws IOException, InterruptedException {
        runs++;
        List<Running> running = new ArrayList<>();
        for (int ring = 0; ring < nodes.rings().size(); ring++) {
            // the command line has rates in whole thousandths
            Arrivals schedule = Arrivals.rate(Math.round(rate * size(ring) * 1000) / 1000.0, length);
            // at one moment, even spacing would give small rings bursts that a large ring does not have
            long between = Math.round(ring * 1e9 / (rate * MillionPlan.NODES));
            try {
                running.add(metronome.start(
                        grouping.key(factor) + "-" + runs + "-ring-" + (ring + 1),
                        load(ring),
                        at.map(moment -> schedule.startAt(moment.plusNanos(between)))
                                .orElse(schedule)));
            } catch (IOException e) {
                end(running); // or they would load their nodes beside what follows
                throw e;
            }
        }
        return running;
    }

    private void end(List<Running> running) throws IOException, InterruptedException {
        List<RunOutcome> outcomes = new ArrayList<>();
        IOException failure = null;
        for (Running one : running) {
            try {
                outcomes.add(one.end());
            } catch (IOException e) {
                failure = e; // the others load their nodes until they end
            }
        }
        if (failure != null) {
            throw failure;
        }
        last = outcomes;
    }

    /**
     * Load without limits.
     *
     * @param cpuS processor time of all nodes for a write, in seconds
     * @param compilers share of the nodes' processor time that their compilers took, 0 to 1
     */
    record Warmth(double cpuS, double compilers) {}

    /**
     * Load whose latencies nobody needs; the first makes the schema.
     *
     * @throws IOException a generator failed three times
     */
    Warmth warm(double rate, Duration length) throws IOException, InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try {
                return warmOnce(rate, length);
            } catch (IOException e) {
                repeatAfter(e, attempt);
                runs = runs == 1 ? 0 : runs; // the schema may be missing
            }
        }
    }

    /** Says that a load is repeated, or throws: twice at most, and not after the end of the run. */
    private void repeatAfter(IOException e, int attempt) throws IOException {
        if (attempt == REPEATS || Thread.currentThread().isInterrupted()) {
            throw e;
        }
        bench.say("a generator failed: " + e.getMessage() + "; repeating it");
    }

    private Warmth warmOnce(double rate, Duration length) throws IOException, InterruptedException {
        double before = cpuS(nodes.used());
        double compiled = nodes.compilerS();
        end(start(rate, length, Optional.empty()));
        long acknowledged = last.stream()
                .mapToLong(run -> run.result().requests().succeeded())
                .sum();
        double cpuS = cpuS(nodes.used()) - before;
        return new Warmth(cpuS / Math.max(1, acknowledged), (nodes.compilerS() - compiled) / cpuS);
    }

    private static double cpuS(List<Used> used) {
        return used.stream().mapToDouble(Used::cpuS).sum();
    }

    /**
     * The first window of three in which no generator fell behind, else the last.
     *
     * @throws IOException a generator failed three times: one whose node answers late misses the common start, which
     *     is therefore later at each repetition
     */
    NodeWindow offer(double rate, Duration length) throws IOException, InterruptedException {
        for (int attempt = 0; ; attempt++) {
            try {
                NodeWindow window = once(rate, length, MillionPlan.LEAD.multipliedBy(attempt + 1L));
                Optional<String> invalid = window.invalid();
                if (invalid.isEmpty() || attempt == REPEATS) {
                    return window;
                }
                bench.say("a generator is invalid: " + invalid.get() + "; repeating it");
            } catch (IOException e) {
                repeatAfter(e, attempt);
            }
        }
    }

    private NodeWindow once(double rate, Duration length, Duration lead) throws IOException, InterruptedException {
        Instant start = Instant.now().plus(lead);
        List<Running> running = start(rate, length, Optional.of(start));
        sleepUntil(start.plusSeconds(SKIPPED_S));
        List<Used> before = nodes.used();
        Idle idleBefore = Idle.read();
        sleepUntil(start.plus(length));
        List<Used> after = nodes.used();
        double idle = Idle.read().coresSince(idleBefore);
        end(running);
        List<OfRing> rings = new ArrayList<>();
        for (int ring = 0; ring < running.size(); ring++) {
            rings.add(ofRing(ring, after.get(ring).since(before.get(ring)), length));
        }
        return new NodeWindow(rate, seconds(length) - SKIPPED_S, rings, idle);
    }

    private OfRing ofRing(int ring, Used used, Duration length) {
        RunOutcome outcome = last.get(ring);
        RunResult run = outcome.result();
        Period period = Period.of(run, SKIPPED_S, seconds(length));
        return new OfRing(
                size(ring),
                size(ring) == grouping.measured(),
                outcome instanceof InvalidRun invalid ? Optional.of(invalid.reason()) : Optional.empty(),
                period.response(),
                period.intervals().stream()
                        .mapToLong(RunResult.Interval::succeeded)
                        .sum(),
                run.requests().failed(),
                used.cpuS(),
                used.throttledS(),
                WriteCost.perMillion(
                        run.generator().cpuS(), Math.max(1, run.requests().succeeded())));
    }

    /** What the last load showed of the rings that are measured. */
    List<LoadLog.Entry> entries() {
        List<LoadLog.Entry> entries = new ArrayList<>();
        for (int ring = 0; ring < last.size(); ring++) {
            if (size(ring) == grouping.measured()) {
                entries.addAll(last.get(ring).result().entries());
            }
        }
        return entries;
    }

    /** Files of the last load, one for each ring. */
    List<RunOutcome> last() {
        return last;
    }

    private static double seconds(Duration length) {
        return length.toMillis() / 1000.0;
    }

    private static void sleepUntil(Instant moment) throws InterruptedException {
        Thread.sleep(Math.max(0, Duration.between(Instant.now(), moment).toMillis()));
    }
}
