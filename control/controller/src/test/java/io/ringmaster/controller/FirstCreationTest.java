package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.oneDatacenter;
import static io.ringmaster.controller.Requests.refused;
import static io.ringmaster.controller.Requests.withNodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.NodeRecord;
import org.junit.jupiter.api.Test;

/** No row exists while a node may still join without bootstrap, whatever users abort, force and repeat. */
class FirstCreationTest {
    private static final ClusterName RIDES = new ClusterName("rides");

    private final FakeFleet fleet = new FakeFleet(1);

    private FakeDatacenter here() {
        return fleet.dc(1);
    }

    private Plan newest() {
        return here().controller.view().plans().values().stream()
                .max((a, b) -> a.id().compareTo(b.id()))
                .orElseThrow();
    }

    private boolean isCreated() {
        return here().controller.view().clusters().get(RIDES).created();
    }

    private long serving() {
        return fleet.nodes().stream()
                .filter(n -> n.mode == OperatingMode.NORMAL)
                .count();
    }

    private long joined() {
        return here().controller.view().nodesOf(RIDES).stream()
                .filter(NodeRecord::joined)
                .count();
    }

    private boolean anyOpen() {
        return fleet.nodes().stream().anyMatch(n -> n.target != null && !n.target.firstCreation());
    }

    private void abortOnceOneServes() {
        apply(here(), oneDatacenter());
        fleet.until("the first node serves", 60, () -> serving() >= 1);
        accepted(here().controller.requests().control(newest().id(), PlanVerb.ABORT, null, "alice"));
        for (int i = 0; i < 30; i++) {
            fleet.step();
        }
        assertThat(serving()).as(fleet::describe).isEqualTo(3);
    }

    @Test
    void an_aborted_first_deploy_leaves_every_node_closed_and_the_same_spec_completes_it() {
        abortOnceOneServes();
        assertThat(isCreated()).isFalse();
        assertThat(anyOpen()).as("a node that accepts clients").isFalse();
        ApplyResult again = apply(here(), oneDatacenter());
        assertThat(again.spec().version()).isEqualTo(1);
        assertThat(again.plan()).isNotNull();
        fleet.untilSettled();
        assertThat(isCreated()).isTrue();
        assertThat(fleet.nodes()).allMatch(n -> !n.target.firstCreation() && n.starts == 1);
    }

    @Test
    void a_cluster_that_grows_before_it_was_complete_accepts_clients_only_with_all_of_its_nodes() {
        abortOnceOneServes();
        apply(here(), withNodes(oneDatacenter(), 5));
        fleet.until("a newcomer starts", 60, () -> fleet.nodes().size() == 5 && serving() > 3);
        assertThat(anyOpen()).as("a node that accepts clients").isFalse();
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(5).allMatch(n -> !n.target.firstCreation());
    }

    @Test
    void a_ring_is_declared_complete_only_once_every_node_has_joined() {
        apply(here(), oneDatacenter());
        fleet.until("the nodes are launched", 60, () -> fleet.nodes().size() == 3);
        FakeNode last = fleet.nodes().get(2);
        last.neverStarts = true;
        last.daemonDies();
        fleet.until("the others have joined", 60, () -> joined() == 2);
        assertThat(refused(here().controller
                        .requests()
                        .control(newest().id(), PlanVerb.FORCE_COMPLETE, "verify ring", "alice")))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.message()).contains("dc1 node-2 has not joined");
                    assertThat(p.nextStep().text()).contains("delete the cluster");
                });
        assertThat(anyOpen()).isFalse();
    }

    @Test
    void a_ring_that_is_declared_complete_counts_as_created_and_opens() {
        apply(here(), oneDatacenter());
        fleet.until("a node is launched", 60, () -> !fleet.nodes().isEmpty());
        fleet.nodes().get(0).schema = "another";
        fleet.until("every node has joined", 60, () -> joined() == 3);
        fleet.step();
        assertThat(isCreated()).as(fleet::describe).isFalse();
        accepted(here().controller.requests().control(newest().id(), PlanVerb.FORCE_COMPLETE, "verify ring", "alice"));
        assertThat(isCreated()).isTrue();
        fleet.untilSettled();
        assertThat(fleet.nodes()).allMatch(n -> !n.target.firstCreation());
    }

    @Test
    void a_cluster_that_serves_counts_as_created_whatever_its_record_says() {
        abortOnceOneServes();
        fleet.nodes().get(0).openedByHand = true;
        fleet.step();
        fleet.step();
        assertThat(isCreated()).isTrue();
        apply(here(), withNodes(oneDatacenter(), 4));
        fleet.untilSettled();
        assertThat(fleet.nodes())
                .filteredOn(n -> n.allocation.node().index() == 3)
                .allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v2"));
    }
}
