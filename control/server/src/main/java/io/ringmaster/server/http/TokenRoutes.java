package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.access.ApiTokens;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.TokenId;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.access.ApiToken;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.login.UserName;
import io.ringmaster.server.read.Views;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.api.TokenInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Creates, lists and revokes API tokens. A session may list them; the other two need the token of an admin. */
final class TokenRoutes {
    private static final int BODY_LIMIT_BYTES = 4096;
    private static final Duration LIFETIME_MAX = Duration.ofDays(366);

    private final Views views;
    private final ControllerGateway controller;
    private final Clock clock;

    TokenRoutes(Views views, ControllerGateway controller, Clock clock) {
        this.views = views;
        this.controller = controller;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        Access change = Access.change(Who.ADMIN, Extent.FLEET).withoutSessions();
        return List.of(
                new ApiRoute(HandlerType.GET, "tokens", Access.read(Who.ADMIN, Extent.FLEET), this::list),
                new ApiRoute(HandlerType.POST, "tokens", change, this::create),
                new ApiRoute(HandlerType.DELETE, "tokens/{token}", change, this::revoke));
    }

    private void list(Context ctx) {
        Instant now = clock.now();
        ctx.json(ApiTokens.all(views.now()).stream()
                .map(token -> TokenInfo.of(token, now))
                .toList());
    }

    private void create(Context ctx) {
        TokenAsk ask = Requests.json(Requests.body(ctx, BODY_LIMIT_BYTES), TokenAsk.class);
        check(ask);
        boolean dryRun = Requests.flag(ctx, "dryRun");
        Principal caller = Caller.of(ctx);
        View view = views.now();
        ApiToken token = ApiToken.create(view.datacenter());
        Instant now = clock.now().truncatedTo(ChronoUnit.SECONDS);
        var record = new TokenRecord(
                token.id(),
                ask.name(),
                ask.role(),
                ask.clusters(),
                token.sha256(),
                caller.name(),
                now,
                now.plusSeconds(ask.lifetimeSeconds()),
                null,
                null);
        TokenRecord created = controller.request(caller, c -> c.createToken(record, dryRun));
        ctx.header("Cache-Control", "no-store")
                .json(new TokenAnswer(TokenInfo.of(created, now), dryRun, dryRun ? null : token.text()));
    }

    private void revoke(Context ctx) {
        TokenId id = Requests.parse("token", ctx.pathParam("token"), TokenId::new);
        boolean dryRun = Requests.flag(ctx, "dryRun");
        Principal caller = Caller.of(ctx);
        TokenRecord revoked = controller.request(caller, c -> c.revokeToken(id, caller.name(), dryRun));
        ctx.json(TokenInfo.of(revoked, clock.now()));
    }

    private static void check(TokenAsk ask) {
        if (!UserName.isValid(ask.name()) || ask.name().equals(Principal.LOCAL_ADMIN)) {
            throw Requests.invalid("name", UserName.RULE + ", " + Principal.LOCAL_ADMIN);
        }
        if (ask.role() == null) {
            throw Requests.invalid("role", "missing; must be one of " + List.of(Role.values()));
        }
        if (ask.clusters() == null) {
            throw Requests.invalid("clusters", "missing; must be a cluster name or a pattern such as team-*");
        }
        if (ask.lifetimeSeconds() < 1 || ask.lifetimeSeconds() > LIFETIME_MAX.toSeconds()) {
            throw Requests.invalid("lifetimeSeconds", "must be in 1-" + LIFETIME_MAX.toSeconds() + ", a year");
        }
    }
}
