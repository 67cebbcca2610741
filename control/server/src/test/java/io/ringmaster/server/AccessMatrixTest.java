package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.json.Json;
import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.server.OpenApiFile.Operation;
import io.ringmaster.server.RawHttp.Answer;
import io.ringmaster.wire.api.LoginAnswer;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every operation of {@code api/openapi.yaml}, called by everybody, for a cluster of their own and for another one: the
 * answer is the one that {@code x-ringmaster-access} promises.
 */
class AccessMatrixTest {
    private static final List<Operation> OPERATIONS = OpenApiFile.read().operations();
    private static final String OWN = "team-a";
    private static final String OTHER = "rides";
    /** A cluster and a plan of it for each of the two, so that the matrix does not delete them. */
    private static final Map<String, ClusterName> WITH_PLAN =
            Map.of(OWN, new ClusterName("team-b"), OTHER, new ClusterName("far"));

    private static final Map<String, PlanId> PLANS = new HashMap<>();
    private static final String PERIOD = "{\"seconds\":1,\"requests\":1,\"failed\":0}";
    private static final String LOAD =
            "{\"what\":\"x\",\"at\":\"2026-01-02T03:04:05Z\",\"parts\":[{\"datacenter\":\"dc1\",\"before\":" + PERIOD
                    + ",\"during\":" + PERIOD + ",\"after\":" + PERIOD + "}]}";

    @TempDir
    static Path directory;

    private static TestDatacenter datacenter;
    private static final List<Visitor> VISITORS = new ArrayList<>();

    /**
     * @param token null without one
     * @param role null without a valid token
     */
    private record Visitor(String name, @Nullable String token, @Nullable Role role, boolean ofAll, Kind kind) {
        String[] headers() throws IOException {
            if (token == null) {
                return new String[0];
            }
            return kind == Kind.SESSION ? session(token) : new String[] {"Authorization: Bearer " + token};
        }

        /** The status of a refusal by access; 0 if the handler must be reached. */
        int refusal(String access, String cluster) {
            List<String> words = List.of(access.split(" "));
            String least = words.get(0);
            if (least.equals("anyone")) {
                return 0;
            }
            boolean byToken = access.endsWith("by token") || least.equals("peer");
            if (role == null || (kind == Kind.SESSION && byToken)) {
                return 401;
            }
            if (least.equals("peer")) {
                return kind == Kind.SERVER ? 0 : 403;
            }
            boolean enough = role.compareTo(Role.valueOf(least.toUpperCase(Locale.ROOT))) >= 0;
            boolean extent = ofAll || (words.get(3).equals("cluster") && !cluster.equals(OTHER));
            return enough && extent ? 0 : 403;
        }
    }

    private enum Kind {
        TOKEN,
        SESSION,
        SERVER
    }

    @BeforeAll
    static void start() throws Exception {
        datacenter = TestDatacenter.alone(directory, false);
        WITH_PLAN.forEach((of, cluster) -> {
            String spec = Specs.of(cluster.value(), "dc1: {nodes: 1, seeds: 1}");
            datacenter.client().apply(cluster, spec, 0L, ChangeOptions.APPLY);
            List<Plan> plans =
                    Eventually.becomes(() -> datacenter.client().plans(cluster).items(), p -> !p.isEmpty());
            PLANS.put(of, plans.get(0).id());
        });
        VISITORS.add(new Visitor("nobody", null, null, false, Kind.TOKEN));
        VISITORS.add(new Visitor("the server", TestDatacenter.TOKEN, Role.ADMIN, true, Kind.SERVER));
        for (Role role : Role.values()) {
            VISITORS.add(new Visitor(role + " of the team", token(role, "team-*", 3600), role, false, Kind.TOKEN));
            VISITORS.add(new Visitor(role + " of all", token(role, "*", 3600), role, true, Kind.TOKEN));
        }
        VISITORS.add(new Visitor("a session", token(Role.ADMIN, "*", 3600), Role.ADMIN, true, Kind.SESSION));
        TokenAnswer revoked = create(Role.ADMIN, "*", 3600);
        datacenter.client().revokeToken(revoked.info().id(), false);
        VISITORS.add(new Visitor("a revoked admin", revoked.token(), null, false, Kind.TOKEN));
        VISITORS.add(new Visitor("an expired admin", token(Role.ADMIN, "*", 1), null, false, Kind.TOKEN));
        VISITORS.add(new Visitor("a forger", forged(token(Role.ADMIN, "*", 60)), null, false, Kind.TOKEN));
        Thread.sleep(1100); // the lifetime of the expired one
    }

