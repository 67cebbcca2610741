package io.ringmaster.wire.api;

import java.time.Instant;

/**
 * The answer to a login: a session of the page.
 *
 * @param key the half that the page keeps; worthless without the cookie
 * @param who the user's name in the audit
 */
public record LoginAnswer(String key, String who, Instant expiresAt) {}
