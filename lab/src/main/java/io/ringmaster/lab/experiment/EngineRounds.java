package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CORES;
import static io.ringmaster.lab.figure.Unit.CPU_S_PER_MILLION;
import static io.ringmaster.lab.figure.Unit.MIB;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PERCENT;
import static io.ringmaster.lab.figure.Unit.PER_SECOND;
import static io.ringmaster.lab.figure.Unit.TIMES;

import io.ringmaster.lab.figure.Figure;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.figure.Unit;
import io.ringmaster.lab.load.EngineLoad;
import io.ringmaster.lab.load.EnginePlan;
import io.ringmaster.lab.load.EngineResults;
import io.ringmaster.lab.load.EngineRound;
import io.ringmaster.lab.load.EngineStorage;
import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import io.ringmaster.lab.load.RunResult.Statement;
import io.ringmaster.lab.load.SustainResult;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.ring.GcLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The figures of a storage's rounds. Percentiles are those of all valid rounds together. */
record EngineRounds(EngineResults results, Figures figures) {
    static final String READ = ".read";
    static final String WRITE = ".write";
    /** Reads as a blocking client times them: from the send. */
    static final String SERVICE = ".service";

    static final String YOUNG = ".young";
    static final String STOPPED = ".stopped";
    static final String CPU = ".cpu";
    static final String SUSTAINED = ".sustained";

    private static final String OPEN_END = ".open";
    /** 1 where the machine or the generator ended the search, so that the node may keep a higher rate. */
    static final String OPEN = SUSTAINED + OPEN_END;

    private static final double MIB_BYTES = 1 << 20;

    /** A round with what the node's JVM wrote about it. */
    private record Judged(EngineRound round, GcLog log) {
        double share(double seconds) {
            return seconds / round.use().seconds() * 100;
        }

        double young() {
            return share(
                    log.youngPauses().stream().mapToDouble(GcLog.Event::seconds).sum());
        }
    }

    /** Stores what was measured of a storage, and its interval logs in this folder. */
    void put(EngineStorage storage, Path logs) throws IOException {
        double written = 0;
        List<Double> space = new ArrayList<>();
        for (EngineLoad load : results.plan().loads()) {
            List<EngineRound> rounds = results.rounds(storage, load);
            for (EngineRound round : rounds) {
                written = Math.max(written, round.use().writtenSinceStart());
                space.add(round.use().spaceBytes() / (results.plan().rows() * (double) EnginePlan.ROW_BYTES));
            }
            put(StorageEngines.key(storage, load), load, rounds, logs);
        }
        if (space.isEmpty()) {
            return;
        }
        double rows = results.plan().rowsWritten() * EnginePlan.ROW_BYTES;
        figures.put(storage.key() + ".amplification", written / rows, TIMES);
        figures.put(storage.key() + ".space", Figure.median(space, TIMES));
        sustained(storage.key() + SUSTAINED, results.sustained(storage).orElse(null));
    }

    /** Why a round does not count; empty for a valid one. */
    static String reason(EngineRound round) {
        if (round.run() instanceof InvalidRun bad) {
            return bad.reason();
        }
        return round.use().idleCores() < Fullness.ROOM_CORES ? "the machine was full" : "";
    }

