package io.ringmaster.core.seeds;

import java.util.List;

/**
 * What a node is told when it asks who the seeds are.
 *
 * @param isSeed whether it is one itself; a seed never bootstraps
 * @param seeds the others, as {@code address:storage_port}
 */
public record SeedAnswer(boolean isSeed, List<String> seeds) {
    public SeedAnswer {
        seeds = List.copyOf(seeds);
    }
}
