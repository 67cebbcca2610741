package io.ringmaster.simulator.repository;

import io.ringmaster.simulator.history.SeededRandom;
import java.util.List;

/** What goes wrong in a run, and how often: each run draws its own mixture. */
final class Faults {
    private static final double SHORTEST_PAUSE_MILLIS = 300;
    /** Twenty days; or about as long as a work takes, so that works meet in the middle. */
    private static final List<Double> LONGEST_PAUSES_MILLIS = List.of(20 * 86_400_000.0, 60_000.0, 5_000.0);

    private final SeededRandom random;
    private final double change;
    private final double freeze;
    private final double freezeAtMark;
    private final double kill;
    private final double longestPauseMillis;
    private boolean on = true;

    Faults(SeededRandom random) {
        this.random = random;
        change = random.pick(List.of(0.03, 0.15, 0.5));
        freeze = random.pick(List.of(0.0, 0.005, 0.02));
        freezeAtMark = random.pick(List.of(0.03, 0.1, 0.3));
        kill = random.pick(List.of(0.0, 0.005, 0.02));
        longestPauseMillis = random.pick(LONGEST_PAUSES_MILLIS);
    }

    void stop() {
        on = false;
    }

    /** Whether another actor goes on, although this one could. */
    boolean changesTurn() {
        return random.chance(change);
    }

    /** @param mark whether the request is about an object that others judge by, such as an intent */
    boolean freezes(boolean mark) {
        return on && random.chance(mark ? freezeAtMark : freeze);
    }

    boolean kills() {
        return on && random.chance(kill);
    }

    /** From less than a second to the longest of the run; each order of magnitude is as likely as any other. */
    long pauseMillis() {
        double share = random.between(0, 1_000_000) / 1e6;
        return (long) (SHORTEST_PAUSE_MILLIS * Math.pow(longestPauseMillis / SHORTEST_PAUSE_MILLIS, share));
    }
}
