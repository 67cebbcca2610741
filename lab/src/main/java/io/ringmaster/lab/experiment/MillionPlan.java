package io.ringmaster.lab.experiment;

import io.ringmaster.lab.figure.Form;
import java.time.Duration;
import java.util.List;

/**
 * What a run of {@link Million} does, and for how long.
 *
 * <p>The full form, in seconds, by the windows of a run of November 2026: five starts of 60, 300. Seven pairs of size
 * and replication factor: warm-up 5 x 240 + 2 x 60 = 1,260 (24 windows of 6.5, with a pause after each in which the
 * compilers of six JVMs get both processors); ladders, with repeated misses, 10 + 9 + 5 x 4 windows of 13 = 510,
 * because only the first of each factor does not know where to start; 7 x 33 at 0.7 of the held rate = 230; idle 5 x 15
 * = 75. Periods 3 x 23 = 70, reading back 5. Together 2,450 of 2,640. A pair that no time is left for is left out, and
 * the verdict says so.
 *
 * <p>The short form: start 40, warm-up 26, idle 5, 3 steps x 9.5 = 29, hold 13.5, periods 3 x 8.5 = 26, reading back
 * 5: 145 of 160. Its nodes still compile under the quota, and may hold no rate.
 *
 * @param steps most steps of a ladder
 * @param windows most windows of a warm-up
 * @param compilers most that compilers may take of the nodes' time at its end, 0 to 1: with more, a row is invalid
 */
record MillionPlan(
        List<Grouping> groupings,
        int steps,
        int windows,
        double compilers,
        Duration step,
        Duration hold,
        Duration idle,
        Duration period,
        Duration limit) {
    static final int NODES = 6;
    static final Duration WINDOW = Duration.ofSeconds(5);

    /** Connections and prepared statements of all generators, before they start together. */
    static final Duration LEAD = Duration.ofSeconds(3);

    /** What a grouping takes at least, in seconds: to start, stand idle and stop. */
    private static final int FIXED_S = 70;
    /** What a pair takes at least, warm-up included. */
    private static final int PAIR_S = 240;
    /** What a pair takes behind its warm-up. */
    private static final int ROW_S = 110;

    /**
     * How the six nodes form rings.
     *
     * @param rings sizes of the rings, six nodes in all
     * @param measured the size that is measured: rings of another size only keep the machine equally full
     * @param factors replication factors, measured one after another
     */
    record Grouping(List<Integer> rings, int measured, List<Integer> factors) {
        Grouping {
            rings = List.copyOf(rings);
            factors = List.copyOf(factors);
            if (rings.stream().mapToInt(Integer::intValue).sum() != NODES || !rings.contains(measured)) {
                throw new IllegalArgumentException("not six nodes with a ring of " + measured + ": " + rings);
            }
        }

        /** Key of the figures of one replication factor. */
        String key(int factor) {
            return MillionPlan.key(factor, measured);
        }

        @Override
        public String toString() {
            return "rings of "
                    + String.join(", ", rings.stream().map(String::valueOf).toList());
        }
    }

    static String key(int factor, int size) {
        return "rf" + factor + "." + size;
    }

    static MillionPlan of(Form form) {
        return form == Form.SHORT
                ? new MillionPlan(
                        List.of(new Grouping(List.of(3, 3), 3, List.of(3))),
                        3,
                        4,
                        1,
                        Duration.ofSeconds(6),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(160))
                : new MillionPlan(
                        List.of(
                                new Grouping(List.of(3, 3), 3, List.of(3, 1)),
                                new Grouping(List.of(6), 6, List.of(3, 1)),
                                new Grouping(List.of(1, 1, 1, 1, 1, 1), 1, List.of(1)),
                                new Grouping(List.of(4, 2), 4, List.of(3)),
                                new Grouping(List.of(2, 2, 2), 2, List.of(1))),
                        16,
                        36,
                        0.1,
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(2_640));
    }

    /** Whether there is time for a grouping with one of its factors. The first is always measured. */
    boolean fits(Grouping grouping, double seconds) {
        return grouping.equals(groupings.get(0)) || seconds + FIXED_S + PAIR_S <= limit.toSeconds();
    }

    /** Whether there is time for another factor of a grouping that runs. */
    boolean fitsPair(double seconds) {
        return seconds + PAIR_S <= limit.toSeconds();
    }

    /** Whether a warm-up goes on behind this window. */
    boolean warmsOn(int window, double seconds) {
        return window < windows && seconds + ROW_S <= limit.toSeconds();
    }
}
