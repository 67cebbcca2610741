package io.ringmaster.lab.ring;

import java.time.Duration;

/**
 * What a node may use at most.
 *
 * @param cores processors; a fraction is a part of the time
 * @param period time over which the kernel counts: a node that has used its part stands still until the next period
 * @param memoryBytes memory, the page cache of its files included
 */
public record CapLimits(double cores, Duration period, long memoryBytes) {
    /** Of the kernel: 1 ms to 1 s, and a part of 1 ms at least. */
    private static final long LEAST_US = 1_000;

    private static final long MOST_US = 1_000_000;

    /** @throws IllegalArgumentException the kernel would refuse it */
    public CapLimits {
        long us = period.toNanos() / 1_000;
        if (us < LEAST_US || us > MOST_US || cores * us < LEAST_US || memoryBytes <= 0) {
            throw new IllegalArgumentException(cores + " cores in periods of " + us + " us with " + memoryBytes
                    + " bytes: the kernel takes periods" + " from 1 ms to 1 s, and quotas from 1 ms");
        }
    }

    long periodUs() {
        return period.toNanos() / 1_000;
    }

    long quotaUs() {
        return Math.round(cores * periodUs());
    }
}
