package io.ringmaster.wire.api;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.record.TokenRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An API token without the token itself and its hash.
 *
 * @param by the user who created it
 * @param revokedBy null while it is not revoked
 */
public record TokenInfo(
        TokenId id,
        String name,
        Role role,
        ClusterPattern clusters,
        TokenRecord.State state,
        String by,
        Instant created,
        Instant expires,
        @Nullable Instant revoked,
        @Nullable String revokedBy) {
    /** @param now decides whether it has expired */
    public static TokenInfo of(TokenRecord token, Instant now) {
        return new TokenInfo(
                token.id(),
                token.name(),
                token.role(),
                token.clusters(),
                token.state(now),
                token.by(),
                token.created(),
                token.expires(),
                token.revoked(),
                token.revokedBy());
    }
}
