package io.ringmaster.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.operation.RoleReplication;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.RequestId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.RequestRecord;
import io.ringmaster.model.request.LockScope;
import io.ringmaster.model.request.Request;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The spec names dc1 alone; the replication of roles names dc2, too. */
class DepartedDatacenterTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 3, 2).withRoles(List.of());

    private static Scene left() {
        return Scene.live(SPEC).settled();
    }

    private static Optional<String> due(Scene scene) {
        return DepartedDatacenter.dueHere(scene.view(), Scene.RIDES);
    }

    @Test
    void it_is_due_once_the_last_node_has_left() {
        assertThat(due(left())).contains("dc2");
        assertThat(due(left().remoteLeft(0))).as("gossip repeats that for days").contains("dc2");
        assertThat(due(left().remoteSeen(0, true))).isEmpty();
        assertThat(due(left().remoteSeen(0, false))).as("a member that is down").isEmpty();
        assertThat(due(left().memberOfUnknownDatacenter()))
                .as("a daemon has started since that one went down: it may be of dc2")
                .isEmpty();
    }

    @Test
    void nothing_is_due_where_the_replication_names_the_datacenters_of_the_spec() {
        assertThat(due(left().roleReplicas(Map.of("dc1", 3)))).isEmpty();
        assertThat(due(left().roleReplicas(Map.of("*", 1))))
                .as("roles were never written")
                .isEmpty();
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).withRoles(List.of());
        assertThat(due(left().version(both)))
                .as("it is named again, and about to join")
                .isEmpty();
        assertThat(due(Scene.live(Samples.spec("rides", 3, 2)).settled()))
                .as("a cluster without roles")
                .isEmpty();
        assertThat(due(left().deleting())).isEmpty();
    }

    @Test
    void only_the_first_datacenter_asks_for_it() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).withRoles(List.of());
        ClusterSpec second = both.withDatacenters(
                List.of(both.datacenters().get(1), both.datacenters().get(0)));
        Map<String, Integer> three = Map.of("dc1", 3, "dc2", 3, "dc3", 3);
        assertThat(due(Scene.live(second).settled().roleReplicas(three))).isEmpty();
        assertThat(due(Scene.live(both).settled().peer(3, 1, 1, true, null).roleReplicas(three)))
                .contains("dc3");
    }

    @Test
    void nothing_is_asked_that_would_wait_and_keep_the_operation_lock() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).withRoles(List.of());
        Map<String, Integer> three = Map.of("dc1", 3, "dc2", 3, "dc3", 3);
        Scene silent = Scene.live(both)
                .settled()
                .peer(3, 1, 1, true, null)
                .roleReplicas(three)
                .peerSilent();
        assertThat(due(silent)).isEmpty();
        Scene unsettledThere =
                Scene.live(both).settled().peer(3, 1, 0, true, null).roleReplicas(three);
        assertThat(due(unsettledThere)).isEmpty();
        assertThat(due(left().version(SPEC.withCassandraYaml(Map.of("concurrent_reads", 8)))))
                .isEmpty();
        Scene stopped = left();
        for (int i = 0; i < 3; i++) {
            stopped.record(i, r -> r.running(false));
        }
        assertThat(due(stopped)).isEmpty();
        assertThat(DepartedDatacenter.dueHere(
                        with(request(3, "restart", Duration.ofDays(1)), RequestPart.State.PLANNED, Scene.NOW),
                        Scene.RIDES))
                .as("a plan that waits for a person")
                .isEmpty();
    }

    @Test
    void a_node_that_is_not_NORMAL_tells_nothing() {
        Scene starting = left();
        for (int i = 0; i < 3; i++) {
            starting.says(i, OperatingMode.STARTING);
        }
        assertThat(due(starting)).isEmpty();
    }

    private static Request request(long number, String operation, Duration ago) {
        return new Request(
                new RequestId(Samples.DC1, number),
                Scene.RIDES,
                left().view().targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                operation,
                LockScope.NODES,
                Map.of(),
                AutomaticReplace.WHO,
                "",
                Scene.NOW.minus(ago),
                null);
    }

    private static View with(Request request, RequestPart.State state, Instant since) {
        return with(left().view(), request, state, since);
    }

    private static View with(View view, Request request, RequestPart.State state, Instant since) {
        return view.with(List.of(new Change.Put(new RequestRecord(request, new RequestPart(state, null, since, "")))));
    }

    /** The last request was made ten minutes before its end. */
    private static View ended(Duration ago) {
        return with(
                request(3, RoleReplication.NAME, ago.plusMinutes(10)), RequestPart.State.DONE, Scene.NOW.minus(ago));
    }

    @Test
    void a_request_without_effect_is_repeated_after_a_pause_from_its_end() {
        assertThat(DepartedDatacenter.dueHere(ended(Duration.ofSeconds(119)), Scene.RIDES))
                .isEmpty();
        assertThat(DepartedDatacenter.dueHere(ended(Duration.ofSeconds(121)), Scene.RIDES))
                .contains("dc2");
    }

    /** Two requests, which ended at once. */
    private static Optional<String> due(Duration between, Duration ago) {
        View first = with(
                request(3, RoleReplication.NAME, ago.plus(between)),
                RequestPart.State.DONE,
                Scene.NOW.minus(ago).minus(between));
        View both = with(first, request(4, RoleReplication.NAME, ago), RequestPart.State.DONE, Scene.NOW.minus(ago));
        return DepartedDatacenter.dueHere(both, Scene.RIDES);
    }

    @Test
    void pauses_grow_up_to_six_hours() {
        assertThat(due(Duration.ofMinutes(10), Duration.ofMinutes(19))).isEmpty();
        assertThat(due(Duration.ofMinutes(10), Duration.ofMinutes(21))).contains("dc2");
        assertThat(due(Duration.ofHours(5), Duration.ofMinutes(359))).isEmpty();
        assertThat(due(Duration.ofHours(5), Duration.ofMinutes(361))).contains("dc2");
        assertThat(due(Duration.ofDays(300), Duration.ofMinutes(3)))
                .as("it left before, too")
                .contains("dc2");
    }

    private static Optional<String> stuck(View view) {
        return DepartedDatacenter.stuck(view, Scene.RIDES);
    }

    @Test
    void it_is_stuck_once_a_request_had_no_effect() {
        assertThat(stuck(left().view())).as("nobody has asked yet").isEmpty();
        assertThat(stuck(ended(Duration.ofSeconds(59))))
                .as("nodes may not have reported it yet")
                .isEmpty();
        assertThat(stuck(ended(Duration.ofSeconds(61)))).contains("dc2");
        assertThat(stuck(with(request(3, RoleReplication.NAME, Duration.ZERO), RequestPart.State.PLANNED, Scene.NOW)))
                .isEmpty();
    }

    @Test
    void it_is_stuck_while_no_node_of_the_first_datacenter_can_do_it() {
        ClusterSpec both = Samples.spec("rides", 3, 2, 3, 2).withRoles(List.of());
        ClusterSpec second = both.withDatacenters(
                List.of(both.datacenters().get(1), both.datacenters().get(0)));
        Scene scene = Scene.live(second)
                .settled()
                .roleReplicas(Map.of("dc1", 3, "dc2", 3, "dc3", 3))
                .peer(3, 1, 1, true, null);
        assertThat(stuck(scene.view())).isEmpty();
        for (int i = 0; i < 3; i++) {
            scene.peerNode(i, OperatingMode.DOWN);
        }
        assertThat(stuck(scene.view())).contains("dc3");
    }

    @Test
    void a_plan_that_fails_gives_the_operation_lock_back() {
        assertThat(DepartedDatacenter.ended(plan(AutomaticReplace.WHO), Scene.NOW)
                        .status())
                .isEqualTo(PlanStatus.ABORTED);
        assertThat(DepartedDatacenter.ended(plan("anna"), Scene.NOW).status())
                .as("anna decides")
                .isEqualTo(PlanStatus.FAILED);
    }

    private static Plan plan(String who) {
        Plan plan = Samples.plan(
                RoleReplication.NAME, PlanStatus.FAILED, new Phase("roles", Phase.Strategy.SERIAL, List.of()));
        return new Plan(
                plan.id(),
                plan.cluster(),
                plan.operation(),
                plan.params(),
                plan.specVersion(),
                who,
                new RequestId(Samples.DC1, 1),
                plan.createdAt(),
                plan.endedAt(),
                plan.status(),
                plan.phases(),
                plan.notes(),
                null,
                null);
    }
}
