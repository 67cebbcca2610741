package io.ringmaster.server.login;

import java.time.Instant;

/**
 * A session whose two halves were checked.
 *
 * @param keyHash the hash of its key, which no other session has
 * @param who the user's name in the audit
 */
public record LoginSession(String keyHash, String who, Instant expiresAt) {
    public boolean hasExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }
}
