package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CORES;
import static io.ringmaster.lab.figure.Unit.CPU_S_PER_MILLION;
import static io.ringmaster.lab.figure.Unit.MIB;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PERCENT;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;

import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.Arrivals;
import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.load.Load;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.RunOutcome;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import io.ringmaster.lab.load.RunResult;
import io.ringmaster.lab.machine.Idle;
import io.ringmaster.lab.ring.GcLog;
import io.ringmaster.lab.ring.Node;
import io.ringmaster.lab.ring.StockRing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/** Rounds of one JVM at a fixed rate. Percentiles are those of all rounds together. */
final class CollectorRounds {
    private static final int ATTEMPTS = 3;
    private static final double MIB_BYTES = 1 << 20;
    private static final double MILLION = 1e6;
    private static final double MS_PER_SECOND = 1e3;

    private final double rate;
    private final List<Round> rounds = new ArrayList<>();
    private String invalid = "";
    private boolean failed;

    /** @param rate requests per second */
    CollectorRounds(double rate) {
        this.rate = rate;
    }

    /**
     * One round.
     *
     * @param requests of the whole load, its warm-up included
     * @param seconds of the whole load
     * @param cpu of the node, in seconds
     * @param idle processors
     */
    private record Round(
            RunOutcome run, double requests, double seconds, double cpu, double idle, long resident, GcLog log) {}

    /** Measures one round, three times at most until it is valid. */
    void measure(Metronome metronome, String name, StockRing ring, Load load, Arrivals schedule)
            throws IOException, InterruptedException {
        Round round = once(metronome, name, ring.node(1), load, schedule);
        for (int attempt = 2; attempt <= ATTEMPTS && !reason(round).isEmpty(); attempt++) {
            round = once(metronome, name + "-" + attempt, ring.node(1), load, schedule);
        }
        rounds.add(round);
        invalid = invalid.isEmpty() ? reason(round) : invalid;
    }

    /** Ends the rounds: the node or its load failed. */
    void fail(String reason) {
        failed = true;
        invalid = reason;
    }

    boolean hasFailed() {
        return failed;
    }

    /** Why a round does not count; empty for a valid one. */
    private static String reason(Round round) {
        if (round.run instanceof InvalidRun bad) {
            return "invalid: " + bad.reason();
        }
        return round.idle < Fullness.ROOM_CORES ? "invalid: the machine was full" : "";
    }

    private Round once(Metronome metronome, String name, Node node, Load load, Arrivals schedule)
            throws IOException, InterruptedException {
        Idle idleBefore = Idle.read();
        double cpuBefore = node.cpuSeconds();
        double from = node.uptimeSeconds();
        RunOutcome run = metronome.start(name, load, schedule).end();
        double to = node.uptimeSeconds();
        double requests = rate * schedule.length().toMillis() / MS_PER_SECOND;
        return new Round(
                run,
                requests,
                to - from,
                node.cpuSeconds() - cpuBefore,
                Idle.read().coresSince(idleBefore),
                node.residentBytes(),
                GcLog.read(node.gcLog()).between(from, to));
    }

    /** Stores what was measured, or why it is invalid. */
    void put(String key, Figures figures) {
        if (!rounds.isEmpty()) {
            figures.put(key + ".idle", spread(CORES, Round::idle));
        }
        if (!invalid.isEmpty()) {
            figures.missing(key, invalid);
            return;
        }
        Latencies all = Latencies.sum(
                rounds.stream().map(r -> r.run.result().response()).toList());
        for (double percentile : Percentiles.USUAL.of()) {
            String name = key + ".p" + Percentiles.text(percentile);
            figures.put(
                    name,
                    times(all.p(percentile), r -> r.run.result().response().p(percentile)));
        }
        figures.put(
                key + ".mean", times(all.mean(), r -> r.run.result().response().mean()));
        figures.put(
                key + ".max", times(all.max(), r -> r.run.result().response().max()));
        figures.put(key + ".op_rate", spread(PER_SECOND, CollectorRounds::answered));
        figures.put(key + ".cpu", spread(CPU_S_PER_MILLION, r -> r.cpu / r.requests * MILLION));
        figures.put(key + ".resident", spread(MIB, r -> r.resident / MIB_BYTES));
        figures.series(key + ".response", all.curve());
        stops(key, figures);
    }

    /** Answers a second, without the warm-up. */
    private static double answered(Round round) {
        List<RunResult.Interval> seconds = round.run.result().intervals().stream()
                .filter(second -> second.intended() > 0)
                .toList();
        double answers =
                seconds.stream().mapToLong(RunResult.Interval::succeeded).sum();
        return answers
                / seconds.stream().mapToLong(RunResult.Interval::durationMs).sum()
                * MS_PER_SECOND;
    }

    private void stops(String key, Figures figures) {
        figures.put(key + ".stopped", spread(PERCENT, r -> r.log.stoppedSeconds() / r.seconds * 100));
        figures.put(
                key + ".longest_stop",
                times(
                        rounds.stream()
                                        .mapToDouble(r -> r.log.longestStopSeconds())
                                        .max()
                                        .orElse(0)
                                * MS_PER_SECOND,
                        r -> r.log.longestStopSeconds() * MS_PER_SECOND));
        figures.count(key + ".young", sum(r -> r.log.youngPauses().size()));
        figures.count(key + ".full", sum(r -> r.log.fullPauses().size()));
        figures.count(key + ".cms_cycles", sum(r -> r.log.cmsCycles().size()));
        figures.count(key + ".stalls", sum(r -> r.log.stalls().size()));
        figures.count(key + ".degenerated", sum(r -> r.log.degenerated().size()));
        Histogram stops = new Histogram(3);
        for (Round round : rounds) {
            round.log.stops().forEach(stop -> stops.recordValue(Math.round(stop.seconds() * 1e9)));
        }
        figures.series(key + ".stops", new Latencies(stops).curve());
    }

    private long sum(ToDoubleFunction<Round> count) {
        return Math.round(rounds.stream().mapToDouble(count).sum());
    }

    /** The mean of the rounds, which all took the same time. */
    private Figure spread(Unit unit, ToDoubleFunction<Round> of) {
        return figure(rounds.stream().mapToDouble(of).average().orElse(0), unit, of);
    }

    private Figure times(double all, ToDoubleFunction<Round> of) {
        return figure(all, MS, of);
    }

    private Figure figure(double value, Unit unit, ToDoubleFunction<Round> of) {
        double low = rounds.stream().mapToDouble(of).min().orElse(value);
        double high = rounds.stream().mapToDouble(of).max().orElse(value);
        return rounds.size() == 1 ? Figure.of(value, unit) : new Figure(value, unit, low, high, rounds.size());
    }
}
