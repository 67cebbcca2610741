package io.ringmaster.lab.experiment;

import io.ringmaster.lab.load.Arrivals;
import io.ringmaster.lab.load.Latencies;
import io.ringmaster.lab.load.Load;
import io.ringmaster.lab.load.LoadLog;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.RunOutcome;
import io.ringmaster.lab.load.RunOutcome.InvalidRun;
import io.ringmaster.lab.load.RunResult;
import io.ringmaster.lab.machine.Idle;
import io.ringmaster.lab.page.Cells;
import io.ringmaster.lab.ring.GcLog;
import io.ringmaster.lab.ring.Node;
import java.io.IOException;
import java.util.List;

/**
 * Some seconds of one rate on one JVM. Response times, and what the JVM wrote, are those behind the warm-up; processor
 * time and idle cores are of the whole load.
 *
 * @param rate offered requests per second
 * @param seconds length of what the log has
 * @param cpuPerRequest processor time of the node, in seconds
 * @param idle processors of the machine without work
 * @param resident memory of the node, in bytes
 * @param log what the JVM wrote meanwhile
 */
record CollectorWindow(
        double rate, RunOutcome run, double seconds, double cpuPerRequest, double idle, long resident, GcLog log) {
    private static final double MS_PER_SECOND = 1e3;

    /** Offers it. */
    static CollectorWindow offer(
            Metronome metronome, String name, Node node, Load load, double rate, CollectorsPlan plan)
            throws IOException, InterruptedException {
        Arrivals schedule = plan.window(rate);
        Idle idleBefore = Idle.read();
        double cpuBefore = node.cpuSeconds();
        RunOutcome run = metronome.start(name, load, schedule).end();
        double to = node.uptimeSeconds();
        double measured = plan.measured().toMillis() / MS_PER_SECOND;
        double cpu = node.cpuSeconds() - cpuBefore;
        double idle = Idle.read().coresSince(idleBefore);
        return new CollectorWindow(
                rate,
                run,
                measured,
                cpu / (rate * schedule.length().toMillis() / MS_PER_SECOND),
                idle,
                node.residentBytes(),
                GcLog.read(node.gcLog()).between(to - measured, to));
    }

    /** What a log keeps of it: the tags end with the rate. */
    List<LoadLog.Entry> entries() {
        return run.result().entries("-" + Math.round(rate));
    }

    Latencies response() {
        return run.result().response();
    }

    /** Whether too little of the processors was left for node and generator to be two. */
    boolean isFull() {
        return idle < Fullness.ROOM_CORES;
    }

    /** Why its times are no figures; empty where they are. */
    String reason() {
        if (run instanceof InvalidRun bad) {
            return bad.reason();
        }
        return isFull() ? "the machine was full (" + Cells.number(idle) + " cores idle)" : "";
    }

    /** A generator that fell behind did so because the node or the machine was full: nothing was kept. */
    boolean keeps(ServiceLevel level) {
        return !(run instanceof InvalidRun) && run.result().requests().failed() == 0 && level.isKept(response());
    }

    /** {@code 11.5 ms}, with what else was wrong. */
    String text(ServiceLevel level) {
        long failed = run.result().requests().failed();
        return Cells.value(level.ms(response()), "ms")
                + (failed == 0 ? "" : ", " + failed + " failed")
                + (run instanceof InvalidRun ? ", generator behind" : "");
    }

    /** Answers a second. */
    double answered() {
        var seconds = run.result().intervals().stream()
                .filter(second -> second.intended() > 0)
                .toList();
        double answers =
                seconds.stream().mapToLong(RunResult.Interval::succeeded).sum();
        long ms = seconds.stream().mapToLong(RunResult.Interval::durationMs).sum();
        return answers / Math.max(1, ms) * MS_PER_SECOND;
    }

    /** The longest pause of the machine, in milliseconds. */
    double hiccupMs() {
        return run.result().intervals().stream()
                .mapToDouble(RunResult.Interval::hiccupMs)
                .max()
                .orElse(0);
    }
}
