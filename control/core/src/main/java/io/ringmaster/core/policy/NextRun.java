package io.ringmaster.core.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The next operation that a schedule requests.
 *
 * @param due when, or null while it is unknown
 * @param why the reason for the time, or why it is unknown
 */
public record NextRun(@Nullable Instant due, String why) {}
