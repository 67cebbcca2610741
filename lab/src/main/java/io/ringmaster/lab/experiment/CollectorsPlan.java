package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Form;
import io.ringmaster.lab.load.Arrivals;
import java.time.Duration;
import java.util.List;

/**
 * What a run of {@link Collectors} offers, and for how long.
 *
 * <p>The full form, in seconds: eight nodes, each 10 to start, 32 to fill and 10 to 30 to warm up: 540. Sixteen climbs,
 * each 5.5 behind SIGCONT and six to eight windows of 10.3 (five rungs, the lowest twice, and those that end the two
 * levels once more), seven on average: 1,240. Together 1,780 of 1,880. Five rungs and no more, because a window must be
 * long enough for p99.9 of the lowest: 11 requests lie beyond it. The last JVMs of the second pass are left out where
 * a climb could end beyond the limit; that pass goes backwards, so that these are the first of {@link JvmRow}.
 *
 * <p>The short form: two nodes, each 10 to start, 6 to fill and 10 to warm up: 52. Four climbs, each 3.5 and four
 * windows of 4.3 at most: 83. Together 135 of 170.
 *
 * @param rates the rungs, in requests per second, ascending
 * @param rows of the table
 * @param warmUp load before each window that is not recorded
 * @param measured length of a window
 * @param resumed load that is not recorded, on a node that stood still: it answers late at first
 * @param warmings most loads after the fill
 * @param limit of the whole run
 */
record CollectorsPlan(
        List<Integer> rates,
        int rows,
        Duration warmUp,
        Duration measured,
        Duration resumed,
        int warmings,
        Duration limit) {
    static final int PASSES = 2;
    /** Requests per second while the table is filled, and while code compiles. */
    static final double FILL_RATE = 5000;

    static final Duration WARMING = Duration.ofSeconds(5);
    /** Without its reads, the first load after the fill says nothing of the compilers. */
    static final int LEAST_WARMINGS = 2;
    /** Share of the node's processor time that its compilers take at the end of the warm-up. */
    static final double COMPILERS = 0.1;

    /** Start and end of a generator, in seconds. */
    private static final double CONNECTS_S = 0.3;

    CollectorsPlan {
        rates = List.copyOf(rates);
    }

    static CollectorsPlan of(Form form) {
        return form == Form.SHORT
                ? new CollectorsPlan(
                        List.of(1400, 4000),
                        30_000,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(3),
                        LEAST_WARMINGS,
                        Duration.ofSeconds(170))
                : new CollectorsPlan(
                        List.of(1400, 2400, 4000, 6700, 11_200),
                        160_000,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(8),
                        Duration.ofSeconds(5),
                        6,
                        Duration.ofSeconds(1_880));
    }

    /** The rate at which all collectors are compared, too. */
    int lowest() {
        return rates.get(0);
    }

    /**
     * Whether there is time for a climb. The first pass is always measured.
     *
     * @param seconds since the start of the run
     */
    boolean fits(int pass, double seconds) {
        return pass == 1 || seconds + climbSeconds() <= limit.toSeconds();
    }

    /** A climb to the top, on which three rungs need a second window. */
    private double climbSeconds() {
        return seconds(resumed) + (rates.size() + 3) * (seconds(warmUp) + seconds(measured) + CONNECTS_S);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }

    Arrivals fill() {
        return Arrivals.rate(FILL_RATE, Duration.ofMillis(Math.round(rows / FILL_RATE * 1000)));
    }

    Arrivals window(double rate) {
        return Arrivals.rate(rate, measured).warmup(warmUp);
    }
}
