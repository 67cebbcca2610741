package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.staticfiles.ResourceHandler;
import io.javalin.http.staticfiles.StaticFileConfig;
import io.javalin.security.RouteRole;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.server.refusal.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The files of the page, from the class path, behind the routes of the API. Every path that is neither a file nor below
 * {@code /api} or {@code /assets} answers the page, which shows the screen of that path.
 */
final class WebPages implements ResourceHandler {
    private static final String ASSETS = "/assets/";
    private static final String INDEX = "/index.html";
    /** Excludes {@code ..}, percent signs and everything else with a meaning in a path. */
    private static final Pattern FILE = Pattern.compile("(/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\\.([a-z0-9]+)");

    private static final Pattern GZIP = Pattern.compile("(^|,)\\s*gzip\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$)).*)?(,|$)");
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "json", "application/json",
            "webmanifest", "application/manifest+json",
            "txt", "text/plain; charset=utf-8");

    private final String root;

    /** @param root the folder of the class path, such as {@code /web} */
    WebPages(String root) {
        this.root = root;
    }

    @Override
    public boolean canHandle(Context ctx) {
        return !(ctx.path() + "/").startsWith("/api/");
    }

    @Override
    public Set<RouteRole> resourceRouteRoles(Context ctx) {
        return Set.of(Access.self(Access.Who.ANYONE, Access.Extent.FLEET));
    }

    @Override
    public boolean addStaticFileConfig(StaticFileConfig config) {
        return false;
    }

    @Override
    public boolean handle(Context ctx) {
        String path = ctx.path();
        if (!canHandle(ctx)) {
            return false;
        }
        if (answer(ctx, path)) {
            return true;
        }
        if (path.startsWith(ASSETS)) {
            return false;
        }
        if (!answer(ctx, INDEX)) {
            throw new ProblemException(
                    404,
                    Problem.of(
                            ErrorCode.REQUEST_INVALID,
                            "this server was built without the page",
                            "install Node 20.19 or 22.12, or newer, and run ./dev build"));
        }
        return true;
    }

    private boolean answer(Context ctx, String path) {
        var name = FILE.matcher(path);
        String type = name.matches() ? TYPES.get(name.group(2)) : null;
        if (type == null) {
            return false;
        }
        Optional<byte[]> packed = acceptsGzip(ctx) ? read(path + ".gz") : Optional.empty();
        Optional<byte[]> content = packed.isPresent() ? packed : read(path);
        if (content.isEmpty()) {
            return false;
        }
        if (packed.isPresent()) {
            ctx.header("Content-Encoding", "gzip");
        }
        ctx.header("Vary", "Accept-Encoding");
        // the build names every asset by its content
        ctx.header("Cache-Control", path.startsWith(ASSETS) ? "public, max-age=31536000, immutable" : "no-cache");
        SecurityHeaders.onPage(ctx);
        ctx.contentType(type).result(content.get());
        return true;
    }

    private static boolean acceptsGzip(Context ctx) {
        String accepted = ctx.header("Accept-Encoding");
        return accepted != null && GZIP.matcher(accepted).find();
    }

    private Optional<byte[]> read(String path) {
        try (InputStream in = WebPages.class.getResourceAsStream(root + path)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + path + " of the page", e);
        }
    }
}
