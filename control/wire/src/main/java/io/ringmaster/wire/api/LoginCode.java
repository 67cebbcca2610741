package io.ringmaster.wire.api;

import java.time.Instant;

/** A code that opens one session of the page, once. */
public record LoginCode(String code, Instant expiresAt) {}
