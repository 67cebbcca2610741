package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.refused;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.core.operation.Delete;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.fact.Fact;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.KeptVolume;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeleteTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private final FakeFleet fleet = new FakeFleet(2);

    @BeforeEach
    void create() {
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
    }

    private Plan delete(Map<String, String> params) {
        return accepted(fleet.dc(1).controller.requests().run(Delete.NAME, RIDES, params, "alice", false));
    }

    /** What the plan says of each. */
    private static List<String> volumes(Plan plan) {
        return plan.notes().stream().filter(n -> n.contains("volume rides-")).toList();
    }

    private void untilGone() {
        fleet.until("gone everywhere", 60, () -> fleet.datacenters.values().stream()
                .noneMatch(d -> d.controller.view().exists(RIDES)));
        fleet.step();
        fleet.step();
    }

    @Test
    void a_deleted_cluster_goes_in_both_datacenters_and_leaves_its_volumes() {
        Plan plan = delete(Map.of());
        assertThat(volumes(plan)).hasSize(3).allMatch(n -> n.endsWith("is kept"));
        untilGone();
        assertThat(fleet.nodes()).isEmpty();
        fleet.datacenters.values().forEach(d -> {
            assertThat(d.volumes).hasSize(3);
            assertThat(d.allocations.values()).allMatch(s -> s.status() == AllocationState.Status.RELEASED);
            assertThat(d.controller.clusterStatus(RIDES)).isEmpty();
            assertThat(d.commands)
                    .filteredOn(Command.Release.class::isInstance)
                    .isNotEmpty()
                    .allMatch(c -> !((Command.Release) c).destroyVolume());
        });
    }

    @Test
    void volumes_go_only_when_asked_for_and_the_plan_says_so() {
        Plan plan = delete(Map.of(Delete.DESTROY_DATA, "true"));
        assertThat(volumes(plan)).hasSize(3).allMatch(n -> n.contains("DESTROYED"));
        untilGone();
        fleet.datacenters.values().forEach(d -> {
            assertThat(d.volumes).isEmpty();
            assertThat(d.allocations).isEmpty();
        });
    }

    @Test
    void the_volumes_of_nodes_that_left_before_go_with_the_rest() {
        apply(fleet.dc(1), Requests.withNodes(twoDatacenters(), 4, 3));
        fleet.untilSettled();
        apply(fleet.dc(1), twoDatacenters());
        fleet.until(
                "node-3 has left",
                300,
                () -> fleet.dc(1).controller.view().nodesOf(RIDES).size() == 3);
        fleet.untilSettled();
        assertThat(fleet.dc(1).volumes).hasSize(4);
        Plan plan = delete(Map.of(Delete.DESTROY_DATA, "true"));
        assertThat(volumes(plan))
                .hasSize(4)
                .anyMatch(n -> n.startsWith("volume rides-dc1-node-3 on ")
                        && n.endsWith(", kept because its node left the ring, is DESTROYED, permanently"));
        untilGone();
        assertThat(fleet.dc(1).volumes).isEmpty();
    }

    @Test
    void the_volumes_of_a_datacenter_that_left_before_go_with_the_rest() {
        apply(fleet.dc(1), Requests.oneDatacenter());
        fleet.until(
                "dc2 has left",
                300,
                () -> fleet.dc(2).controller.view().nodesOf(RIDES).isEmpty());
        fleet.untilSettled();
        delete(Map.of(Delete.DESTROY_DATA, "true"));
        untilGone();
        fleet.datacenters.values().forEach(d -> assertThat(d.volumes).isEmpty());
    }

    @Test
    void a_volume_that_a_delete_kept_is_not_destroyed_with_a_later_cluster_of_the_name() {
        delete(Map.of());
        untilGone();
        TreeSet<AllocationId> old = new TreeSet<>(fleet.dc(1).volumes);
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
        delete(Map.of(Delete.DESTROY_DATA, "true"));
        untilGone();
        assertThat(fleet.dc(1).volumes).isEqualTo(old);
    }

    @Test
    void what_still_runs_on_a_machine_that_is_back_is_stopped_and_its_volume_kept_until_it_is_ordered_again() {
        FakeDatacenter dc1 = fleet.dc(1);
        FakeNode node = fleet.nodes().stream()
                .filter(n -> n.allocation.node().equals(NodeId.of("rides/dc1/node-0")))
                .findFirst()
                .orElseThrow();
        AllocationId volume = node.allocation.id();
        Machine machine = dc1.machines.stream()
                .filter(m -> m.name().equals(node.allocation.machine()))
                .findFirst()
                .orElseThrow();
        dc1.machines.remove(machine);
        node.executorRuns = false;
        node.mode = OperatingMode.DOWN;
        dc1.tellPicture();
        fleet.step();
        Plan plan = delete(Map.of(Delete.DESTROY_DATA, "true"));
        assertThat(volumes(plan)).anyMatch(n -> n.contains(volume + ", ") && n.contains("when its machine is back"));
        untilGone();
        assertThat(dc1.volumes).containsExactly(volume);
        dc1.machines.add(machine);
        dc1.tellPicture();
        fleet.until("the old node is released", 60, () -> Optional.ofNullable(
                        dc1.controller.view().allocations().get(volume))
                .filter(a -> a.status() == AllocationState.Status.RELEASED)
                .isPresent());
        apply(dc1, twoDatacenters());
        fleet.untilSettled();
        assertThat(dc1.volumes).hasSize(4);
        assertThat(dc1.controller.view().clusters().get(RIDES).volume(volume).orElseThrow())
                .satisfies(v -> assertThat(v.ordered()).isFalse())
                .satisfies(v -> assertThat(v.dropped()).contains("not released"));
        accepted(dc1.controller.requests().discardVolume(volume, "alice", false));
        fleet.until("it is destroyed", 60, () -> !dc1.volumes.contains(volume));
    }

    @Test
    void a_kept_volume_is_discarded_after_its_cluster_is_gone_and_the_order_survives_the_server() {
        delete(Map.of());
        untilGone();
        FakeDatacenter dc1 = fleet.dc(1);
        AllocationId volume = dc1.volumes.iterator().next();
        accepted(dc1.controller.requests().discardVolume(volume, "alice", true));
        fleet.step();
        assertThat(dc1.volumes).contains(volume);
        accepted(dc1.controller.requests().discardVolume(volume, "alice", false));
        dc1.restart();
        fleet.until("it is destroyed", 60, () -> !dc1.volumes.contains(volume));
        fleet.until(
                "its record says so",
                60,
                () -> dc1.controller.view().poolSeen()
                        && dc1.controller.view().clusters().values().stream()
                                .flatMap(c -> c.volume(volume).stream())
                                .allMatch(KeptVolume::destroyed));
        assertThat(dc1.volumes).hasSize(2);
        assertThat(dc1.controller.audit()).anySatisfy(a -> assertThat(a.what()).isEqualTo("discard volume " + volume));
        assertThat(refused(dc1.controller.requests().discardVolume(volume, "alice", false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.VOLUME_UNKNOWN));
    }

    @Test
    void a_dry_run_says_what_would_go_and_changes_nothing() {
        Plan plan = accepted(fleet.dc(1)
                .controller
                .requests()
                .run(Delete.NAME, RIDES, Map.of(Delete.DESTROY_DATA, "true"), "alice", true));
        assertThat(volumes(plan)).hasSize(3);
        fleet.step();
        assertThat(fleet.nodes()).hasSize(6);
        assertThat(fleet.dc(1).controller.view().clusters().get(RIDES).deleting())
                .isFalse();
    }

    @Test
    void a_datacenter_that_was_away_learns_of_the_delete_when_it_is_back() {
        fleet.dc(2).reachable = false;
        fleet.step();
        delete(Map.of());
        fleet.until("gone in dc1", 30, () -> !fleet.dc(1).controller.view().exists(RIDES));
        assertThat(fleet.dc(2).nodes).hasSize(3);
        fleet.dc(2).reachable = true;
        untilGone();
        assertThat(fleet.nodes()).isEmpty();
    }

    private void deletedHereWhileChangedThere(Map<String, String> params) {
        fleet.dc(2).reachable = false;
        fleet.step();
        delete(params);
        apply(fleet.dc(2), Requests.withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        fleet.until("gone in dc1", 30, () -> !fleet.dc(1).controller.view().exists(RIDES));
        fleet.dc(2).reachable = true;
        untilGone();
    }

    @Test
    void a_delete_wins_over_a_change_that_was_accepted_where_it_was_not_known_yet() {
        deletedHereWhileChangedThere(Map.of());
        assertThat(fleet.nodes()).isEmpty();
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(6).allSatisfy(n -> assertThat(n.restartedWith)
                .containsExactly("v3 first"));
    }

    @Test
    void volumes_of_a_version_that_the_delete_did_not_know_stay_although_it_destroys_data() {
        deletedHereWhileChangedThere(Map.of(Delete.DESTROY_DATA, "true"));
        assertThat(fleet.dc(1).volumes).isEmpty();
        assertThat(fleet.dc(2).volumes).hasSize(3);
    }

    @Test
    void a_delete_of_another_cluster_of_the_name_does_not_count_for_a_newer_one() {
        delete(Map.of());
        untilGone();
        DatacenterReport deleted = Objects.requireNonNull(fleet.dc(2).published);
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
        fleet.dc(1)
                .tell(new Fact.PeerReported(new DatacenterReport(
                        deleted.datacenter(), deleted.servers(), 3, fleet.clock.now(), deleted.clusters())));
        fleet.step();
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(6);
        assertThat(fleet.dc(1).controller.view().clusters().get(RIDES).deleting())
                .isFalse();
    }

    @Test
    void the_name_can_be_used_again_once_nothing_is_left_and_never_on_the_old_volumes() {
        delete(Map.of());
        fleet.step();
        assertThat(refused(fleet.dc(1)
                        .controller
                        .requests()
                        .applySpec("yaml", twoDatacenters(), null, "alice", false, false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.CLUSTER_BUSY));
        untilGone();
        TreeSet<AllocationId> old = new TreeSet<>(fleet.dc(1).volumes);
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(6);
        assertThat(fleet.dc(1).nodes.keySet()).doesNotContainAnyElementsOf(old);
        assertThat(fleet.nodes()).allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v2 first"));
    }

    @Test
    void one_that_was_declared_anew_in_one_datacenter_gets_the_other_again() {
        delete(Map.of());
        untilGone();
        apply(fleet.dc(1), Requests.oneDatacenter());
        fleet.untilSettled();
        fleet.step();
        assertThat(fleet.nodes()).hasSize(3);
        ApplyResult tried = accepted(
                fleet.dc(2).controller.requests().applySpec("yaml", twoDatacenters(), null, "alice", false, true));
        assertThat(Objects.requireNonNull(tried.plan()).phases())
                .extracting(Phase::name)
                .containsSubsequence("deploy", "replicate", "rebuild", "verify");
        apply(fleet.dc(1), twoDatacenters());
        fleet.until(
                "dc2 has settled it", 120, () -> fleet.dc(2).controller.view().settledSpecVersion(RIDES) > 2);
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(6);
        assertThat(fleet.dc(2).controller.view().clusters().get(RIDES).created())
                .isTrue();
    }

    @Test
    void a_delete_takes_over_from_a_deploy_that_runs() {
        apply(fleet.dc(1), Requests.withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        fleet.step();
        delete(Map.of());
        untilGone();
        assertThat(fleet.dc(1).controller.view().plans().values())
                .extracting(Plan::status)
                .containsExactly(PlanStatus.COMPLETE, PlanStatus.SUPERSEDED, PlanStatus.COMPLETE);
    }

    @Test
    void what_is_not_there_or_not_understood_is_refused() {
        ClusterName other = new ClusterName("other");
        assertThat(refused(fleet.dc(1).controller.requests().run(Delete.NAME, other, Map.of(), "alice", false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.CLUSTER_UNKNOWN));
        assertThat(refused(fleet.dc(1).controller.requests().run("explode", RIDES, Map.of(), "alice", false)))
                .singleElement()
                .satisfies(p -> assertThat(p.message()).contains("allowed: [deploy, delete]"));
        assertThat(refused(fleet.dc(1)
                        .controller
                        .requests()
                        .run(Delete.NAME, RIDES, Map.of("force", "1"), "alice", false)))
                .singleElement()
                .satisfies(p -> assertThat(p.field()).isEqualTo("force"));
        delete(Map.of());
        assertThat(refused(fleet.dc(1).controller.requests().run(Delete.NAME, RIDES, Map.of(), "alice", false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.CLUSTER_BUSY));
    }

    @Test
    void what_a_late_message_brings_back_is_taken_away_again() {
        delete(Map.of());
        untilGone();
        FakeDatacenter dc1 = fleet.dc(1);
        AllocationState kept = dc1.allocations.values().iterator().next();
        dc1.allocations.put(
                kept.allocation().id(),
                AllocationState.of(
                        kept.allocation(), AllocationState.Status.RUNNING, fleet.clock.now(), kept.revision()));
        dc1.tellPicture();
        fleet.step();
        fleet.step();
        fleet.step();
        assertThat(dc1.allocations.get(kept.allocation().id()).status()).isEqualTo(AllocationState.Status.RELEASED);
        assertThat(dc1.volumes).contains(kept.allocation().id());
    }
}
