package io.ringmaster.wire.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's schedule of repairs and what comes next.
 *
 * @param every such as {@code 7d}
 * @param intensity how much of the time a repair works, above 0, at most 1
 * @param due when the next repair is asked for; null while that is not known
 * @param why it is due then, or not known
 */
public record RepairState(String every, double intensity, @Nullable Instant due, String why) {}
