package io.ringmaster.controller;

import static io.ringmaster.controller.Requests.accepted;
import static io.ringmaster.controller.Requests.apply;
import static io.ringmaster.controller.Requests.poisoned;
import static io.ringmaster.controller.Requests.refused;
import static io.ringmaster.controller.Requests.twoDatacenters;
import static io.ringmaster.controller.Requests.withNodes;
import static io.ringmaster.controller.Requests.withYaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.decide.ApplyResult;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.PlanVerb;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeployTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private final FakeFleet fleet = new FakeFleet(2);

    private void create() {
        apply(fleet.dc(1), twoDatacenters());
        fleet.untilSettled();
    }

    private Plan newest(int dc) {
        return fleet.dc(dc).controller.view().plans().values().stream()
                .max((a, b) -> a.id().compareTo(b.id()))
                .orElseThrow();
    }

    private long down() {
        return fleet.nodes().stream()
                .filter(n -> n.mode != OperatingMode.NORMAL)
                .count();
    }

    @Test
    void a_spec_applied_in_one_datacenter_becomes_a_whole_cluster_in_both() {
        create();
        fleet.step();
        fleet.step();
        assertThat(fleet.nodes()).hasSize(6).allMatch(n -> n.mode == OperatingMode.NORMAL);
        assertThat(fleet.nodes()).allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v1 first"));
        assertThat(fleet.nodes()).allMatch(n -> !n.target.firstCreation());
        fleet.datacenters.values().forEach(d -> {
            assertThat(d.controller.view().plans().values()).singleElement().satisfies(p -> assertThat(p.status())
                    .isEqualTo(PlanStatus.COMPLETE));
            assertThat(d.controller.view().clusters().get(RIDES).created()).isTrue();
            assertThat(d.controller.view().nodesOf(RIDES)).allMatch(NodeRecord::joined);
            assertThat(d.controller.clusterStatus(RIDES)).get().satisfies(s -> {
                assertThat(s.whole()).isTrue();
                assertThat(s.findings()).isEmpty();
            });
        });
    }

    @Test
    void a_newcomer_is_told_to_the_other_datacenters_from_its_launch_on() {
        FakeFleet wide = new FakeFleet(2, 4);
        apply(wide.dc(1), twoDatacenters());
        wide.untilSettled();
        apply(wide.dc(1), withNodes(twoDatacenters(), 4, 3));
        Set<OperatingMode> told = new TreeSet<>();
        wide.until("node-3 is there", 60, () -> {
            wide.dc(1).published.clusters().get(0).nodes().stream()
                    .filter(n -> n.node().index() == 3 && !n.joined())
                    .forEach(n -> told.add(n.mode()));
            return wide.nodes().size() == 7;
        });
        assertThat(told).contains(OperatingMode.LAUNCHED);
    }

    @Test
    void a_report_without_news_gets_a_new_time() {
        create();
        Instant before = Objects.requireNonNull(fleet.dc(1).published).at();
        fleet.until("a later report", 20, () -> Objects.requireNonNull(fleet.dc(1).published)
                .at()
                .isAfter(before.plusSeconds(5)));
    }

    @Test
    void what_is_watched_without_being_decided_is_forgotten() {
        create();
        fleet.dc(1).watched.put(new NodeId(RIDES, Samples.DC1, 9), new AllocationId("rides-dc1-node-9-1"));
        fleet.step();
        assertThat(fleet.dc(1).watched.keySet()).hasSize(3).allMatch(n -> n.index() < 3);
    }

    @Test
    void nothing_is_launched_before_every_datacenter_has_placed_its_nodes() {
        fleet.dc(2).reachable = false;
        apply(fleet.dc(1), twoDatacenters());
        for (int i = 0; i < 10; i++) {
            fleet.step();
        }
        assertThat(fleet.nodes()).isEmpty();
        assertThat(FakeFleet.describe(newest(1))).contains("sync dc2 WAITING: dc2 is silent: unreachable");
        fleet.dc(2).reachable = true;
        fleet.untilSettled();
        assertThat(fleet.nodes()).hasSize(6);
    }

    @Test
    void a_changed_parameter_restarts_one_node_at_a_time_datacenter_after_datacenter() {
        create();
        apply(fleet.dc(2), withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        boolean secondBegan = false;
        for (int i = 0; i < 80; i++) {
            fleet.step();
            assertThat(down()).as(fleet::describe).isLessThanOrEqualTo(1);
            secondBegan |= fleet.dc(2).nodes.values().stream().anyMatch(n -> n.starts > 1);
            if (secondBegan) {
                assertThat(fleet.dc(1).nodes.values()).allMatch(n -> n.starts == 2);
            }
        }
        assertThat(fleet.nodes()).allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v1 first", "v2"));
        assertThat(newest(1).status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(newest(2).status()).isEqualTo(PlanStatus.COMPLETE);
    }

    @Test
    void more_nodes_join_a_live_cluster_one_by_one_and_never_as_on_an_empty_one() {
        create();
        apply(fleet.dc(1), withNodes(twoDatacenters(), 5, 3));
        for (int i = 0; i < 60; i++) {
            fleet.step();
            assertThat(down()).isLessThanOrEqualTo(1);
        }
        assertThat(fleet.dc(1).nodes).hasSize(5);
        assertThat(fleet.nodes())
                .filteredOn(n -> n.allocation.node().index() > 2)
                .allSatisfy(n -> assertThat(n.restartedWith).containsExactly("v2"));
        assertThat(fleet.nodes())
                .filteredOn(n -> n.allocation.node().index() <= 2)
                .allMatch(n -> n.starts == 1);
        assertThat(fleet.nodes().stream().flatMap(n -> n.target.tokens().stream()))
                .doesNotHaveDuplicates();
    }

    @Test
    void the_others_clean_up_once_all_have_joined_and_repaired() {
        create();
        apply(fleet.dc(1), withNodes(twoDatacenters(), 5, 3));
        fleet.untilSettled();
        assertThat(fleet.dc(1).nodes.values()).allSatisfy(n -> assertThat(n.tasks)
                .filteredOn("cleanup"::equals)
                .hasSize(n.allocation.node().index() < 4 ? 1 : 0));
        assertThat(fleet.dc(1).nodes.values())
                .as("newcomers repair the ranges that they took over")
                .allSatisfy(n -> assertThat(n.tasks)
                        .filteredOn("repair"::equals)
                        .hasSize(n.allocation.node().index() < 3 ? 0 : 1));
        assertThat(fleet.dc(1).controller.view().nodesOf(RIDES)).noneMatch(n -> n.needsCleanup() || n.owesRepair());
    }

    @Test
    void nodes_leave_one_by_one_and_are_forgotten_with_their_volumes_kept() {
        create();
        apply(fleet.dc(1), withNodes(twoDatacenters(), 5, 3));
        fleet.untilSettled();
        apply(fleet.dc(2), withNodes(twoDatacenters(), 3, 3));
        for (int i = 0; i < 60; i++) {
            fleet.step();
            assertThat(down()).as(fleet::describe).isLessThanOrEqualTo(1);
        }
        assertThat(newest(1).status()).as(fleet::describe).isEqualTo(PlanStatus.COMPLETE);
        assertThat(fleet.nodes()).hasSize(6).allMatch(n -> n.starts == 1);
        assertThat(fleet.dc(1).controller.view().nodesOf(RIDES)).hasSize(3);
        assertThat(fleet.dc(1).volumes).hasSize(5);
        assertThat(newest(2).status()).isEqualTo(PlanStatus.COMPLETE);
    }

    @Test
    void a_node_that_was_told_to_leave_leaves_although_the_plan_is_aborted_and_another_joins_after_it() {
        create();
        apply(fleet.dc(1), withNodes(twoDatacenters(), 4, 3));
        fleet.untilSettled();
        apply(fleet.dc(1), twoDatacenters());
        fleet.until("it leaves", 60, () -> fleet.dc(1).nodes.values().stream()
                .anyMatch(n -> n.mode == OperatingMode.LEAVING));
        accepted(fleet.dc(1).controller.requests().control(newest(1).id(), PlanVerb.ABORT, null, "alice"));
        assertThat(refused(fleet.dc(1)
                        .controller
                        .requests()
                        .applySpec("yaml", withNodes(twoDatacenters(), 4, 3), null, "alice", false, false)))
                .singleElement()
                .satisfies(p -> assertThat(p.message()).contains("rides/dc1/node-3 is leaving the ring"));
        fleet.until(
                "it is gone",
                60,
                () -> fleet.dc(1).controller.view().nodesOf(RIDES).size() == 3);
        apply(fleet.dc(1), withNodes(twoDatacenters(), 4, 3));
        fleet.untilSettled();
        assertThat(fleet.dc(1).volumes).hasSize(5);
        assertThat(fleet.nodes()).hasSize(7).allMatch(n -> n.mode == OperatingMode.NORMAL);
    }

    @Test
    void a_change_that_a_node_cannot_run_with_is_put_back_on_it_and_reaches_no_other() {
        create();
        apply(fleet.dc(1), poisoned(twoDatacenters()));
        fleet.until("the plan fails", 60, () -> newest(1).status() == PlanStatus.FAILED);
        assertThat(newest(1).problem()).satisfies(p -> {
            assertThat(p.code()).isEqualTo(ErrorCode.DAEMON_FAILED);
            assertThat(p.message()).contains("version 1 was put back and it is NORMAL");
        });
        for (int i = 0; i < 20; i++) {
            fleet.step();
        }
        assertThat(fleet.nodes()).allMatch(n -> n.mode == OperatingMode.NORMAL);
        assertThat(fleet.nodes()).filteredOn(n -> n.starts > 1).hasSize(1);
        assertThat(FakeFleet.describe(newest(2))).contains("dc1 applies version 2 first");
        apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 16)));
        fleet.untilSettled();
        assertThat(newest(1).status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(newest(2).status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(fleet.nodes()).allMatch(n -> n.target.cassandraYaml().containsKey("concurrent_reads"));
    }

    @Test
    void a_failed_first_creation_is_mended_by_a_better_spec() {
        apply(fleet.dc(1), poisoned(twoDatacenters()));
        fleet.until(
                "both plans fail",
                60,
                () -> newest(1).status() == PlanStatus.FAILED && newest(2).status() == PlanStatus.FAILED);
        apply(fleet.dc(2), twoDatacenters());
        fleet.untilSettled();
        assertThat(newest(1).status()).isEqualTo(PlanStatus.COMPLETE);
        assertThat(fleet.nodes()).hasSize(6).allMatch(n -> n.mode == OperatingMode.NORMAL);
    }

    @Test
    void a_newer_spec_takes_over_the_node_that_was_half_done() {
        create();
        apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        fleet.until("a node is down", 20, () -> down() == 1);
        ApplyResult second = apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 9)));
        assertThat(second.spec().version()).isEqualTo(3);
        for (int i = 0; i < 80; i++) {
            fleet.step();
            assertThat(down()).as(fleet::describe).isLessThanOrEqualTo(1);
        }
        assertThat(fleet.nodes()).allMatch(n -> n.target.cassandraYaml().equals(Map.of("concurrent_reads", 9)));
        assertThat(fleet.dc(1).controller.view().plans().values())
                .extracting(Plan::status)
                .containsExactly(PlanStatus.COMPLETE, PlanStatus.SUPERSEDED, PlanStatus.COMPLETE);
    }

    @Test
    void the_same_spec_again_changes_nothing() {
        create();
        ApplyResult again = apply(fleet.dc(1), twoDatacenters());
        assertThat(again.changed()).isFalse();
        assertThat(again.plan()).isNull();
        assertThat(fleet.dc(1).controller.view().plans()).hasSize(1);
    }

    @Test
    void a_dry_run_shows_the_plan_and_stores_nothing() {
        long commits = fleet.dc(1).store.commits();
        ApplyResult dry = accepted(
                fleet.dc(1).controller.requests().applySpec("yaml", twoDatacenters(), 0L, "alice", false, true));
        assertThat(dry.plan()).isNotNull();
        assertThat(fleet.dc(1).store.commits()).isEqualTo(commits);
        assertThat(fleet.dc(1).controller.view().clusters()).isEmpty();
    }

    @Test
    void a_spec_that_cannot_be_had_is_refused_and_changes_nothing() {
        create();
        ClusterSpec fewer = withNodes(twoDatacenters(), 2, 3);
        assertThat(refused(fleet.dc(1).controller.requests().applySpec("yaml", fewer, null, "alice", false, false)))
                .singleElement()
                .satisfies(p -> {
                    assertThat(p.code()).isEqualTo(ErrorCode.OPERATION_UNSAFE);
                    assertThat(p.field()).isEqualTo("datacenters.dc1.nodes");
                });
        ClusterSpec nowhere = Samples.spec("other", 3, 2, 3, 2, 1, 1);
        assertThat(refused(fleet.dc(1).controller.requests().applySpec("yaml", nowhere, null, "alice", false, false)))
                .anySatisfy(p -> assertThat(p.field()).isEqualTo("datacenters.dc3"));
        assertThat(refused(fleet.dc(1).controller.requests().applySpec("yaml", fewer, 7L, "alice", false, false)))
                .singleElement()
                .satisfies(p -> assertThat(p.code()).isEqualTo(ErrorCode.VERSION_CONFLICT));
        assertThat(fleet.dc(1).controller.view().clusters().get(RIDES).targetSpecVersion())
                .isEqualTo(1);
    }

    @Test
    void what_a_peer_cannot_plan_is_told_with_its_reason_until_a_better_spec_comes() {
        FakeFleet small = new FakeFleet(2);
        small.dc(2).controller.requests().cordon(small.dc(2).machines.get(0).name(), "disk fails", "bob");
        apply(small.dc(1), twoDatacenters());
        for (int i = 0; i < 5; i++) {
            small.step();
        }
        assertThat(small.dc(2).controller.unplannable())
                .singleElement()
                .satisfies(u -> assertThat(u.problems().get(0).code()).isEqualTo(ErrorCode.NO_MACHINE_FITS));
        assertThat(small.describe()).contains("sync dc2 WAITING: dc2 cannot plan it: ");
        small.dc(2).controller.requests().uncordon(small.dc(2).machines.get(0).name(), "bob");
        small.untilSettled();
        assertThat(small.nodes()).hasSize(6);
    }

    @Test
    void a_paused_plan_begins_nothing_new_until_it_is_resumed() {
        create();
        apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        fleet.until("a node is down", 20, () -> down() == 1);
        accepted(fleet.dc(1).controller.requests().control(newest(1).id(), PlanVerb.PAUSE, null, "alice"));
        for (int i = 0; i < 30; i++) {
            fleet.step();
        }
        assertThat(down()).isZero();
        assertThat(fleet.nodes()).filteredOn(n -> n.starts > 1).hasSize(1);
        accepted(fleet.dc(1).controller.requests().control(newest(1).id(), PlanVerb.RESUME, null, "alice"));
        fleet.untilSettled();
        assertThat(fleet.nodes()).allMatch(n -> n.starts == 2);
    }

    @Test
    void an_unchanged_command_is_sent_again_only_after_growing_pauses() {
        create();
        var id = fleet.dc(1).nodes.keySet().iterator().next();
        fleet.dc(1).commands.clear();
        for (int i = 0; i < 60; i++) {
            fleet.dc(1).executorDies(id);
            fleet.step();
        }
        List<Command> launches = fleet.dc(1).commands.stream()
                .filter(Command.Launch.class::isInstance)
                .toList();
        assertThat(launches).hasSizeBetween(4, 8);
    }

    @Test
    void two_specs_of_one_version_end_in_one() {
        create();
        fleet.dc(1).reachable = false;
        fleet.step();
        apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        apply(fleet.dc(2), withYaml(twoDatacenters(), Map.of("concurrent_reads", 9)));
        fleet.dc(1).reachable = true;
        fleet.untilSettled();
        fleet.datacenters.values().forEach(d -> assertThat(d.controller.view().targetSpec(RIDES))
                .get()
                .satisfies(s -> {
                    assertThat(s.version()).isEqualTo(3);
                    assertThat(s.spec().cassandraYaml()).isEqualTo(Map.of("concurrent_reads", 8));
                }));
        assertThat(fleet.nodes()).allMatch(n -> n.target.cassandraYaml().equals(Map.of("concurrent_reads", 8)));
    }

    @Test
    void nodes_that_a_beaten_spec_placed_and_never_launched_do_not_stand_in_the_way_of_the_one_that_won() {
        create();
        fleet.dc(1).reachable = false;
        fleet.step();
        apply(fleet.dc(1), withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        apply(fleet.dc(2), withNodes(twoDatacenters(), 3, 4));
        fleet.step();
        assertThat(fleet.dc(2).controller.view().nodesOf(RIDES)).hasSize(4);
        fleet.dc(1).reachable = true;
        fleet.untilSettled();
        assertThat(fleet.dc(2).controller.view().nodesOf(RIDES)).hasSize(3);
        assertThat(fleet.nodes())
                .hasSize(6)
                .allMatch(n -> n.target.cassandraYaml().equals(Map.of("concurrent_reads", 8)));
    }

    @Test
    void what_won_and_cannot_be_planned_says_whose_it_is_and_why_and_a_spec_for_both_mends_it() {
        create();
        fleet.dc(2).reachable = false;
        fleet.step();
        apply(fleet.dc(1), withNodes(twoDatacenters(), 4, 3));
        fleet.until("node-3 has joined", 60, () -> fleet.dc(1).nodes.size() == 4 && down() == 0);
        apply(fleet.dc(2), withYaml(twoDatacenters(), Map.of("concurrent_reads", 8)));
        apply(fleet.dc(2), withNodes(twoDatacenters(), 99, 3));
        fleet.dc(2).reachable = true;
        fleet.step();
        fleet.step();
        assertThat(fleet.dc(1)
                        .controller
                        .clusterStatus(RIDES)
                        .orElseThrow()
                        .findings()
                        .get(0)
                        .problem())
                .satisfies(p -> {
                    assertThat(p.message())
                            .startsWith("version 3, applied by alice at dc2, cannot be planned here: no machine fits");
                    assertThat(p.nextStep()).asString().endsWith("; it is tried again automatically");
                });
        apply(fleet.dc(1), withYaml(withNodes(twoDatacenters(), 4, 3), Map.of("concurrent_reads", 9)));
        fleet.untilSettled();
        assertThat(fleet.nodes())
                .hasSize(7)
                .allMatch(n -> n.target.cassandraYaml().equals(Map.of("concurrent_reads", 9)));
    }
}
