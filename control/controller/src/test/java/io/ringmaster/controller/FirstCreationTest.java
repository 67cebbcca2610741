package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.oneDatacenter;
import static io.ringmaster.controller.Requests.refused;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static io.ringmaster.controller.Requests.withNodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No row exists while a node may still join without bootstrap, whatever users abort, force and repeat. */
class FirstCreationTest {
    private static final ClusterName RIDES = new ClusterName("rides");

    private FakeFleet fleet = new FakeFleet(1);

    private FakeDatacenter here() {
        return fleet.dc(1);
    }

    private Plan newest() {
        return newest(here());
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
        assertThat(refusedToForce("verify ring")).singleElement().satisfies(p -> {
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

    /** The last of the nodes was launched, and its machine is lost before it has joined. */
    private FakeNode loseBeforeItJoins(int index) {
        apply(here(), oneDatacenter());
        fleet.until("the nodes are launched", 60, () -> fleet.nodes().size() == 3);
        FakeNode lost = fleet.nodes().get(index);
        fleet.until("it joins", 60, () -> lost.mode == OperatingMode.JOINING);
        lost.daemonDies();
        here().machines.removeIf(m -> m.name().equals(lost.allocation.machine()));
        lost.executorRuns = false;
        here().tellPicture();
        fleet.until("the others have joined", 60, () -> joined() == 2);
        fleet.step();
        return lost;
    }

    private Machine machineOf(FakeNode node, List<Machine> before) {
        return before.stream()
                .filter(m -> m.name().equals(node.allocation.machine()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_node_whose_machine_is_lost_before_it_joined_is_placed_elsewhere() {
        fleet = new FakeFleet(1, 6);
        List<Machine> machines = List.copyOf(here().machines);
        FakeNode lost = loseBeforeItJoins(1);
        assertThat(newest().phases().toString())
                .contains("rides/dc1/node-1 never joined, and its machine " + lost.allocation.machine() + " is lost")
                .contains("plan abort " + newest().id(), "on another machine, or a spec with fewer nodes");
        control(here(), newest(), PlanVerb.ABORT, null);
        assertThat(apply(here(), oneDatacenter()).plan()).isNotNull();
        fleet.until("it is created", 100, this::isCreated);
        assertThat(anyOpen()).isTrue();
        assertThat(here().controller.view().nodesOf(RIDES))
                .as("nodes that owe a repair of rows that never were")
                .noneMatch(NodeRecord::owesRepair);
        here().machines.add(machineOf(lost, machines));
        lost.executorRuns = true;
        here().tellPicture();
        fleet.until("its former place is given up", 60, () -> !fleet.nodes().contains(lost));
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(3).allMatch(n -> !n.target.firstCreation());
    }

    @Test
    void a_cluster_may_shrink_by_the_nodes_that_were_lost_before_they_joined() {
        List<Machine> machines = List.copyOf(here().machines);
        FakeNode lost = loseBeforeItJoins(2);
        control(here(), newest(), PlanVerb.ABORT, null);
        apply(here(), withNodes(oneDatacenter(), 2));
        fleet.until("it is created", 100, this::isCreated);
        assertThat(here().controller.view().nodesOf(RIDES)).hasSize(2);
        here().machines.add(machineOf(lost, machines));
        lost.executorRuns = true;
        here().tellPicture();
        fleet.until("its former place is given up", 60, () -> !fleet.nodes().contains(lost));
        assertThat(fleet.nodes()).hasSize(2).allMatch(n -> !n.target.firstCreation());
    }

    private Plan newest(FakeDatacenter datacenter) {
        return datacenter.controller.view().plans().values().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
    }

    private static void control(FakeDatacenter datacenter, Plan plan, PlanVerb verb, @Nullable String step) {
        accepted(datacenter.controller.requests().control(plan.id(), verb, step, "alice"));
    }

    private List<Problem> refusedToForce(String step) {
        return refused(here().controller.requests().control(newest().id(), PlanVerb.FORCE_COMPLETE, step, "alice"));
    }

    /** In both datacenters every node has joined, and the cluster is created in none. */
    private void joinedInBoth() {
        fleet = new FakeFleet(2);
        apply(fleet.dc(1), twoDatacenters());
        fleet.until("every node is launched", 100, () -> fleet.nodes().size() == 6);
        fleet.nodes().forEach(n -> n.schema = "schema of " + n.allocation.node());
        fleet.until("every node serves", 100, () -> serving() == 6);
        for (int i = 0; i < 5; i++) {
            fleet.step();
        }
        assertThat(anyOpen()).isFalse();
    }

    private void everyNodeOpens() {
        fleet.until("every node is open", 100, () -> fleet.nodes().stream().noneMatch(n -> n.awaitsCreation));
        assertThat(List.of(fleet.dc(1), fleet.dc(2))).allMatch(d -> Objects.requireNonNull(
                        d.controller.view().clusters().get(RIDES))
                .created());
        assertThat(fleet.nodes()).allMatch(n -> n.starts == 1);
    }

    @Test
    void a_datacenter_whose_deploy_was_aborted_opens_with_the_datacenter_that_completes_the_ring() {
        joinedInBoth();
        control(fleet.dc(2), newest(fleet.dc(2)), PlanVerb.ABORT, null);
        fleet.nodes().forEach(n -> n.schema = "schema");
        everyNodeOpens();
        apply(fleet.dc(1), withNodes(twoDatacenters(), 4, 4));
        fleet.until(
                "dc2 has grown",
                200,
                () -> newest(fleet.dc(2)).status() == PlanStatus.COMPLETE
                        && fleet.nodes().size() == 8
                        && serving() == 8);
        assertThat(newest(fleet.dc(2)).phases().stream().map(Phase::name)).doesNotContain("rebuild", "replicate");
        assertThat(fleet.nodes())
                .filteredOn(n -> n.allocation.node().index() == 3)
                .allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v2"));
    }

    @Test
    void a_ring_that_is_declared_complete_in_one_datacenter_opens_in_all() {
        joinedInBoth();
        control(fleet.dc(1), newest(fleet.dc(1)), PlanVerb.FORCE_COMPLETE, "verify ring");
        everyNodeOpens();
    }

    @Test
    void a_node_that_has_joined_does_not_leave_before_the_cluster_is_created() {
        joinedInBoth();
        var fewer = withNodes(twoDatacenters(), 3, 2);
        assertThat(refused(fleet.dc(2)
                        .controller
                        .requests()
                        .applySpec("yaml of " + fewer, fewer, null, "alice", false, false)))
                .anySatisfy(p -> {
                    assertThat(p.field()).isEqualTo("datacenters.dc2.nodes");
                    assertThat(p.message()).contains("node-2 has joined the ring or may still join it");
                });
    }

    @Test
    void a_ring_is_not_declared_complete_while_another_datacenter_is_silent() {
        joinedInBoth();
        fleet.dc(2).reachable = false;
        fleet.step();
        fleet.step();
        assertThat(refusedToForce("verify ring")).singleElement().satisfies(p -> assertThat(p.message())
                .contains("would lack rows; dc2 is silent"));
        fleet.nodes().forEach(n -> n.schema = "schema");
        for (int i = 0; i < 10; i++) {
            fleet.step();
        }
        assertThat(anyOpen()).as("a node that accepts clients").isFalse();
        fleet.dc(2).reachable = true;
        everyNodeOpens();
    }

    @Test
    void nobody_declares_that_a_datacenter_takes_part_in_the_creation() {
        fleet = new FakeFleet(2);
        fleet.dc(2).reachable = false;
        apply(fleet.dc(1), twoDatacenters());
        fleet.step();
        assertThat(refusedToForce("sync dc2"))
                .singleElement()
                .satisfies(p -> assertThat(p.nextStep().text()).contains("delete the cluster, which holds no rows"));
    }

    @Test
    void the_same_spec_in_both_datacenters_at_once_makes_one_cluster() {
        fleet = new FakeFleet(2);
        apply(fleet.dc(1), twoDatacenters());
        apply(fleet.dc(2), twoDatacenters());
        becomesOneCluster();
    }

    @Test
    void so_do_two_that_order_the_datacenters_differently_although_both_have_chosen_tokens() {
        fleet = new FakeFleet(2);
        ClusterSpec spec = twoDatacenters();
        ClusterSpec reversed = spec.withDatacenters(
                List.of(spec.datacenters().get(1), spec.datacenters().get(0)));
        fleet.dc(2).reachable = false;
        apply(fleet.dc(1), spec);
        apply(fleet.dc(2), reversed);
        fleet.step();
        fleet.dc(2).reachable = true;
        becomesOneCluster();
        assertThat(fleet.nodes()).extracting(n -> n.target.tokens().get(0)).doesNotHaveDuplicates();
    }

    private void becomesOneCluster() {
        fleet.until(
                "every node is open",
                200,
                () -> serving() == 6 && fleet.nodes().stream().noneMatch(n -> n.awaitsCreation));
        assertThat(List.of(fleet.dc(1), fleet.dc(2)))
                .extracting(
                        d -> d.controller.view().targetSpec(RIDES).orElseThrow().incarnation())
                .satisfies(both -> assertThat(both.get(0)).isEqualTo(both.get(1)));
    }
}
