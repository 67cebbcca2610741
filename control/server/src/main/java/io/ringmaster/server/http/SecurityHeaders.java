package io.ringmaster.server.http;

import io.javalin.http.Context;

/** Headers that restrict what a browser does with answers. */
final class SecurityHeaders {
    /** Svelte's templates need the trusted type (sveltejs/svelte#16271). */
    private static final String PAGE_POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types svelte-trusted-html");

    private SecurityHeaders() {}

    static void onEveryAnswer(Context ctx) {
        ctx.header("X-Content-Type-Options", "nosniff");
        ctx.header("Referrer-Policy", "no-referrer");
        ctx.header("Cross-Origin-Resource-Policy", "same-origin");
    }

    static void onPage(Context ctx) {
        ctx.header("Content-Security-Policy", PAGE_POLICY);
    }
}
