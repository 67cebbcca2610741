package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.login.LoginCodes;
import io.ringmaster.server.login.LoginDesk;
import io.ringmaster.server.login.LoginDesk.TooManyTriesException;
import io.ringmaster.server.login.LoginSession;
import io.ringmaster.server.login.SessionSigner;
import io.ringmaster.server.login.UserName;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.wire.api.Login;
import io.ringmaster.wire.api.LoginAnswer;
import io.ringmaster.wire.api.LoginCode;
import io.ringmaster.wire.api.SessionState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Login codes and sessions of the page. Always answered by the server that is asked. */
final class LoginRoutes {
    /** The address belongs to requests; sessions have none. */
    private static final String NOWHERE = "none";

    private static final int SECONDS = 60;
    private static final int SECONDS_MAX = 600;
    private static final int BODY_LIMIT_BYTES = 4096;

    private final DatacenterName datacenter;
    private final boolean openReads;
    private final Clock clock;
    private final Authentication authentication;
    private final SessionCookie cookie;
    private final LoginCodes codes = new LoginCodes();
    private final LoginDesk desk;

    LoginRoutes(
            DatacenterName datacenter,
            boolean openReads,
            Clock clock,
            Authentication authentication,
            SessionSigner signer) {
        this.datacenter = datacenter;
        this.openReads = openReads;
        this.clock = clock;
        this.authentication = authentication;
        this.cookie = authentication.sessions();
        this.desk =
                new LoginDesk((token, who) -> authentication.credentials().bearer(token, who, NOWHERE), codes, signer);
    }

    List<ApiRoute> routes() {
        return List.of(
                new ApiRoute(
                        HandlerType.POST,
                        "login-codes",
                        Access.self(Who.VIEWER, Extent.CLUSTER).withoutSessions(),
                        this::createCode),
                new ApiRoute(HandlerType.GET, "session", Access.self(Who.ANYONE, Extent.FLEET), this::state),
                new ApiRoute(HandlerType.POST, "session", Access.self(Who.ANYONE, Extent.FLEET), this::login),
                new ApiRoute(HandlerType.DELETE, "session", Access.self(Who.ANYONE, Extent.FLEET), this::logout));
    }

    private void createCode(Context ctx) {
        Principal caller = Caller.of(ctx);
        var lifetime = Duration.ofSeconds(Requests.number(ctx, "seconds", 1, SECONDS_MAX, SECONDS));
        var code = codes.create(caller.name(), caller.credential(), lifetime, clock.now())
                .orElseThrow(() -> tooMany(
                        LoginCodes.OPEN_MAX + " login codes are open, the maximum",
                        "use one, or wait until they expire"));
        unstored(ctx).json(new LoginCode(code.text(), code.expiresAt()));
    }

    private void state(Context ctx) {
        authentication.of(ctx); // the route is open to anyone, so nobody has looked for a session
        Optional<LoginSession> session = Caller.session(ctx);
        unstored(ctx)
                .json(new SessionState(
                        datacenter,
                        openReads,
                        session.map(LoginSession::who).orElse(null),
                        session.map(LoginSession::expiresAt).orElse(null)));
    }

    private void login(Context ctx) {
        Login login = Requests.json(Requests.body(ctx, BODY_LIMIT_BYTES), Login.class);
        SessionSigner.Issued issued;
        try {
            issued = issue(login.code(), login.token(), login.who());
        } catch (TooManyTriesException e) {
            throw tooMany("too many wrong logins within a second", "try again in a second");
        }
        cookie.set(ctx, issued);
        var session = issued.session();
        unstored(ctx).json(new LoginAnswer(issued.key(), session.who(), session.expiresAt()));
    }

    private SessionSigner.Issued issue(@Nullable String code, @Nullable String token, @Nullable String who)
            throws TooManyTriesException {
        Instant now = clock.now();
        if (code != null && token == null && who == null) {
            return desk.byCode(code, now)
                    .orElseThrow(() -> wrong(
                            "the login code is wrong, was used, or has expired",
                            Advice.command("web").suffix(" prints another link")));
        }
        if (code != null || token == null || who == null) {
            throw Requests.invalid("body", "must have either code, or token and who");
        }
        if (!UserName.isValid(who)) {
            throw Requests.invalid("who", UserName.RULE);
        }
        return desk.byToken(token, who, now)
                .orElseThrow(() -> wrong(
                        "the API token is wrong", Advice.command("web").suffix(" prints a link that needs no token")));
    }

    private void logout(Context ctx) {
        cookie.end(ctx);
        ctx.status(204);
    }

    /** Secrets must not stay in the browser's cache. */
    private static Context unstored(Context ctx) {
        return ctx.header("Cache-Control", "no-store");
    }

    private static ProblemException wrong(String what, Advice nextStep) {
        return ProblemException.of(Problem.of(ErrorCode.UNAUTHORIZED, what, nextStep));
    }

    private static ProblemException tooMany(String what, String nextStep) {
        return new ProblemException(429, Problem.of(ErrorCode.REQUEST_INVALID, what, nextStep));
    }
}
