package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A datacenter that did not answer, so that its part is missing or outdated.
 *
 * @param lastHeard the time of its last report, or null before the first
 */
public record Unanswered(DatacenterName datacenter, String reason, @Nullable Instant lastHeard) {}
