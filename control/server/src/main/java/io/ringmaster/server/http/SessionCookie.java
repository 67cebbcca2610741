package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.server.login.SessionSigner;
import java.net.URI;
import java.util.Optional;

/** The cookie of a session. Its name has the port, because all servers of one host share the browser's cookies. */
final class SessionCookie {
    /** The header with the other half of a session. */
    static final String KEY_HEADER = "Ringmaster-Session";

    private final SessionSigner signer;
    private final Clock clock;
    private final boolean httpsUrl;

    /** @param url the base URL under which others reach this server */
    SessionCookie(SessionSigner signer, Clock clock, URI url) {
        this.signer = signer;
        this.clock = clock;
        this.httpsUrl = "https".equals(url.getScheme());
    }

    /** The session of a request; empty unless cookie and key belong together. */
    Optional<LoginSession> of(Context ctx) {
        String key = ctx.header(KEY_HEADER);
        return key == null ? Optional.empty() : signer.check(ctx.cookie(name(ctx)), key, clock.now());
    }

    void set(Context ctx, String value) {
        write(ctx, value, SessionSigner.LIFETIME.toSeconds());
    }

    void remove(Context ctx) {
        write(ctx, "", 0);
    }

    private void write(Context ctx, String value, long seconds) {
        boolean secure = httpsUrl || "https".equalsIgnoreCase(ctx.header("X-Forwarded-Proto"));
        ctx.header(
                "Set-Cookie",
                name(ctx) + "=" + value + "; Path=/api; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                        + (secure ? "; Secure" : ""));
    }

    private static String name(Context ctx) {
        return "ringmaster-" + ctx.req().getServerPort();
    }
}
