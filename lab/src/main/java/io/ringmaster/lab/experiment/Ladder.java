package io.ringmaster.lab.experiment;

import org.jspecify.annotations.Nullable;

/**
 * Searches the highest rate that is kept, in steps 15 % apart. All ladders of an experiment have the same rungs, so
 * that two of them differ by whole steps. It goes up until a step misses; where the first step misses, down until one
 * is kept.
 */
final class Ladder {
    static final double FACTOR = 1.15;
    /** Lowest rung, in writes/s a node. */
    private static final double LOWEST = 10;

    /** What a step showed. */
    enum Step {
        KEPT,
        MISSED,
        /** The generator fell behind each time: the step does not count, and the ladder ends. */
        UNKNOWN
    }

    private int rung;
    private int left;
    private boolean ended;
    private @Nullable Integer held;
    private boolean missed;

    /**
     * @param from rate of the first step; the rung at or below it is taken
     * @param most number of steps
     */
    Ladder(double from, int most) {
        // a rate that a ladder held is a rung: rounding must not lose one
        rung = (int) Math.max(0, Math.floor(Math.log(from / LOWEST) / Math.log(FACTOR) + 1e-9));
        left = most;
    }

    private static double rate(int rung) {
        return LOWEST * Math.pow(FACTOR, rung);
    }

    boolean goesOn() {
        return !ended && left > 0;
    }

    /** Rate of the next step, in writes/s a node. */
    double rate() {
        return rate(rung);
    }

    /** Takes what the step at {@link #rate} showed. */
    void take(Step step) {
        left--;
        switch (step) {
            case KEPT -> {
                held = rung++;
                ended = missed;
            }
            case MISSED -> {
                missed = true;
                ended = held != null || rung == 0;
                rung--;
            }
            case UNKNOWN -> ended = true;
        }
    }

    /** The highest rate that was kept; NaN without one. */
    double held() {
        return held == null ? Double.NaN : rate(held);
    }

    /** Whether the step above the held rate missed; otherwise the held rate is a lower bound. */
    boolean isClosed() {
        return held != null && missed;
    }
}
