package io.ringmaster.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javalin.http.Context;
import io.javalin.security.RouteRole;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.server.refusal.ProblemException;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Accepts a request if its route is open, or if it carries the token or, where that is enough, a session. */
final class AccessGuard {
    private static final String SCHEME = "Bearer ";

    private final byte[] token;
    private final String tokenFile;
    private final boolean readsOpen;
    private final SessionCookie sessions;

    /** @param readsOpen reads need no token, because only this computer can reach the server */
    AccessGuard(String token, String tokenFile, boolean readsOpen, SessionCookie sessions) {
        this.token = token.getBytes(UTF_8);
        this.tokenFile = tokenFile;
        this.readsOpen = readsOpen;
        this.sessions = sessions;
    }

    void check(Context ctx) {
        Set<RouteRole> roles = ctx.routeRoles();
        boolean tokenGiven = isToken(ctx.header("Authorization"));
        Optional<LoginSession> session = tokenGiven ? Optional.empty() : sessions.of(ctx);
        session.ifPresent(s -> Caller.authorizedBy(ctx, s));
        if (!allows(roles, tokenGiven, session.isPresent())) {
            ctx.header("WWW-Authenticate", "Bearer");
            throw ProblemException.of(Problem.of(
                    ErrorCode.UNAUTHORIZED,
                    refusal(ctx),
                    "send Authorization: Bearer with the content of " + tokenFile + " on the server's computer"));
        }
    }

    boolean allows(Set<? extends RouteRole> roles, boolean tokenGiven, boolean sessionGiven) {
        boolean read = roles.contains(Access.READ) || roles.contains(Access.SELF_READ);
        boolean tokenOnly = roles.contains(Access.PEER) || roles.contains(Access.SELF_TOKEN);
        boolean needed = tokenOnly || roles.contains(Access.CHANGE) || (read && !readsOpen);
        return !needed || tokenGiven || (sessionGiven && !tokenOnly);
    }

    /** @param authorization the header of that name */
    boolean isToken(@Nullable String authorization) {
        return authorization != null
                && authorization.startsWith(SCHEME)
                && MessageDigest.isEqual(
                        authorization.substring(SCHEME.length()).strip().getBytes(UTF_8), token);
    }

    private static String refusal(Context ctx) {
        if (ctx.header("Authorization") != null) {
            return "the API token is wrong";
        }
        return ctx.header(SessionCookie.KEY_HEADER) == null
                ? "this request needs the API token"
                : "the session does not allow this request, has expired, or the token has changed";
    }
}
