package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.server.access.Rights;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.server.login.UserName;
import java.util.Objects;
import java.util.Optional;

/** The authenticated caller of a request, as {@link AccessGuard} found it. */
final class Caller {
    /** The name that a caller states. It counts only where all holders of a token have the same rights. */
    static final String HEADER = "Ringmaster-User";

    private static final String SESSION = "session";
    private static final String PRINCIPAL = "principal";

    private Caller() {}

    /** The caller of a route that needs one, or that of an open read. */
    static Principal of(Context ctx) {
        return Objects.requireNonNull(ctx.attribute(PRINCIPAL), "the guard has checked the request");
    }

    /** Empty for a caller without a valid token or session. */
    static Optional<Principal> known(Context ctx) {
        Principal caller = ctx.attribute(PRINCIPAL);
        return Optional.ofNullable(caller).filter(c -> !c.isAnonymous());
    }

    /** The name that the caller states, or {@code api} without a valid one. */
    static String stated(Context ctx) {
        String stated = ctx.header(HEADER);
        return stated != null && UserName.isValid(stated) ? stated : UserName.UNNAMED;
    }

    /** The session of a request that was not authorized by a token. */
    static Optional<LoginSession> session(Context ctx) {
        return Optional.ofNullable(ctx.attribute(SESSION));
    }

    static void is(Context ctx, Principal principal) {
        ctx.attribute(PRINCIPAL, principal);
    }

    static void authorizedBy(Context ctx, LoginSession session) {
        ctx.attribute(SESSION, session);
    }

    /**
     * For what depends on a parameter or the body.
     *
     * @param what such as {@code destroying data}
     */
    static void require(Context ctx, Role role, String what) {
        Rights.require(of(ctx), role, what);
    }
}
