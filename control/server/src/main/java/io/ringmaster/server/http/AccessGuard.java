package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.server.access.ApiToken;
import io.ringmaster.server.access.FailureLimit;
import io.ringmaster.server.access.RefusalLog;
import io.ringmaster.server.access.Rights;
import io.ringmaster.server.http.Access.Answers;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.refusal.ProblemException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks before a handler runs that the role and the clusters of the caller suffice for the route. Rights that depend
 * on a parameter or the body are checked by the handler ({@link Rights}).
 */
final class AccessGuard {
    private static final Set<ErrorCode> REFUSALS = Set.of(ErrorCode.UNAUTHORIZED, ErrorCode.FORBIDDEN);
    private static final int WHAT_LIMIT = 200;

    private final Authentication authentication;
    private final String tokenFile;
    private final boolean openReads;
    private final FailureLimit failures;
    private final RefusalLog refusals;

    /** @param openReads reads need no token */
    AccessGuard(
            Authentication authentication,
            String tokenFile,
            boolean openReads,
            FailureLimit failures,
            RefusalLog refusals) {
        this.authentication = authentication;
        this.tokenFile = tokenFile;
        this.openReads = openReads;
        this.failures = failures;
        this.refusals = refusals;
    }

    Authentication authentication() {
        return authentication;
    }

    void check(Context ctx) {
        Access access = Access.of(ctx.routeRoles());
        if (access == null) {
            return;
        }
        if (access.who() == Who.ANYONE) {
            // without looking for the caller, which may wait for the store
            Caller.is(ctx, Principal.anonymous(Caller.stated(ctx), ctx.ip()));
        } else {
            Optional<Principal> known = authentication.of(ctx);
            known.ifPresent(principal -> Caller.is(ctx, principal));
            Caller.is(ctx, admitted(ctx, access, known.orElse(null)));
        }
    }

    /** Keeps a change that was refused for lack of rights, by this guard or by the handler. */
    void refused(Context ctx, ProblemException refusal) {
        Access access = Access.of(ctx.routeRoles());
        Problem problem = refusal.problems().get(0);
        if (access == null || isRead(ctx, access) || !REFUSALS.contains(problem.code())) {
            return;
        }
        String what = ctx.method() + " " + ApiToken.redacted(ctx.path()).replaceAll("[^\\x21-\\x7e]", "?");
        Principal caller = Caller.known(ctx).orElse(null);
        refusals.add(
                caller,
                caller == null ? ctx.ip() : caller.address(), // a standby forwards for many addresses
                what.substring(0, Math.min(what.length(), WHAT_LIMIT)),
                refusal.status(),
                problem.message());
    }

    private Principal admitted(Context ctx, Access access, @Nullable Principal caller) {
        Role role = access.who().role();
        boolean byToken = Caller.session(ctx).isEmpty();
        if (caller == null || !(byToken || access.sessions())) {
            boolean open = openReads && role != Role.ADMIN && isRead(ctx, access);
            if (role != null && !open) {
                throw unauthorized(ctx);
            }
            return caller == null ? Principal.anonymous(Caller.stated(ctx), ctx.ip()) : caller;
        }
        ClusterName cluster = cluster(ctx);
        if (role != null && !allows(access, caller, cluster)) {
            throw forbidden(access, role, caller, cluster);
        }
        return caller;
    }

    /** @param cluster the cluster in the path; null without one */
    static boolean allows(Access access, Principal caller, @Nullable ClusterName cluster) {
        Role role = access.who().role();
        if (role == null) {
            return true;
        }
        boolean covered = access.extent() == Extent.FLEET ? caller.seesAll() : cluster == null || caller.sees(cluster);
        boolean server = access.who() != Who.PEER || caller.credential().equals(Principal.LOCAL_ADMIN);
        return caller.role().includes(role) && covered && server;
    }

    /** Null also for a name that is none, which the handler refuses. */
    private static @Nullable ClusterName cluster(Context ctx) {
        String name = ctx.pathParamMap().get("cluster");
        try {
            return name == null ? null : new ClusterName(name);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** A standby may answer only what changes nothing, such as an estimate that is asked for by POST. */
    private static boolean isRead(Context ctx, Access access) {
        return access.answers() == Answers.LEADER_OR_STANDBY
                || ctx.method().equals(HandlerType.GET)
                || ctx.method().equals(HandlerType.HEAD);
    }

    private ProblemException unauthorized(Context ctx) {
        ctx.header("WWW-Authenticate", "Bearer");
        if (Authentication.isTried(ctx) && failures.isBeyond(ctx.ip())) {
            return new ProblemException(
                    429,
                    Problem.of(
                            ErrorCode.UNAUTHORIZED,
                            "more than " + FailureLimit.PER_SECOND + " requests from " + ctx.ip()
                                    + " had a wrong token within a second",
                            "wait a second, then send a valid token"));
        }
        return ProblemException.of(Problem.of(
                ErrorCode.UNAUTHORIZED,
                authentication.refusal(ctx),
                new Advice(
                        "send Authorization: Bearer with the content of " + tokenFile
                                + " on the server's computer, or with a token that an admin makes: {}",
                        List.of("token create NAME --role viewer --clusters '*'"))));
    }

    private static ProblemException forbidden(
            Access access, Role role, Principal caller, @Nullable ClusterName cluster) {
        if (access.who() == Who.PEER) {
            return Rights.forbidden(caller, "only servers of the fleet may do this", role, ClusterPattern.ALL.value());
        }
        if (access.extent() == Extent.FLEET) {
            String needed = "this needs the role " + role.label() + " for all clusters";
            return Rights.forbidden(caller, needed, role, ClusterPattern.ALL.value());
        }
        String needed = "this needs the role " + role.label() + (cluster == null ? "" : " for cluster " + cluster);
        return Rights.forbidden(
                caller, needed, role, cluster == null ? caller.clusters().value() : cluster.value());
    }
}
