package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.oneDatacenter;
import static io.ringmaster.controller.Requests.refused;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Datacenters are added to a cluster that holds data, and taken out of it. */
class DatacentersTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private final FakeFleet fleet = new FakeFleet(2);

    private void create() {
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
        fleet.step();
    }

    private void createdAlone() {
        apply(fleet.dc(1), oneDatacenter());
        untilPlanned(1, "verify");
        fleet.step();
        fleet.step();
    }

    private Optional<Plan> newest(int datacenter) {
        return fleet.dc(datacenter).controller.view().plans().values().stream().max(Comparator.comparing(Plan::id));
    }

    private void untilPlanned(int datacenter, String phase) {
        fleet.until(phase + " is done in dc" + datacenter, 200, () -> newest(datacenter)
                .filter(p -> p.status() == PlanStatus.COMPLETE)
                .filter(p -> phases(p).contains(phase))
                .isPresent());
    }

    private static List<String> phases(Plan plan) {
        return plan.phases().stream().map(Phase::name).toList();
    }

    @Test
    void one_that_is_added_joins_and_then_gets_its_replicas_and_its_data() {
        createdAlone();
        apply(fleet.dc(1), twoDatacenters());
        untilPlanned(2, "rebuild");
        assertThat(phases(newest(2).orElseThrow()))
                .containsExactly("reconciliation", "sync-datacenter", "deploy", "replicate", "rebuild", "verify");
        assertThat(fleet.nodes()).hasSize(6);
        assertThat(fleet.dc(2).controller.view().clusters().get(RIDES).created())
                .isTrue();
    }

    @Test
    void one_that_is_named_no_more_loses_its_replicas_then_its_nodes_and_keeps_their_volumes() {
        create();
        apply(fleet.dc(1), oneDatacenter());
        untilPlanned(2, "leave");
        assertThat(phases(newest(2).orElseThrow())).containsExactly("sync-datacenter", "replicate", "leave");
        assertThat(fleet.nodes()).hasSize(3);
        assertThat(fleet.dc(2).controller.view().nodesOf(RIDES)).isEmpty();
        assertThat(fleet.dc(2).volumes).hasSize(3);
        fleet.step();
        assertThat(fleet.dc(2).controller.unplanned()).isEmpty();
        assertThat(newest(1).orElseThrow().status()).isEqualTo(PlanStatus.COMPLETE);
    }

    @Test
    void one_that_left_is_filled_anew_when_it_is_named_again() {
        create();
        apply(fleet.dc(1), oneDatacenter());
        untilPlanned(2, "leave");
        fleet.step();
        apply(fleet.dc(1), twoDatacenters());
        untilPlanned(2, "rebuild");
        assertThat(fleet.nodes()).hasSize(6);
    }

    @Test
    void the_change_can_be_made_at_the_server_of_the_datacenter_that_leaves() {
        create();
        Applied tried = accepted(fleet.dc(2).controller.applySpec("yaml", oneDatacenter(), null, "alice", true));
        assertThat(Objects.requireNonNull(tried.plan()).notes()).anyMatch(n -> n.contains("no data move"));
        apply(fleet.dc(2), oneDatacenter());
        untilPlanned(2, "leave");
        assertThat(fleet.nodes()).hasSize(3);
    }

    @Test
    void a_cluster_of_that_name_that_another_datacenter_has_is_not_declared_a_second_time() {
        createdAlone();
        var only = twoDatacenters().datacenters().get(1);
        var spec = twoDatacenters();
        var elsewhere = new ClusterSpec(
                spec.name(),
                spec.cassandraVersion(),
                spec.preset(),
                List.of(only),
                spec.resources(),
                spec.jvm(),
                spec.cassandraYaml(),
                spec.placement());
        assertThat(refused(fleet.dc(2).controller.applySpec("yaml", elsewhere, null, "bob", false)))
                .singleElement()
                .satisfies(p -> assertThat(p.line()).contains("rides has nodes in dc1, which the spec does not name"));
    }
}
