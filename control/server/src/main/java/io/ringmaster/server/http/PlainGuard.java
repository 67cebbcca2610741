package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.server.refusal.ProblemException;

/** Keeps everything but the question of nodes for their seeds away from the listener without TLS. */
final class PlainGuard {
    private static final String SEEDS = ApiRoute.PREFIX + "seeds";

    private PlainGuard() {}

    static void check(Context ctx) {
        if (!ctx.req().isSecure() && !ctx.path().equals(SEEDS)) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    "this address answers only nodes that ask for their seeds",
                    "use the https URL of this server"));
        }
    }
}
