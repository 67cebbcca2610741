package io.ringmaster.model.record;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.TokenId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An API token, without the token itself. Records travel with the report to the other datacenters, so that a token is
 * accepted, and refused after it was revoked, at every server.
 *
 * @param name of its holder, in the audit
 * @param sha256 the hash of the token in hexadecimal digits; a salt would add nothing to 256 random bits
 * @param by the user who created it
 * @param revoked when it was revoked; null while it is not
 * @param revokedBy null while it is not revoked
 */
public record TokenRecord(
        TokenId id,
        String name,
        Role role,
        ClusterPattern clusters,
        String sha256,
        String by,
        Instant created,
        Instant expires,
        @Nullable Instant revoked,
        @Nullable String revokedBy)
        implements StoredRecord {

    /** Whether a token is accepted, and why not. */
    public enum State {
        VALID,
        EXPIRED,
        REVOKED
    }

    public State state(Instant now) {
        if (revoked != null) {
            return State.REVOKED;
        }
        return now.isBefore(expires) ? State.VALID : State.EXPIRED;
    }

    /** This token after it was revoked; the first revocation counts. */
    public TokenRecord revoke(Instant at, String who) {
        return revoked != null
                ? this
                : new TokenRecord(id, name, role, clusters, sha256, by, created, expires, at, who);
    }

    @Override
    public RecordKey key() {
        return new RecordKey.OfToken(id);
    }

    @Override
    public @Nullable ClusterName cluster() {
        return null;
    }

    @Override
    public void accept(Handler handler) {
        handler.token(this);
    }
}