    private void put(String key, EngineLoad load, List<EngineRound> all, Path logs) throws IOException {
        List<Judged> valid = new ArrayList<>();
        for (EngineRound round : all) {
            if (reason(round).isEmpty()) {
                valid.add(new Judged(round, GcLog.read(round.gcLog())));
            }
        }
        figures.count(key + ".rounds", valid.size());
        String first = all.stream()
                .map(EngineRounds::reason)
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElse("the others have no result");
        String counts = valid.size() + " of " + results.plan().counted() + " rounds are valid: " + first;
        if (valid.size() <= results.plan().counted() / 2) {
            figures.missing(key, "invalid: " + counts);
            return;
        }
        if (valid.size() < results.plan().counted()) {
            figures.missing(key + ".left_out", counts);
        }
        times(key + READ, valid, judged -> reads(judged.round, Statement::response));
        times(key + SERVICE, valid, judged -> reads(judged.round, Statement::service));
        times(key + WRITE, valid, judged -> statements(judged.round, true, Statement::response));
        figures.series(
                key + READ,
                sum(valid, judged -> reads(judged.round, Statement::response)).curve());
        double requests = (double) load.rate() * results.plan().seconds();
        mean(key + CPU, CPU_S_PER_MILLION, valid, j -> j.round.use().cpuUs() / requests);
        mean(key + YOUNG, PERCENT, valid, Judged::young);
        mean(key + STOPPED, PERCENT, valid, j -> j.share(j.log.stoppedSeconds()));
        mean(key + ".read_mib", MIB, valid, j -> j.round.use().readBytes() / MIB_BYTES);
        mean(key + ".written_mib", MIB, valid, j -> j.round.use().writtenBytes() / MIB_BYTES);
        mean(key + ".idle", CORES, valid, j -> j.round.use().idleCores());
        String file = key.replace('.', '-') + ".hlog.gz";
        List<LoadLog.Entry> entries = valid.stream()
                .flatMap(j -> j.round.run().result().entries().stream())
                .toList();
        LoadLog.write(logs.resolve(file), "ndbench: " + key, entries, LoadLog.OVERVIEW);
        figures.log(file);
    }

    private static Latencies reads(EngineRound round, Function<Statement, Latencies> time) {
        return statements(round, false, time);
    }

    private static Latencies statements(EngineRound round, boolean writes, Function<Statement, Latencies> time) {
        return Latencies.sum(round.run().result().statements().stream()
                .filter(statement -> statement.isWrite() == writes)
                .map(time)
                .toList());
    }

    private static Latencies sum(List<Judged> rounds, Function<Judged, Latencies> of) {
        return Latencies.sum(rounds.stream().map(of).toList());
    }

    private void times(String key, List<Judged> rounds, Function<Judged, Latencies> of) {
        Latencies all = sum(rounds, of);
        if (all.count() == 0) {
            figures.missing(key, "no request was measured");
            return;
        }
        for (double percentile : Percentiles.USUAL.of()) {
            String name = key + ".p" + Percentiles.text(percentile);
            if (all.supports(percentile)) {
                put(name, MS, all.p(percentile), rounds, j -> of.apply(j).p(percentile));
            } else {
                figures.missing(name, "too few requests");
            }
        }
        put(key + ".mean", MS, all.mean(), rounds, j -> of.apply(j).mean());
        put(key + ".max", MS, all.max(), rounds, j -> of.apply(j).max());
    }

    /** The mean of the rounds, which all took the same time. */
    private void mean(String key, Unit unit, List<Judged> rounds, ToDoubleFunction<Judged> of) {
        put(key, unit, rounds.stream().mapToDouble(of).average().orElse(0), rounds, of);
    }

    private void put(String key, Unit unit, double value, List<Judged> rounds, ToDoubleFunction<Judged> of) {
        double low = rounds.stream().mapToDouble(of).min().orElse(value);
        double high = rounds.stream().mapToDouble(of).max().orElse(value);
        figures.put(
                key, rounds.size() == 1 ? Figure.of(value, unit) : new Figure(value, unit, low, high, rounds.size()));
    }

    /** The lowest rate of a search that missed: {@code ; 125/s: p99 2.849 ms of 2 ms}. */
    private static String lowest(SustainResult found) {
        return found.steps().stream()
                .filter(step -> step.verdict() == SustainResult.Conclusion.MISSED)
                .min(Comparator.comparingDouble(SustainResult.Step::rate))
                .map(step -> "; " + Cells.value(step.rate(), "/s") + ": " + step.reason())
                .orElse("");
    }

    private void sustained(String key, @Nullable SustainResult found) {
        if (found == null) {
            figures.missing(key, "the search failed");
            return;
        }
        Double rate = found.sustainableRate();
        if (rate == null) {
            figures.missing(key, "no rate kept it" + lowest(found));
            return;
        }
        figures.put(key, rate, PER_SECOND);
        double highest = rate;
        boolean open = found.steps().stream()
                .filter(step -> step.rate() > highest)
                .noneMatch(step -> step.verdict() == SustainResult.Conclusion.MISSED);
        figures.count(key + OPEN_END, open ? 1 : 0);
    }
}
