package io.ringmaster.server.login;

import java.time.Instant;

/**
 * A session whose two halves were checked.
 *
 * @param who the user's name in the audit
 */
public record LoginSession(String who, Instant expiresAt) {}