    private static String forged(String token) {
        return token.substring(0, token.length() - 1) + (token.endsWith("0") ? "1" : "0");
    }

    /** A new one for each request, because one of them ends it. */
    private static String[] session(String token) throws IOException {
        Answer login = RawHttp.send(
                datacenter.url().getPort(), "POST", "/api/v1/session", "{\"token\":\"" + token + "\",\"who\":\"x\"}");
        String cookie = login.header("Set-Cookie").replaceFirst(";.*", "");
        String key = Json.parse(login.text(), LoginAnswer.class).key();
        return new String[] {"Cookie: " + cookie, "Ringmaster-Session: " + key};
    }

    @AfterAll
    static void stop() {
        datacenter.close();
        VISITORS.clear();
        PLANS.clear();
    }

    private static TokenAnswer create(Role role, String clusters, long seconds) {
        return datacenter.client().createToken(new TokenAsk("x", role, new ClusterPattern(clusters), seconds), false);
    }

    private static String token(Role role, String clusters, long seconds) {
        return Objects.requireNonNull(create(role, clusters, seconds).token());
    }

    @TestFactory
    Stream<DynamicTest> every_operation_is_open_to_those_that_the_file_names_and_to_nobody_else() {
        return OPERATIONS.stream().flatMap(operation -> VISITORS.stream().flatMap(visitor -> Stream.of(OWN, OTHER)
                .filter(cluster -> cluster.equals(OWN)
                        || operation.path().contains("{cluster}")
                        || operation.path().contains("{plan}"))
                .map(cluster -> DynamicTest.dynamicTest(
                        visitor.name + ": " + operation.id() + " " + cluster,
                        () -> calls(visitor, operation, cluster)))));
    }

    private static void calls(Visitor visitor, Operation operation, String cluster) throws IOException {
        String path = operation
                .path()
                .replace("{cluster}", cluster)
                .replace("{datacenter}", "dc1")
                .replace("{machine}", "machine-1")
                .replace("{volume}", "rides-dc1-node-0")
                .replace("{name}", "nowhere")
                .replace("{incarnation}", "dc1-1")
                .replace("{id}", "20261124T040000Z-3f9c")
                .replace("{operation}", "flush")
                .replace("{plan}", String.valueOf(PLANS.get(cluster)))
                .replace("{verb}", "pause")
                .replace("{node}", "node-0")
                .replace("{role}", "app")
                .replace("{token}", "dc1-aaaaaaaa");
        String body = operation.path().endsWith("/load") ? LOAD : "";
        Answer answer =
                RawHttp.send(datacenter.url().getPort(), operation.method(), "/api/v1" + path, body, visitor.headers());
        boolean ofPlan = operation.path().contains("{plan}");
        boolean hidden = ofPlan && cluster.equals(OTHER) && !visitor.ofAll;
        int refusal = visitor.refusal(operation.access(), ofPlan ? OWN : cluster);
        if (refusal == 0 && hidden) {
            assertThat(answer.status()).as(answer.text()).isEqualTo(404);
            assertThat(answer.text()).contains("PLAN_UNKNOWN");
        } else if (refusal == 0) {
            assertThat(answer.status()).as(answer.text()).isNotIn(401, 403);
            assertThat(answer.status()).as(answer.text()).matches(s -> s < 500 || s == 503);
            assertThat(answer.text()).doesNotContain("PLAN_UNKNOWN");
        } else if (refusal == 401 && visitor.token != null) {
            // more than ten wrong tokens a second are too many
            assertThat(answer.status()).as(answer.text()).isIn(401, 429);
        } else {
            assertThat(answer.status()).as(answer.text()).isEqualTo(refusal);
        }
    }
}
