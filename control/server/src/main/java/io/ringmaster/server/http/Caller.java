package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.server.login.UserName;
import java.util.Optional;

/**
 * The caller's name for the audit: that of the session, or with the token as the caller states it, because every holder
 * of the token has the same rights.
 */
final class Caller {
    static final String HEADER = "Ringmaster-User";
    private static final String SESSION = "session";

    private Caller() {}

    static String of(Context ctx) {
        String stated = ctx.header(HEADER);
        return session(ctx).map(LoginSession::who).orElse(stated != null && UserName.isValid(stated) ? stated : "api");
    }

    /** The session of a request that was not authorized by the token. */
    static Optional<LoginSession> session(Context ctx) {
        return Optional.ofNullable(ctx.attribute(SESSION));
    }

    static void authorizedBy(Context ctx, LoginSession session) {
        ctx.attribute(SESSION, session);
    }
}
