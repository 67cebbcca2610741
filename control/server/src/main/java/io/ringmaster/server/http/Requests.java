package io.ringmaster.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.javalin.http.Context;
import io.ringmaster.json.Json;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.PlanDigest;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses requests. A refusal names the invalid parameter, header or body. */
final class Requests {
    private static final Pattern ENTITY_TAG = Pattern.compile("\"(\\d{1,18})\"");

    private Requests() {}

    static ClusterName cluster(Context ctx) {
        return parse("cluster", ctx.pathParam("cluster"), ClusterName::new);
    }

    static <T> T parse(String field, String text, Function<String, T> parse) {
        try {
            return parse.apply(text);
        } catch (IllegalArgumentException e) {
            throw invalid(field, ThrowableText.of(e));
        }
    }

    static Scope scope(Context ctx) {
        return flag(ctx, "local") ? Scope.LOCAL : Scope.FLEET;
    }

    /** Whether another datacenter may answer. The request of another datacenter's server is answered here. */
    static Scope reach(Context ctx) {
        return ctx.header(RingmasterClient.PEER_HEADER) == null ? scope(ctx) : Scope.LOCAL;
    }

    /** Refused if the caller may not use them. */
    static ChangeOptions options(Context ctx) {
        String ifPlan = ctx.header("If-Plan");
        if (flag(ctx, "force")) {
            Caller.require(ctx, Role.ADMIN, "forcing a change");
        }
        return new ChangeOptions(
                flag(ctx, "dryRun"),
                flag(ctx, "local"),
                flag(ctx, "allowSilentPeers"),
                flag(ctx, "force"),
                ifPlan == null ? null : parse("If-Plan", ifPlan, PlanDigest::new));
    }

    static boolean flag(Context ctx, String name) {
        String value = ctx.queryParam(name);
        if (value != null && !value.equals("true") && !value.equals("false")) {
            throw invalid(name, "'" + value + "' must be true or false");
        }
        return "true".equals(value);
    }

    static int number(Context ctx, String name, int least, int most, int otherwise) {
        String value = ctx.queryParam(name);
        int number = value == null ? otherwise : parse(name, value, Requests::digits);
        if (number < least || number > most) {
            throw invalid(name, "'" + value + "' must be in " + least + "-" + most);
        }
        return number;
    }

    /**
     * The version in {@code If-Match: "3"}, or null without the header. {@code "0"} means that it must not exist yet.
     */
    static @Nullable Long ifVersion(Context ctx) {
        String header = ctx.header("If-Match");
        if (header == null) {
            return null;
        }
        var m = ENTITY_TAG.matcher(header);
        if (!m.matches()) {
            throw invalid("If-Match", "'" + header + "' must be a version in quotes such as \"3\"");
        }
        return Long.parseLong(m.group(1));
    }

    /** The body as text; refused with 413 if it is longer than {@code limitBytes}. */
    static String body(Context ctx, int limitBytes) {
        try {
            byte[] body = ctx.bodyInputStream().readNBytes(limitBytes + 1);
            if (body.length > limitBytes) {
                throw new ProblemException(
                        413,
                        Problem.field(
                                ErrorCode.REQUEST_INVALID, "body", "must be no longer than " + limitBytes + " bytes"));
            }
            return new String(body, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("reading the request's body", e);
        }
    }

    /** The body as a {@code type}; refused if it is not one in JSON. */
    static <T> T json(String body, Class<T> type) {
        try {
            return Json.parse(body, type);
        } catch (UncheckedIOException e) {
            Throwable cause = Objects.requireNonNull(e.getCause(), "its constructor requires one");
            throw invalid("body", ThrowableText.of(e) + ": " + ThrowableText.of(cause));
        }
    }

    static ProblemException invalid(String field, String message) {
        return ProblemException.of(Problem.field(ErrorCode.REQUEST_INVALID, field, message));
    }

    private static int digits(String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("'" + text + "' must be a number");
        }
        return Integer.parseInt(text);
    }
}
