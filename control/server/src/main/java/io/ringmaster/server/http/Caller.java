package io.ringmaster.server.http;

import io.javalin.http.Context;
import java.util.regex.Pattern;

/** The caller's name for the audit, as the caller states it: every holder of the token has the same rights. */
final class Caller {
    static final String HEADER = "Ringmaster-User";
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

    private Caller() {}

    static String of(Context ctx) {
        String who = ctx.header(HEADER);
        return who != null && ALLOWED.matcher(who).matches() ? who : "api";
    }
}
