package io.ringmaster.wire.api;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cluster's repair schedule and its next repair.
 *
 * @param every the interval, such as {@code 7d}
 * @param intensity the fraction of the time in which a repair works, above 0, at most 1
 * @param due when the next repair is requested; null while that is not known
 * @param why the reason for this time, or for not knowing it
 */
public record RepairState(String every, double intensity, @Nullable Instant due, String why) {}
