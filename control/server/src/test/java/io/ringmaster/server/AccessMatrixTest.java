package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.server.OpenApiFile.Operation;
import io.ringmaster.server.RawHttp.Answer;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    @TempDir
    static Path directory;

    private static TestDatacenter datacenter;
    private static final List<Visitor> VISITORS = new ArrayList<>();

    /**
     * @param token null without one
     * @param role null without a valid token
     */
    private record Visitor(String name, @Nullable String token, @Nullable Role role, boolean ofAll, boolean server) {
        String[] headers() {
            return token == null ? new String[0] : new String[] {"Authorization: Bearer " + token};
        }

        /** The status of a refusal by access; 0 if the handler must be reached. */
        int refusal(String access, String cluster) {
            List<String> words = List.of(access.split(" "));
            String least = words.get(0);
            if (least.equals("anyone")) {
                return 0;
            }
            if (role == null) {
                return 401;
            }
            if (least.equals("peer")) {
                return server ? 0 : 403;
            }
            boolean enough = role.compareTo(Role.valueOf(least.toUpperCase(Locale.ROOT))) >= 0;
            boolean extent = ofAll || (words.get(3).equals("cluster") && !cluster.equals(OTHER));
            return enough && extent ? 0 : 403;
        }
    }

    @BeforeAll
    static void start() throws Exception {
        datacenter = TestDatacenter.alone(directory, false);
        VISITORS.add(new Visitor("nobody", null, null, false, false));
        VISITORS.add(new Visitor("the server", TestDatacenter.TOKEN, Role.ADMIN, true, true));
        for (Role role : Role.values()) {
            VISITORS.add(new Visitor(role + " of the team", token(role, "team-*", 3600), role, false, false));
            VISITORS.add(new Visitor(role + " of all", token(role, "*", 3600), role, true, false));
        }
        TokenAnswer revoked = create(Role.ADMIN, "*", 3600);
        datacenter.client().revokeToken(revoked.info().id(), false);
        VISITORS.add(new Visitor("a revoked admin", revoked.token(), null, false, false));
        VISITORS.add(new Visitor("an expired admin", token(Role.ADMIN, "*", 1), null, false, false));
        VISITORS.add(new Visitor("a forger", token(Role.ADMIN, "*", 60).replaceAll(".$", "g"), null, false, false));
        Thread.sleep(1100); // the lifetime of the expired one
    }

    @AfterAll
    static void stop() {
        datacenter.close();
        VISITORS.clear();
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
                .filter(cluster -> cluster.equals(OWN) || operation.path().contains("{cluster}"))
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
                .replace("{name}", "nowhere")
                .replace("{incarnation}", "dc1-1")
                .replace("{id}", "20261124T040000Z-3f9c")
                .replace("{operation}", "flush")
                .replace("{plan}", "dc1-99")
                .replace("{verb}", "pause")
                .replace("{node}", "node-0")
                .replace("{token}", "dc1-aaaaaaaa");
        Answer answer =
                RawHttp.send(datacenter.url().getPort(), operation.method(), "/api/v1" + path, "", visitor.headers());
        int refusal = visitor.refusal(operation.access(), cluster);
        if (refusal == 0) {
            assertThat(answer.status()).as(answer.text()).isNotIn(401, 403);
        } else if (refusal == 401 && visitor.token != null) {
            // more than ten wrong tokens a second are too many
            assertThat(answer.status()).as(answer.text()).isIn(401, 429);
        } else {
            assertThat(answer.status()).as(answer.text()).isEqualTo(refusal);
        }
    }
}
