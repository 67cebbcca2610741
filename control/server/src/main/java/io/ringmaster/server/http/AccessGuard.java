package io.ringmaster.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javalin.http.Context;
import io.javalin.security.RouteRole;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.server.refusal.ProblemException;
import java.security.MessageDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Accepts a request if its route is open or if it carries the token. */
final class AccessGuard {
    private static final String SCHEME = "Bearer ";

    private final byte[] token;
    private final String tokenFile;
    private final boolean readsOpen;

    /** @param readsOpen reads need no token, because only this computer can reach the server */
    AccessGuard(String token, String tokenFile, boolean readsOpen) {
        this.token = token.getBytes(UTF_8);
        this.tokenFile = tokenFile;
        this.readsOpen = readsOpen;
    }

    void check(Context ctx) {
        if (!allows(ctx.routeRoles(), ctx.header("Authorization"))) {
            ctx.header("WWW-Authenticate", "Bearer");
            throw ProblemException.of(Problem.of(
                    ErrorCode.UNAUTHORIZED,
                    ctx.header("Authorization") == null ? "this request needs the API token" : "the API token is wrong",
                    "send Authorization: Bearer with the content of " + tokenFile + " on the server's computer"));
        }
    }

    boolean allows(Set<? extends RouteRole> roles, @Nullable String authorization) {
        boolean read = roles.contains(Access.READ) || roles.contains(Access.SELF_READ);
        boolean needed = roles.contains(Access.CHANGE) || (read && !readsOpen);
        return !needed || authorized(authorization);
    }

    private boolean authorized(@Nullable String header) {
        return header != null
                && header.startsWith(SCHEME)
                && MessageDigest.isEqual(
                        header.substring(SCHEME.length()).strip().getBytes(UTF_8), token);
    }
}
