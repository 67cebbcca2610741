package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.wire.api.Condition;
import io.ringmaster.wire.api.Health;
import io.ringmaster.wire.api.OperationAsk;
import io.ringmaster.wire.api.RingNode;
import io.ringmaster.wire.api.Unanswered;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers with separate ZooKeepers that exchange reports over HTTP. */
class TwoDatacentersTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final DatacenterName DC2 = new DatacenterName("dc2");
    private static final String SPEC = Specs.of("rides", "dc1: {nodes: 3, seeds: 2}", "dc2: {nodes: 2, seeds: 1}");

    @TempDir
    Path directory;

    private TestDatacenter one;
    private TestDatacenter two;

    @BeforeEach
    void start() throws IOException {
        List<TestDatacenter> both = TestDatacenter.two(directory);
        one = both.get(0);
        two = both.get(1);
        Eventually.is(() -> one.client().datacenter().peers().stream().allMatch(p -> p.silence() == null));
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
    }

    @Test
    void a_spec_applied_at_one_server_creates_the_cluster_in_both_datacenters_and_either_server_answers_for_both() {
        var dry = one.client().apply(RIDES, SPEC, 0L, ChangeOptions.DRY_RUN);
        assertThat(dry.plans()).extracting(p -> p.id().datacenter().value()).containsExactly("dc1", "dc2");
        one.client().apply(RIDES, SPEC, 0L, ChangeOptions.APPLY);
        for (RingmasterClient client : List.of(one.client(), two.client())) {
            var status = Eventually.becomes(
                    () -> client.status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
            assertThat(status.normal()).isEqualTo(5);
            assertThat(status.datacenters()).extracting(d -> d.nodes().size()).containsExactly(3, 2);
            assertThat(status.datacenters()).allSatisfy(d -> assertThat(d.nodes())
                    .allSatisfy(n -> assertThat(n.seesNormal()).isEqualTo(5)));
            assertThat(status.contactPoints()).hasSize(5);
            List<Plan> plans = client.plans(RIDES).items();
            assertThat(plans).hasSize(2).allSatisfy(p -> assertThat(p.status()).isEqualTo(PlanStatus.COMPLETE));
            assertThat(client.plan(plans.get(1).id())).isEqualTo(plans.get(1));
            assertThat(client.machines().items()).hasSize(6);
            assertThat(client.spec(RIDES).source()).isEqualTo(SPEC);
            assertThat(client.logs(NodeId.of("rides/dc2/node-1"), "system", 3)).contains("lines=3");
        }
    }

    @Test
    void the_ring_has_the_tokens_of_both_datacenters_and_marks_a_node_that_a_plan_removes() {
        one.client().apply(RIDES, SPEC, 0L, ChangeOptions.APPLY);
        Eventually.becomes(() -> one.client().status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        List<RingNode> ring = one.client().ring(RIDES, Scope.FLEET).items();
        assertThat(ring)
                .extracting(n -> n.node().value())
                .containsExactly(
                        "rides/dc1/node-0",
                        "rides/dc1/node-1",
                        "rides/dc1/node-2",
                        "rides/dc2/node-0",
                        "rides/dc2/node-1");
        assertThat(ring).allSatisfy(n -> {
            assertThat(n.mode()).isEqualTo(OperatingMode.NORMAL);
            assertThat(n.joined()).isTrue();
            assertThat(n.leaving()).isFalse();
            assertThat(n.tokens().stream().map(Long::valueOf)).isNotEmpty().isSorted();
        });
        assertThat(two.client().ring(RIDES, Scope.LOCAL).items()).hasSize(2);

        // dc1 cannot settle the new version meanwhile, so dc2's plan waits
        one.pool().fail(2, Problem.of(ErrorCode.DAEMON_FAILED, "its disk is full"));
        Eventually.becomes(() -> one.client().status(RIDES, Scope.FLEET), s -> s.condition() == Condition.DEGRADED);
        one.client().apply(RIDES, SPEC.replace("dc2: {nodes: 2", "dc2: {nodes: 1"), 1L, ChangeOptions.APPLY);
        Eventually.becomes(
                () -> one.client().ring(RIDES, Scope.FLEET).items().stream()
                        .filter(RingNode::leaving)
                        .map(n -> n.node().value())
                        .toList(),
                leaving -> leaving.equals(List.of("rides/dc2/node-1")));
    }

    @Test
    void every_datacenter_is_listed_with_its_own_view_and_a_silent_one_is_named() {
        assertThat(one.client().datacenters()).satisfies(all -> {
            assertThat(all.unanswered()).isEmpty();
            assertThat(all.items()).extracting(d -> d.datacenter().value()).containsExactly("dc1", "dc2");
            assertThat(all.items()).allSatisfy(d -> assertThat(d.peers()).hasSize(1));
        });
        two.stopServer();
        Eventually.is(() -> one.client().datacenter().peers().stream().anyMatch(p -> p.silence() != null));
        assertThat(one.client().datacenters()).satisfies(all -> {
            assertThat(all.items()).extracting(d -> d.datacenter().value()).containsExactly("dc1");
            assertThat(all.unanswered()).extracting(Unanswered::datacenter).containsExactly(DC2);
        });
    }

    @Test
    void the_status_shows_the_holder_of_the_operation_lock_and_the_waiting_request() {
        one.client().apply(RIDES, SPEC, 0L, ChangeOptions.APPLY);
        Eventually.becomes(() -> one.client().status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
        assertThat(one.client().status(RIDES, Scope.FLEET).locks()).isEmpty();
        two.stopServer();
        Eventually.is(() -> one.client().datacenter().peers().stream().anyMatch(p -> p.silence() != null));
        var anyway = new ChangeOptions(false, false, true, false);
        var restart = one.client().operate(RIDES, "restart", new OperationAsk(Map.of("dc", "dc1"), ""), anyway);
        one.client().ask(Objects.requireNonNull(restart.plans().get(0)).id(), PlanVerb.PAUSE, null);
        var flush = one.client().operate(RIDES, "flush", new OperationAsk(Map.of("dc", "dc1"), ""), anyway);
        var locks = Eventually.becomes(
                () -> one.client().status(RIDES, Scope.FLEET).locks(),
                all -> all.size() == 2 && !all.get(1).reason().equals("starts"));
        assertThat(locks.get(0).request()).isEqualTo(restart.request().id());
        assertThat(locks.get(0).reason()).endsWith(" is paused");
        assertThat(locks.get(1).request()).isEqualTo(flush.request().id());
        assertThat(locks.get(1).holds()).isFalse();
        assertThat(locks.get(1).reason())
                .startsWith("waits for the operation lock: " + restart.request().title() + " is first in dc1, since ");
    }

    @Test
    void a_spec_that_the_other_datacenter_refuses_changes_nothing_anywhere() {
        String tooMany = SPEC.replace("dc2: {nodes: 2", "dc2: {nodes: 9");
        var refused = catchThrowableOfType(
                RefusedException.class, () -> one.client().apply(RIDES, tooMany, 0L, ChangeOptions.APPLY));
        assertThat(refused.problems()).anySatisfy(p -> {
            assertThat(p.field()).isEqualTo("datacenters.dc2.nodes");
            assertThat(p.message()).startsWith("datacenter dc2: ");
        });
        assertThat(one.client().clusters().items()).isEmpty();
        assertThat(two.client().clusters().items()).isEmpty();
    }

    @Test
    void a_datacenter_that_does_not_answer_is_named_and_follows_later_if_that_is_allowed() {
        two.stopServer();
        Eventually.is(() -> one.client().datacenter().peers().stream()
                .anyMatch(p -> p.datacenter().equals(DC2) && p.silence() != null));
        assertThat(one.client().machines()).satisfies(machines -> {
            assertThat(machines.items()).hasSize(3);
            assertThat(machines.unanswered()).extracting(Unanswered::datacenter).containsExactly(DC2);
            assertThat(machines.unanswered().get(0).lastHeard()).isNotNull();
        });
        var refused = catchThrowableOfType(
                RefusedException.class, () -> one.client().apply(RIDES, SPEC, 0L, ChangeOptions.APPLY));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.problem().code()).isEqualTo(ErrorCode.PEER_UNREACHABLE);
        assertThat(refused.problem().message()).contains("dc2").contains("connection refused");
        assertThat(one.client().clusters().items()).isEmpty();

        var anyway = one.client().apply(RIDES, SPEC, 0L, new ChangeOptions(false, false, true, false));
        assertThat(anyway.unanswered()).extracting(Unanswered::datacenter).containsExactly(DC2);
        var waiting = one.client().status(RIDES, Scope.FLEET);
        assertThat(waiting.condition()).isEqualTo(Condition.CREATING);
        assertThat(waiting.datacenters().get(1).silence()).contains("connection refused");
        assertThat(waiting.findings()).anySatisfy(f -> assertThat(f.subject()).contains("dc2"));

        two.startServer();
        Eventually.becomes(() -> one.client().status(RIDES, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
    }

    @Test
    void a_datacenter_that_has_just_come_back_is_asked_although_it_was_silent_at_the_last_exchange()
            throws IOException {
        two.stopServer();
        Eventually.is(() -> one.client().datacenter().peers().stream()
                .anyMatch(p -> p.datacenter().equals(DC2) && p.silence() != null));
        two.startServer();
        Eventually.is(() -> two.client().health().state() == Health.State.LEADING);
        assertThat(one.client().apply(RIDES, SPEC, 0L, ChangeOptions.DRY_RUN).unanswered())
                .isEmpty();
    }

    @Test
    void a_change_in_one_datacenter_does_not_need_the_others() {
        two.stopServer();
        String alone = Specs.of("solo", "dc1: {nodes: 1, seeds: 1}");
        var solo = new ClusterName("solo");
        one.client().apply(solo, alone, 0L, ChangeOptions.APPLY);
        Eventually.becomes(() -> one.client().status(solo, Scope.FLEET), s -> s.condition() == Condition.HEALTHY);
    }
}
