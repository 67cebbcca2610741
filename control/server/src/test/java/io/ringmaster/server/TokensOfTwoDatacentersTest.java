package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.access.ClusterPattern;
import io.ringmaster.model.access.Role;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.PlanId;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.TokenRecord;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.TokenAnswer;
import io.ringmaster.wire.api.TokenAsk;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of dc1 whose holders read and change a cluster of dc2, by any server of dc1. */
class TokensOfTwoDatacentersTest {
    private static final ClusterName FAR = new ClusterName("far");
    private static final OperationAsk ASK = new OperationAsk(Map.of(), "");

    @TempDir
    static Path directory;

    private static TestDatacenter one;
    private static TestDatacenter two;

    @BeforeAll
    static void start() throws IOException {
        List<TestDatacenter> both = TestDatacenter.two(directory, false);
        one = both.get(0);
        two = both.get(1);
        Eventually.is(() -> one.client().datacenter().peers().stream().allMatch(p -> p.silence() == null));
        two.client().apply(FAR, Specs.of("far", "dc2: {nodes: 1, seeds: 1}"), 0L, ChangeOptions.APPLY);
        Eventually.becomes(() -> two.client().status(FAR, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        Eventually.is(() -> one.client().clusters().items().size() == 1);
    }

    @AfterAll
    static void stop() {
        one.close();
        two.close();
    }

    private static TokenAnswer create(String name, Role role, String clusters) {
        return one.client().createToken(new TokenAsk(name, role, new ClusterPattern(clusters), 3600), false);
    }

    private static RingmasterClient at(URI server, TokenAnswer token) {
        return TestDatacenter.client(server, token.token());
    }

    private static RefusedException refused(ThrowingCallable call) {
        return Objects.requireNonNull(catchThrowableOfType(RefusedException.class, call), "it was not refused");
    }

    private static boolean isRefused(RingmasterClient client) {
        return catchThrowableOfType(RefusedException.class, client::clusters) != null;
    }

    @Test
    void a_token_works_at_every_server_and_ends_everywhere_wherever_it_is_revoked() {
        TokenAnswer token = create("traveller", Role.VIEWER, "*");
        RingmasterClient here = at(one.url(), token);
        RingmasterClient there = at(two.url(), token);
        assertThat(here.clusters().items()).hasSize(1);
        Eventually.is(() -> !isRefused(there));
        two.client().revokeToken(token.info().id(), false);
        assertThat(isRefused(there)).isTrue();
        Eventually.is(() -> isRefused(here));
        assertThat(one.client().tokens())
                .filteredOn(t -> t.id().equals(token.info().id()))
                .singleElement()
                .satisfies(t -> assertThat(t.state()).isEqualTo(TokenRecord.State.REVOKED));
    }

    @Test
    void the_rights_of_a_caller_go_with_its_requests_to_the_other_datacenter() {
        TokenAnswer token = create("operator", Role.OPERATOR, "far*");
        at(one.url(), token).operate(FAR, "flush", ASK, ChangeOptions.APPLY);
        assertThat(two.client().audit(100, Scope.LOCAL).items()).anySatisfy(entry -> {
            assertThat(entry.who()).isEqualTo("operator");
            assertThat(Objects.requireNonNull(entry.origin()).credential())
                    .isEqualTo(token.info().id().value());
        });
        RingmasterClient foreign = at(one.url(), create("foreign", Role.ADMIN, "team-*"));
        PlanId plan = two.client().plans(FAR).items().get(0).id();
        assertThat(refused(() -> foreign.ask(plan, PlanVerb.ABORT, null))
                        .problem()
                        .code())
                .isEqualTo(ErrorCode.PLAN_UNKNOWN);
        assertThat(refused(() -> foreign.operate(FAR, "flush", ASK, ChangeOptions.APPLY))
                        .status())
                .isEqualTo(403);
        assertThat(foreign.clusters().items()).isEmpty();
    }

    @Test
    void a_standby_checks_a_token_and_forwards_with_its_rights() throws IOException {
        URI standby = one.startAnotherServer();
        try {
            Eventually.becomes(
                    () -> TestDatacenter.client(standby, null).health(), h -> h.state() == Health.State.STANDBY);
            TokenAnswer viewer = create("viewer", Role.VIEWER, "far");
            Eventually.is(() -> !isRefused(at(standby, viewer)));
            assertThat(at(standby, viewer).clusters().items()).hasSize(1);
            assertThat(refused(() -> at(standby, viewer).operate(FAR, "flush", ASK, ChangeOptions.APPLY))
                            .status())
                    .isEqualTo(403);
            Eventually.is(() -> one.client().audit(100, Scope.LOCAL).items().stream()
                    .anyMatch(e -> e.who().equals("viewer")
                            && e.what().equals("POST /api/v1/clusters/far/operations/flush")
                            && e.outcome().startsWith("refused: this needs the role operator")));
            assertThat(refused(at(standby, viewer)::machines).status()).isEqualTo(403);
            one.client().revokeToken(viewer.info().id(), false);
            Eventually.is(() -> isRefused(at(standby, viewer)));
        } finally {
            one.stopServer(standby);
        }
    }
}
