package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.login.EndedSessions;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.server.login.SessionSigner;
import io.ringmaster.wire.client.RingmasterClient;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The cookie of a session. Its name has the port, because all servers of one host share the browser's cookies. */
final class SessionCookie {
    /** The header with the other half of a session. */
    static final String KEY_HEADER = "Ringmaster-Session";

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
        String tunnel = ctx.header(RingmasterClient.TUNNEL_HEADER);
        return key == null
                ? Optional.empty()
                : signer.check(ctx.cookie(name(ctx)), tunnel == null ? key : key + tunnel, clock.now())
                        .filter(this::isOpen);
    }

    /** Whether the session has neither expired nor been ended by a logout at this server. */
    boolean isOpen(LoginSession session) {
        return !session.hasExpired(clock.now()) && !ended.contains(session);
    }

    /**
     * Gives the browser its half of the session. One that was opened through a tunnel counts only with requests
     * through it: the next program on its port gets both halves from an open page.
     */
    void set(Context ctx, SessionSigner.Issued issued) {
        String tunnel = ctx.header(RingmasterClient.TUNNEL_HEADER);
        SessionSigner.Issued bound = tunnel == null ? issued : signer.bound(issued, tunnel);
        write(ctx, bound.cookie(), SessionSigner.LIFETIME.toSeconds());
    }

    /** Ends the session of the request and removes the cookie, also that of a session that has expired. */
    void end(Context ctx) {
        of(ctx).ifPresent(session -> ended.add(session, clock.now()));
        write(ctx, "", 0);
    }

    private void write(Context ctx, String value, long seconds) {
        boolean secure = isSecure(httpsUrl, ctx.header("X-Forwarded-Proto"), ctx.header("Origin"));
        ctx.header(
                "Set-Cookie",
                name(ctx) + "=" + value + "; Path=/api; Max-Age=" + seconds + "; HttpOnly; SameSite=Strict"
                        + (secure ? "; Secure" : ""));
    }

    /**
     * Whether the browser has opened the page by TLS. Through the tunnel of "ringmaster web" it has not, although the
     * request arrives by TLS.
     *
     * @param forwarded the scheme that a proxy states, or null
     * @param from the origin, which browsers send with each login and logout, or null
     */
    static boolean isSecure(boolean httpsUrl, @Nullable String forwarded, @Nullable String from) {
        String origin = String.valueOf(from).toLowerCase(Locale.ROOT);
        return "https".equalsIgnoreCase(forwarded)
                || origin.startsWith("https://")
                || (httpsUrl && !origin.startsWith("http://"));
    }

    private static String name(Context ctx) {
        return "ringmaster-" + ctx.req().getServerPort();
    }
}
