package io.ringmaster.wire.api;

import java.util.List;

/**
 * What a seed provider is told.
 *
 * @param isSeed whether the node that asks is itself a seed
 * @param seeds {@code address:storage_port} of the others
 */
public record SeedsAnswer(boolean isSeed, List<String> seeds) {
    public SeedsAnswer {
        seeds = List.copyOf(seeds);
    }
}
