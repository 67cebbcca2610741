package io.ringmaster.core.seeds;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a node that asks for the seeds.
 *
 * @param isSeed whether the node is a seed itself; a seed never bootstraps
 * @param seeds the other seeds, as {@code address:storage_port}
 * @param reason why the node has no seed yet; null if it is one or has one
 */
public record SeedAnswer(boolean isSeed, List<String> seeds, @Nullable String reason) {
    public SeedAnswer {
        seeds = List.copyOf(seeds);
    }

    public SeedAnswer(boolean isSeed, List<String> seeds) {
        this(isSeed, seeds, isSeed || !seeds.isEmpty() ? null : "no other member is known to be up");
    }

    /** No seed is known yet: the node must not start a ring, and asks again. */
    public static SeedAnswer noneYet(String reason) {
        return new SeedAnswer(false, List.of(), reason);
    }

    /** False when the node is not a seed and knows none: it has no node to join. */
    public boolean usable() {
        return isSeed || !seeds.isEmpty();
    }
}
