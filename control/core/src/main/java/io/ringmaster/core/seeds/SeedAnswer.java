package io.ringmaster.core.seeds;

import java.util.List;

/**
 * The answer to a node that asks for the seeds.
 *
 * @param isSeed whether the node is a seed itself; a seed never bootstraps
 * @param seeds the other seeds, as {@code address:storage_port}
 */
public record SeedAnswer(boolean isSeed, List<String> seeds) {
    /** No seed is known yet: the node must not start a ring, and asks again. */
    public static final SeedAnswer NONE_YET = new SeedAnswer(false, List.of());

    public SeedAnswer {
        seeds = List.copyOf(seeds);
    }
}
