package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.login.EndedSessions;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.server.login.SessionSigner;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;

/** The cookie of a session. Its name has the port, because all servers of one host share the browser's cookies. */
final class SessionCookie {
    /** The header with the other half of a session. */
    static final String KEY_HEADER = "Ringmaster-Session";

    private static final Pattern LOOPBACK = Pattern.compile("localhost|\\[::1\\]|127(\\.\\d{1,3}){3}");

    private final SessionSigner signer;
    private final EndedSessions ended = new EndedSessions();
    private final Clock clock;
    private final boolean httpsUrl;

    /** @param url the base URL under which others reach this server */
    SessionCookie(SessionSigner signer, Clock clock, URI url) {
        this.signer = signer;
        this.clock = clock;
        this.httpsUrl = "https".equals(url.getScheme());
    }

    /** The session of a request; empty unless cookie and key belong together and the session is open. */
    Optional<LoginSession> of(Context ctx) {
        String key = ctx.header(KEY_HEADER);
        return key == null
                ? Optional.empty()
                : signer.check(ctx.cookie(name(ctx)), key, clock.now()).filter(this::isOpen);
    }

    /** Whether the session has neither expired nor been ended by a logout at this server. */
    boolean isOpen(LoginSession session) {
        return !session.hasExpired(clock.now()) && !ended.contains(session);
    }

    void set(Context ctx, String value) {
        write(ctx, value, SessionSigner.LIFETIME.toSeconds());
    }

    /** Ends the session of the request and removes the cookie, also that of a session that has expired. */
    void end(Context ctx) {
        of(ctx).ifPresent(session -> ended.add(session, clock.now()));
        write(ctx, "", 0);
    }

    private void write(Context ctx, String value, long seconds) {
        // through the tunnel of "ringmaster web" the browser asks a loopback address without TLS
        boolean secure = "https".equalsIgnoreCase(ctx.header("X-Forwarded-Proto")) || (httpsUrl && !isLoopback(ctx));
        ctx.header(
                "Set-Cookie",
                name(ctx) + "=" + value + "; Path=/api; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                        + (secure ? "; Secure" : ""));
    }

    private static boolean isLoopback(Context ctx) {
        return LOOPBACK.matcher(ctx.req().getServerName()).matches();
    }

    private static String name(Context ctx) {
        return "ringmaster-" + ctx.req().getServerPort();
    }
}
