package io.ringmaster.core.tokens;

import java.util.Set;

/**
 * The tokens that a datacenter may use: the multiples of {@value #STRIDE}, plus its number. None is -2^63, which
 * Cassandra reserves as the ring's minimum.
 *
 * @param number the position of the datacenter in the spec, from 1
 */
record TokenSpace(int number) {
    /** More than the datacenters of any cluster, and negligible beside the 2^64 tokens of the ring. */
    static final int STRIDE = 1024;

    /** The first token from this one on that the datacenter may use and that is not taken. */
    long free(long token, Set<Long> taken) {
        long free = Math.floorDiv(token, (long) STRIDE) * STRIDE + number;
        while (taken.contains(free)) {
            free += STRIDE;
        }
        return free;
    }

    /** The same; it is taken then. */
    long take(long token, Set<Long> taken) {
        long free = free(token, taken);
        taken.add(free);
        return free;
    }
}
