package io.ringmaster.companion.task;

import java.util.SortedSet;

/**
 * The result of comparing sampled partitions.
 *
 * @param known the number of partitions that all replicas together return
 * @param local the number of those that this node has
 * @param unread the number of places that could not be read
 */
record PartitionSample(long known, long local, int unread) {
    static final PartitionSample NONE = new PartitionSample(0, 0, 0);
    static final PartitionSample UNREAD = new PartitionSample(0, 0, 1);

    /** Fractions of the known partitions; writes between the two reads cause small differences too. */
    private static final double SOME = 0.01;

    private static final double MANY = 0.05;

    /**
     * Compares two reads of one place, up to the token where one of them reached its limit: the rest is unknown.
     *
     * @param local the tokens that this node has
     * @param known the tokens that all replicas together return
     * @param limit the most partitions of each read
     */
    static PartitionSample of(SortedSet<Long> local, SortedSet<Long> known, int limit) {
        long upTo = Math.min(end(local, limit), end(known, limit));
        return new PartitionSample(
                known.stream().filter(token -> token <= upTo).count(),
                known.stream()
                        .filter(token -> token <= upTo && local.contains(token))
                        .count(),
                0);
    }

    /** Up to where the tokens are complete. */
    static long end(SortedSet<Long> tokens, int limit) {
        return tokens.size() < limit ? Long.MAX_VALUE : tokens.last();
    }

    PartitionSample plus(PartitionSample other) {
        return new PartitionSample(known + other.known, local + other.local, unread + other.unread);
    }

    boolean lacksSome() {
        return known - local > SOME * known;
    }

    boolean lacksMany() {
        return known - local > MANY * known;
    }

    @Override
    public String toString() {
        return local + " of " + known + " partitions looked at";
    }
}
