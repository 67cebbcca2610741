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
        assertThat(due(Scene.live(both).settled().roleReplicas(three))).contains("dc3");
    }

    @Test
    void a_node_that_is_not_NORMAL_tells_nothing() {
        Scene starting = left();
        for (int i = 0; i < 3; i++) {
            starting.says(i, OperatingMode.STARTING);
        }
        assertThat(due(starting)).isEmpty();
    }

    private static View asked(Duration ago) {
        View view = left().view();
        Instant at = Scene.NOW.minus(ago);
        Request request = new Request(
                new RequestId(Samples.DC1, 3),
                Scene.RIDES,
                view.targetSpec(Scene.RIDES).orElseThrow().incarnation(),
                RoleReplication.NAME,
                LockScope.NODES,
                Map.of(),
                AutomaticReplace.WHO,
                "",
                at,
                null);
        return view.with(List.of(
                new Change.Put(new RequestRecord(request, new RequestPart(RequestPart.State.DONE, null, at, "")))));
    }

    @Test
    void a_request_without_effect_is_repeated_after_a_pause() {
        assertThat(DepartedDatacenter.dueHere(asked(Duration.ofSeconds(119)), Scene.RIDES))
                .isEmpty();
        assertThat(DepartedDatacenter.dueHere(asked(Duration.ofSeconds(121)), Scene.RIDES))
                .contains("dc2");
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
