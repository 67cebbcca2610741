package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.server.refusal.ProblemException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Protects the users of the page from other web sites in the same browser. The host check stops a site that gives its
 * own name the address of this server (DNS rebinding), the origin check stops forms and scripts that post to it. A
 * request with a valid token passes: no web site has one, and servers and the command line may use any name.
 */
final class OriginGuard {
    /** A browser takes a host whose last label is a number as an address, so no such name can be rebound. */
    private static final Pattern ADDRESS = Pattern.compile("\\[.*\\]|\\d{1,3}(\\.\\d{1,3}){3}");

    private static final Pattern SCHEME = Pattern.compile("^https?://");
    /** For load balancers, which may ask by any name. */
    private static final String EXEMPT = ApiRoute.PREFIX + "health";

    private final Authentication authentication;
    private final Set<String> hosts = new HashSet<>(Set.of("localhost"));
    private final String ownAuthority;

    /**
     * @param url the base URL under which others reach this server
     * @param hosts further hosts under which it may be asked
     */
    OriginGuard(Authentication authentication, URI url, List<String> hosts) {
        this.authentication = authentication;
        this.ownAuthority = lower(String.valueOf(url.getAuthority()));
        this.hosts.add(lower(String.valueOf(url.getHost())));
        hosts.forEach(host -> this.hosts.add(lower(host)));
    }

    void check(Context ctx) {
        String host = lower(String.valueOf(ctx.req().getServerName()));
        boolean known = knows(host) || ctx.path().equals(EXEMPT);
        boolean foreign = !isRead(ctx) && isForeign(ctx);
        // in this order, because the check of a token may wait for the store
        if ((known && !foreign) || authentication.bearer(ctx).isPresent()) {
            return;
        }
        // no web site has one, and its holder learns the reason
        authentication.ended(ctx).ifPresent(how -> {
            throw unauthorized(ctx, how);
        });
        if (!known) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.HOST_UNKNOWN,
                    "this server is not known as '" + host + "'",
                    "use the host of its url, or add this one to web_hosts in server.yaml"));
        }
        throw ProblemException.of(Problem.of(
                ErrorCode.ORIGIN_FOREIGN,
                "a page of another web site sent this request",
                "open the page of this server"));
    }

    private static ProblemException unauthorized(Context ctx, String how) {
        ctx.header("WWW-Authenticate", "Bearer");
        return ProblemException.of(Problem.of(
                ErrorCode.UNAUTHORIZED,
                how,
                new Advice(
                        "ask an admin for another token: {}",
                        List.of("token create NAME --role viewer --clusters '*'"))));
    }

    boolean knows(String host) {
        return hosts.contains(host) || ADDRESS.matcher(host).matches();
    }

    private static boolean isRead(Context ctx) {
        return ctx.method().equals(HandlerType.GET) || ctx.method().equals(HandlerType.HEAD);
    }

    /** Browsers send {@code Sec-Fetch-Site} over https and on loopback, and {@code Origin} always. */
    private boolean isForeign(Context ctx) {
        String site = ctx.header("Sec-Fetch-Site");
        if (site != null && !site.equals("same-origin") && !site.equals("none")) {
            return true;
        }
        String origin = ctx.header("Origin");
        if (origin == null) {
            return false;
        }
        String authority = SCHEME.matcher(lower(origin)).replaceFirst("");
        return !authority.equals(ownAuthority) && !authority.equals(lower(String.valueOf(ctx.host())));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
