package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.oneDatacenter;
import static io.ringmaster.controller.Requests.refused;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static io.ringmaster.controller.Requests.withNodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
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
        untilPlanned(2, "compare");
        assertThat(phases(newest(2).orElseThrow()))
                .containsExactly(
                        "reconciliation",
                        "sync-datacenter",
                        "deploy",
                        "replicate",
                        "rebuild",
                        "compare",
                        "repair ranges",
                        "verify");
        assertThat(fleet.nodes()).hasSize(6);
        assertThat(fleet.dc(2).controller.view().clusters().get(RIDES).created())
                .isTrue();
    }

    @Test
    void one_that_is_named_no_more_loses_its_replicas_then_its_nodes_and_keeps_their_volumes() {
        create();
        apply(fleet.dc(1), oneDatacenter());
        untilPlanned(2, "leave");
        assertThat(phases(newest(2).orElseThrow()))
                .containsExactly("sync-datacenter", "repair", "compare", "replicate", "leave");
        assertThat(fleet.nodes()).hasSize(3);
        assertThat(fleet.dc(2).controller.view().nodesOf(RIDES)).isEmpty();
        assertThat(fleet.dc(2).volumes).hasSize(3);
        fleet.step();
        assertThat(fleet.dc(2).controller.unplannable()).isEmpty();
        assertThat(newest(1).orElseThrow().status()).isEqualTo(PlanStatus.COMPLETE);
    }

    @Test
    void clients_that_came_after_the_spec_was_accepted_keep_it_until_they_are_gone() {
        create();
        fleet.nodes().stream()
                .filter(n -> n.allocation.node().datacenter().value().equals("dc2"))
                .forEach(n -> n.clients.add(new RingView.ClientSeen("10.1.0.4", "anna", "a driver", 2)));
        fleet.step();
        apply(fleet.dc(1), oneDatacenter());
        fleet.until("dc2 says why it stays", 50, () -> fleet.dc(2).controller.unplannable().stream()
                .flatMap(u -> u.problems().stream())
                .anyMatch(p -> p.message().startsWith("1 client is connected there: 10.1.0.4 as anna")));
        assertThat(fleet.nodes()).hasSize(6);
        fleet.nodes().forEach(n -> n.clients.clear());
        untilPlanned(2, "leave");
        assertThat(fleet.nodes()).hasSize(3);
    }

    @Test
    void the_same_spec_by_force_takes_out_a_datacenter_that_its_clients_keep() {
        create();
        fleet.nodes().forEach(n -> n.clients.add(new RingView.ClientSeen("10.1.0.4", "anna", "a driver", 2)));
        fleet.step();
        apply(fleet.dc(1), oneDatacenter());
        fleet.until("dc2 stays", 50, () -> !fleet.dc(2).controller.unplannable().isEmpty());
        ApplyResult forced = accepted(
                fleet.dc(1).controller.requests().applySpec("yaml", oneDatacenter(), null, "alice", true, false));
        assertThat(forced.spec().forced()).isTrue();
        untilPlanned(2, "leave");
        assertThat(fleet.nodes()).hasSize(3);
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
    void one_that_is_named_again_with_fewer_nodes_before_it_has_left_is_filled_once_the_others_have_left() {
        apply(fleet.dc(1), withNodes(twoDatacenters(), 3, 4));
        fleet.untilSettled();
        fleet.step();
        apply(fleet.dc(1), oneDatacenter());
        fleet.until("dc2 starts to leave", 50, () -> newest(2)
                .filter(p -> phases(p).contains("leave"))
                .isPresent());
        apply(fleet.dc(1), withNodes(twoDatacenters(), 3, 3));
        untilPlanned(2, "rebuild");
        assertThat(phases(newest(2).orElseThrow())).containsSubsequence("leave", "replicate", "rebuild", "compare");
        assertThat(fleet.nodes()).hasSize(6);
    }

    @Test
    void the_change_can_be_made_at_the_server_of_the_datacenter_that_leaves() {
        create();
        ApplyResult tried = accepted(
                fleet.dc(2).controller.requests().applySpec("yaml", oneDatacenter(), null, "alice", false, true));
        assertThat(Objects.requireNonNull(tried.plan()).notes()).anyMatch(n -> n.contains("no data moves"));
        apply(fleet.dc(2), oneDatacenter());
        untilPlanned(2, "leave");
        assertThat(fleet.nodes()).hasSize(3);
    }

    @Test
    void a_cluster_of_that_name_that_another_datacenter_has_is_not_declared_a_second_time() {
        createdAlone();
        var only = twoDatacenters().datacenters().get(1);
        var spec = twoDatacenters();
        var elsewhere = spec.withDatacenters(List.of(only));
        assertThat(refused(fleet.dc(2).controller.requests().applySpec("yaml", elsewhere, null, "bob", false, false)))
                .singleElement()
                .satisfies(p -> assertThat(p.line()).contains("rides has nodes in dc1, which the spec does not name"));
    }
}
