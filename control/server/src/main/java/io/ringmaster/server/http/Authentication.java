package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.model.access.Principal;
import io.ringmaster.ports.StoreUnavailableException;
import io.ringmaster.server.access.Credentials;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.wire.client.PrincipalHeader;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Finds the caller of a request: by its token, or else by its session. */
final class Authentication {
    private static final String SCHEME = "Bearer ";
    /** How the token of a forwarded request ended. */
    private static final String ENDED = "ended";

    private final Credentials credentials;
    private final SessionCookie sessions;

    Authentication(Credentials credentials, SessionCookie sessions) {
        this.credentials = credentials;
        this.sessions = sessions;
    }

    Credentials credentials() {
        return credentials;
    }

    SessionCookie sessions() {
        return sessions;
    }

    /** Empty for a caller without a valid token or session. Notes a session with the request. */
    Optional<Principal> of(Context ctx) {
        Optional<Principal> bearer = bearer(ctx);
        if (bearer.isPresent()) {
            return bearer;
        }
        Optional<LoginSession> session = sessions.of(ctx);
        Optional<Principal> holder = session.flatMap(s -> credentials.holder(s.credential(), s.who(), ctx.ip()));
        if (holder.isPresent()) {
            session.ifPresent(s -> Caller.authorizedBy(ctx, s));
        }
        return holder;
    }

    /**
     * The caller with a valid token in the header, not a session. The server that forwards a request may not have heard
     * that the token of its caller has ended, or this one not that it exists.
     */
    Optional<Principal> bearer(Context ctx) {
        String token = token(ctx);
        if (token == null) {
            return Optional.empty();
        }
        Optional<Principal> holder = credentials.bearer(token, Caller.stated(ctx), ctx.ip());
        String onBehalf = ctx.header(PrincipalHeader.NAME);
        boolean server =
                holder.filter(h -> h.credential().equals(Principal.LOCAL_ADMIN)).isPresent();
        if (onBehalf == null || !server) {
            return holder;
        }
        // a server may only lose rights by it, because the token file has all of them
        Optional<Principal> forwarded = PrincipalHeader.read(onBehalf, Caller.stated(ctx));
        Optional<String> ended = forwarded.flatMap(caller -> credentials.ended(caller.credential()));
        ended.ifPresent(how -> ctx.attribute(ENDED, how));
        return ended.isPresent() ? Optional.empty() : forwarded;
    }

    /** Whether the caller of a request may still go on with it, for answers that last. */
    BooleanSupplier permission(Context ctx) {
        Principal caller = Caller.of(ctx);
        Optional<LoginSession> session = Caller.session(ctx);
        return () -> session.map(sessions::isOpen).orElse(true) && (caller.isAnonymous() || isValid(caller));
    }

    private boolean isValid(Principal caller) {
        try {
            return credentials
                    .holder(caller.credential(), caller.name(), caller.address())
                    .isPresent();
        } catch (StoreUnavailableException e) {
            return false; // the client comes back
        }
    }

    /** How the genuine token of a request, or that of the caller for which it was forwarded, ended. */
    Optional<String> ended(Context ctx) {
        String token = token(ctx);
        return Optional.<String>ofNullable(ctx.attribute(ENDED))
                .or(() -> Optional.ofNullable(token).flatMap(credentials::endOf));
    }

    /** Whether the request has a token or a session, valid or not. */
    static boolean isTried(Context ctx) {
        return ctx.header("Authorization") != null || ctx.header(SessionCookie.KEY_HEADER) != null;
    }

    /** Why a request has no caller, or none that suffices. */
    String refusal(Context ctx) {
        String ended = ctx.attribute(ENDED);
        if (ended != null) {
            return ended;
        }
        if (ctx.header("Authorization") != null) {
            String token = token(ctx);
            return token == null ? "the API token is wrong" : credentials.refusal(token);
        }
        return ctx.header(SessionCookie.KEY_HEADER) == null
                ? "this request needs an API token"
                : "the session does not allow this request, has expired, or its token is no longer valid";
    }

    private static @Nullable String token(Context ctx) {
        String header = ctx.header("Authorization");
        return header != null && header.startsWith(SCHEME)
                ? header.substring(SCHEME.length()).strip()
                : null;
    }
}
