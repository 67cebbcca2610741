package io.ringmaster.server.http;

import io.javalin.http.Context;
import java.util.regex.Pattern;

/** Who asks, for the audit: what the caller says of itself; all who have the token are trusted alike. */
final class Caller {
    static final String HEADER = "Ringmaster-User";
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._@-]{1,64}");

    private Caller() {}

    static String of(Context ctx) {
        String who = ctx.header(HEADER);
        return who != null && ALLOWED.matcher(who).matches() ? who : "api";
    }
}
