package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.load.Stalls;
import io.ringmaster.lab.ring.Node;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * When a node stands still during a load. No stall is longer than a client waits for an answer: that would be another
 * experiment, with time limits and hints.
 *
 * @param atS seconds from the start of the load
 * @param lengths of the stalls, one for each start
 * @param duration of the load
 */
record StallPlan(List<Integer> atS, List<Duration> lengths, Duration duration) {
    private static final long FIRST_REPORT_MS = 1000;

    /** A stall as it was: its start by the wall clock, and its true length. */
    record Stalled(long atMs, double seconds) {}

    static StallPlan of(Form form) {
        return form == Form.SHORT
                ? new StallPlan(List.of(10), List.of(Duration.ofMillis(1000)), Duration.ofSeconds(18))
                : new StallPlan(
                        List.of(10, 20, 30, 40),
                        List.of(
                                Duration.ofMillis(200),
                                Duration.ofMillis(500),
                                Duration.ofMillis(1000),
                                Duration.ofMillis(1400)),
                        Duration.ofSeconds(50));
    }

    /** One stall of 1.4 s that starts in the last second of the load. */
    static StallPlan atTheEnd(Duration duration) {
        return new StallPlan(List.of((int) duration.toSeconds() - 1), List.of(Duration.ofMillis(1400)), duration);
    }

    Stalls arithmetic(int rate, int coordinators) {
        return new Stalls(rate, coordinators, lengths);
    }

    /**
     * Stalls the node as planned. Called when a generator reports its first second.
     *
     * @param stalled gets what really happened
     */
    void run(Node node, List<Stalled> stalled) throws IOException, InterruptedException {
        long begin = System.nanoTime() - FIRST_REPORT_MS * 1_000_000;
        for (int i = 0; i < atS.size(); i++) {
            long wait = atS.get(i) * 1000L - (System.nanoTime() - begin) / 1_000_000;
            Thread.sleep(Math.max(0, wait));
            long at = System.currentTimeMillis();
            stalled.add(new Stalled(at, node.stallFor(lengths.get(i))));
        }
    }

    @Override
    public String toString() {
        return duration.toSeconds() + " s with stalls of "
                + String.join(
                        ", ",
                        lengths.stream()
                                .map(length -> length.toMillis() + " ms")
                                .toList());
    }
}
