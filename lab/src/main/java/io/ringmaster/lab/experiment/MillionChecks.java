package io.ringmaster.lab.experiment;

import static io.ringmaster.lab.figure.Unit.CORES;
import static io.ringmaster.lab.figure.Unit.MS;
import static io.ringmaster.lab.figure.Unit.PERCENT;

import io.ringmaster.lab.bench.Bench;
import io.ringmaster.lab.experiment.MillionPlan.Grouping;
import io.ringmaster.lab.figure.Figures;
import io.ringmaster.lab.load.Consistency;
import io.ringmaster.lab.load.Hosts;
import io.ringmaster.lab.load.Metronome;
import io.ringmaster.lab.load.VerifyResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What {@link MillionRun} does once, at its first row: are the writes there, and what comes from the quota alone. */
record MillionChecks(Bench bench, SixNodes nodes, NodeLoad load, Figures figures) {
    /** Periods of the quota that are compared, in milliseconds. */
    static final List<Integer> PERIODS_MS = List.of(100, 20, 10);

    /** Reads the writes of the last load back, without limits. */
    void readBack(Metronome metronome, Grouping grouping) throws IOException, InterruptedException {
        nodes.lift();
        Hosts hosts = Hosts.of(nodes.rings().get(0).addresses());
        bench.say("reading the writes of a ring of " + grouping.measured() + " back");
        VerifyResult found = metronome.verify("verify", load.last().get(0).file(), hosts, Consistency.QUORUM);
        figures.count("verify.writes", found.writes());
        figures.count("verify.bad", ThirdLost.bad(found));
        nodes.cap(SixNodes.PERIOD);
    }

    /** The held rate at several periods of the same quota. */
    void periods(double rate, Duration length) throws IOException, InterruptedException {
        for (int ms : PERIODS_MS) {
            nodes.cap(Duration.ofMillis(ms));
            bench.say("the held rate with a period of " + ms + " ms");
            NodeWindow window = load.offer(rate, length);
            String key = "period." + ms;
            if (window.invalid().isPresent() || window.acknowledged() == 0) {
                figures.missing(key, "invalid: " + window.invalid().orElse("no write was acknowledged"));
            } else {
                figures.put(key + ".p50", window.response().p(50), MS)
                        .put(key + ".p95", window.p95(), MS)
                        .put(key + ".used", MillionRow.used(window) * 100, PERCENT)
                        .put(key + ".cores", window.cores(), CORES)
                        .put(key + ".throttled", window.throttled() * 100, PERCENT);
            }
        }
        nodes.cap(SixNodes.PERIOD);
    }
}
