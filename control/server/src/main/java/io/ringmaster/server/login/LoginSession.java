package io.ringmaster.server.login;

import java.time.Instant;

/**
 * A session whose two halves were checked.
 *
 * @param keyHash the hash of its key, which no other session has
 * @param who the user's name in the audit
 * @param credential by which it was opened and with which it ends, see
 *     {@link io.ringmaster.model.access.Principal#credential}
 */
public record LoginSession(String keyHash, String who, String credential, Instant expiresAt) {
    public boolean hasExpired(Instant now) {
        return !now.isBefore(expiresAt);
    }
}
