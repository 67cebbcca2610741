package io.ringmaster.server.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.ringmaster.core.access.ApiTokens;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.ports.Clock;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds the caller of a token: the content of the token file belongs to the local admin, every other token has a
 * record. Records are read at each request, so that a revocation counts at once.
 */
public final class Credentials {
    private final Secret fileToken;
    private final Supplier<View> views;
    private final Clock clock;

    /** @param fileToken the content of the token file */
    public Credentials(Secret fileToken, Supplier<View> views, Clock clock) {
        this.fileToken = fileToken;
        this.views = views;
        this.clock = clock;
    }

    /**
     * The caller with this token.
     *
     * @param stated the name under which a caller with the token file's content acts
     * @throws io.ringmaster.ports.StoreUnavailableException on a standby whose store does not answer
     */
    public Optional<Principal> bearer(String token, String stated, String address) {
        if (fileToken.is(token)) {
            return Optional.of(Principal.localAdmin(stated, address));
        }
        return genuine(token)
                .filter(record -> record.state(clock.now()) == TokenRecord.State.VALID)
                .map(record -> principal(record, address));
    }

    /** The caller with a credential that was checked before; empty once it has expired or is revoked. */
    public Optional<Principal> holder(String credential, String stated, String address) {
        if (credential.equals(Principal.LOCAL_ADMIN)) {
            return Optional.of(Principal.localAdmin(stated, address));
        }
        return record(credential)
                .filter(record -> record.state(clock.now()) == TokenRecord.State.VALID)
                .map(record -> principal(record, address));
    }

    /** Why a token is refused. Only the holder of a genuine token learns more than that it is wrong. */
    public String refusal(String token) {
        return genuine(token).map(this::end).orElse("the API token is wrong");
    }

    /** How a genuine token ended; empty for a valid or a wrong one. */
    public Optional<String> endOf(String token) {
        return genuine(token)
                .filter(record -> record.state(clock.now()) != TokenRecord.State.VALID)
                .map(this::end);
    }

    /** How the token of a credential ended; empty for one that is valid, or has no record here. */
    public Optional<String> ended(String credential) {
        return record(credential)
                .filter(record -> record.state(clock.now()) != TokenRecord.State.VALID)
                .map(this::end);
    }

    private String end(TokenRecord record) {
        return record.state(clock.now()) == TokenRecord.State.REVOKED
                ? "the API token " + record.id() + " (" + record.name() + ") was revoked at " + record.revoked()
                : "the API token " + record.id() + " (" + record.name() + ") expired at " + record.expires();
    }

    private Optional<TokenRecord> genuine(String token) {
        return ApiToken.parse(token).flatMap(given -> ApiTokens.find(views.get(), given.id())
                .filter(record -> MessageDigest.isEqual(
                        record.sha256().getBytes(UTF_8), given.sha256().getBytes(UTF_8))));
    }

    private Optional<TokenRecord> record(String credential) {
        try {
            return ApiTokens.find(views.get(), new TokenId(credential));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Principal principal(TokenRecord record, String address) {
        return new Principal(
                record.name(), record.role(), record.clusters(), record.id().value(), address);
    }
}
