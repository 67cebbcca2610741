package io.ringmaster.companion.task;

import java.util.SortedSet;

/**
 * Partitions that were looked at.
 *
 * @param there known to all replicas together
 * @param here those of them that this node has
 * @param unread places that could not be read
 */
record Counted(long there, long here, int unread) {
    static final Counted NONE = new Counted(0, 0, 0);
    static final Counted UNREAD = new Counted(0, 0, 1);

    /** What is written between two looks makes a difference, too. */
    private static final double SOME = 0.01;

    private static final double MANY = 0.05;

    /**
     * What two looks at one place, of no more than so many partitions each, have in common: where one of them stopped, nothing is known
     * of what comes after.
     *
     * @param here the tokens that this node has, and {@code there} those that all replicas together know
     */
    static Counted of(SortedSet<Long> here, SortedSet<Long> there, int most) {
        long upTo = Math.min(end(here, most), end(there, most));
        return new Counted(
                there.stream().filter(token -> token <= upTo).count(),
                there.stream()
                        .filter(token -> token <= upTo && here.contains(token))
                        .count(),
                0);
    }

    private static long end(SortedSet<Long> tokens, int most) {
        return tokens.size() < most ? Long.MAX_VALUE : tokens.last();
    }

    Counted and(Counted other) {
        return new Counted(there + other.there, here + other.here, unread + other.unread);
    }

    boolean lacksSome() {
        return there - here > SOME * there;
    }

    boolean lacksMany() {
        return there - here > MANY * there;
    }

    @Override
    public String toString() {
        return here + " of " + there + " partitions looked at";
    }
}
