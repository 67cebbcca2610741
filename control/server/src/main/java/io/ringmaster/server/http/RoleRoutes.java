package io.ringmaster.server.http;

import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.ringmaster.core.view.View;
import io.ringmaster.model.access.Principal;
import io.ringmaster.model.access.Secret;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.RoleName;
import io.ringmaster.model.node.LoginOrder;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.PasswordSource;
import io.ringmaster.model.spec.RoleSpec;
import io.ringmaster.ports.Clock;
import io.ringmaster.server.change.ControllerGateway;
import io.ringmaster.server.http.Access.Extent;
import io.ringmaster.server.http.Access.Who;
import io.ringmaster.server.read.Views;
import io.ringmaster.server.refusal.ProblemException;
import io.ringmaster.server.secret.PasswordDirectory;
import io.ringmaster.server.secret.PasswordException;
import io.ringmaster.wire.api.CqlLogin;
import io.ringmaster.wire.api.RolePassword;
import io.ringmaster.wire.node.ExecutorLogins;
import io.ringmaster.wire.node.NotYetException;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.mindrot.jbcrypt.BCrypt;

/** Logins to the CQL ports of a cluster: superusers for a time, and the passwords of declared roles. */
final class RoleRoutes {
    private static final Duration LOGIN_LIFETIME = Duration.ofHours(12);
    private static final int SECRET_BYTES = 32;
    /** The lowest: nobody guesses 256 random bits, and logins stay cheap for the nodes. */
    private static final int BCRYPT_COST = 4;

    private static final int NAME_LENGTH = 16;

    private final SecureRandom random = new SecureRandom();
    private final Views views;
    private final ControllerGateway controller;
    private final PasswordDirectory passwords;
    private final ExecutorLogins executors;
    private final Clock clock;

    RoleRoutes(
            Views views,
            ControllerGateway controller,
            PasswordDirectory passwords,
            ExecutorLogins executors,
            Clock clock) {
        this.views = views;
        this.controller = controller;
        this.passwords = passwords;
        this.executors = executors;
        this.clock = clock;
    }

    List<ApiRoute> routes() {
        Access access = Access.change(Who.ADMIN, Extent.CLUSTER).withoutSessions();
        return List.of(
                new ApiRoute(HandlerType.POST, "clusters/{cluster}/logins", access, this::login),
                new ApiRoute(HandlerType.GET, "clusters/{cluster}/roles/{role}/password", access, this::password));
    }

    private void login(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        View view = views.now();
        if (!spec(view, cluster).requiresLogin()) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.REQUEST_INVALID,
                    cluster + " lets every CQL client in: its spec has no roles",
                    "connect without a login"));
        }
        NodeRecord node = view.nodesOf(cluster).stream()
                .filter(n -> view.status(n.id())
                        .filter(s -> s.mode() == OperatingMode.NORMAL)
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> ProblemException.of(Problem.of(
                        ErrorCode.EXECUTOR_FAILED,
                        "no node of " + cluster + " in " + view.datacenter() + " is NORMAL",
                        Advice.command("cluster status " + cluster)
                                .suffix("; or ask the server of another datacenter"))));
        String user = "rm_" + name(Caller.of(ctx).name()) + "_" + random(5).toLowerCase(Locale.ROOT);
        String password = random(SECRET_BYTES);
        String hash = BCrypt.hashpw(password, BCrypt.gensalt(BCRYPT_COST));
        audit(ctx, "log in to " + cluster + " as superuser " + user + " for " + LOGIN_LIFETIME.toHours() + " hours");
        try {
            executors.create(node.allocation(), new LoginOrder(user, hash, LOGIN_LIFETIME.toSeconds()));
        } catch (NotYetException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.CLUSTER_BUSY,
                    node.id() + ": " + ThrowableText.of(e),
                    Advice.command("cluster status " + cluster)));
        } catch (IOException e) {
            throw ProblemException.of(Problem.of(
                    ErrorCode.EXECUTOR_FAILED,
                    node.id() + ": " + ThrowableText.of(e),
                    Advice.nodeLogs(node.id()).prefix("see ")));
        }
        ctx.header("Cache-Control", "no-store")
                .json(new CqlLogin(
                        user, password, clock.now().plus(LOGIN_LIFETIME).truncatedTo(ChronoUnit.SECONDS)));
    }

    /** Before the secret exists or is read: what cannot be audited is not handed out. */
    private void audit(Context ctx, String what) {
        Principal caller = Caller.of(ctx);
        controller.request(caller, c -> c.noted(caller.name(), what, "given"));
    }

    /** Letters and digits of the caller's name, so that people see in Cassandra whose login it is. */
    private static String name(String caller) {
        String name = caller.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
        return name.isEmpty() ? "somebody" : name.substring(0, Math.min(NAME_LENGTH, name.length()));
    }

    private String random(int bytes) {
        byte[] random = new byte[bytes];
        this.random.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random).replaceAll("[-_]", "x");
    }

    private void password(Context ctx) {
        ClusterName cluster = Requests.cluster(ctx);
        RoleName name = Requests.parse("role", ctx.pathParam("role"), RoleName::new);
        View view = views.now();
        ClusterSpec spec = spec(view, cluster);
        DatacenterName first = spec.datacenterNames().get(0);
        if (!first.equals(view.datacenter())) {
            throw ProblemException.of(Problem.field(
                    ErrorCode.DATACENTER_UNKNOWN,
                    "role",
                    "the passwords of " + cluster + " are at the servers of " + first + ": add --server of " + first));
        }
        PasswordSource source = Objects.requireNonNullElse(spec.roles(), List.<RoleSpec>of()).stream()
                .filter(r -> r.name().equals(name))
                .map(RoleSpec::password)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> ProblemException.of(Problem.field(
                        ErrorCode.REQUEST_INVALID,
                        "role",
                        "the spec of " + cluster + " has no role '" + name + "' with a password")));
        if (source.kind() != PasswordSource.Kind.GENERATED) {
            throw ProblemException.of(Problem.field(
                    ErrorCode.REQUEST_INVALID,
                    "role",
                    "the password of " + name + " is not generated; it comes from " + source.text()));
        }
        audit(ctx, "read the password of " + name + " of " + cluster);
        try {
            Secret password = passwords
                    .made(cluster, name)
                    .orElseThrow(() -> ProblemException.of(Problem.field(
                            ErrorCode.REQUEST_INVALID,
                            "role",
                            "this server has no password of " + name + ": no deploy of " + cluster
                                    + " has made it yet, or the folder secrets was lost; see docs/roles.md")));
            ctx.header("Cache-Control", "no-store").json(new RolePassword(name, password.reveal()));
        } catch (PasswordException e) {
            throw ProblemException.of(Problem.of(ErrorCode.INTERNAL, ThrowableText.of(e)));
        }
    }

    private static ClusterSpec spec(View view, ClusterName cluster) {
        return view.targetSpec(cluster)
                .orElseThrow(() -> ProblemException.of(
                        Problem.of(ErrorCode.CLUSTER_UNKNOWN, "no cluster '" + cluster + "' is declared here")))
                .spec();
    }
}
