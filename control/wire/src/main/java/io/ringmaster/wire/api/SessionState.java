package io.ringmaster.wire.api;

import io.ringmaster.model.name.DatacenterName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The session of the caller.
 *
 * @param readsOpen reads need no session
 * @param who null without a session
 */
public record SessionState(
        DatacenterName datacenter, boolean readsOpen, @Nullable String who, @Nullable Instant expiresAt) {}
