package io.ringmaster.core.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.status.LocalClusterStatus.Finding;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.MachineBuilder;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Phase;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.record.NodeRecordBuilder;
import io.ringmaster.model.spec.ClusterSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LocalClusterStatusesTest {
    private static final ClusterSpec BOTH = Samples.spec("rides", 3, 2, 3, 2);

    private static LocalClusterStatus status(Scene scene) {
        return LocalClusterStatuses.of(scene.view(), Scene.RIDES, List.of()).orElseThrow();
    }

    private static Scene whole() {
        return Scene.live(BOTH)
                .peer(3, 1, 1, true, null)
                .remoteSeen(0, true)
                .remoteSeen(1, true)
                .remoteSeen(2, true);
    }

    @Test
    void a_whole_cluster_has_no_findings() {
        LocalClusterStatus status = status(whole());
        assertThat(status.whole()).isTrue();
        assertThat(status.findings()).isEmpty();
        assertThat(status.datacenters()).extracting(d -> d.nodes().size()).containsExactly(3, 3);
        assertThat(status.datacenters().get(0).nodes().get(0)).satisfies(n -> {
            assertThat(n.contactPoint()).isEqualTo("127.1.1.1:9042");
            assertThat(n.seed()).isTrue();
        });
    }

    @Test
    void a_member_shows_its_share_of_each_keyspace_and_a_node_that_has_not_joined_shows_none() {
        LocalClusterStatus all = status(whole().replicas("trips", 3).replicas("logs", 1));
        assertThat(all.datacenters().get(0).nodes()).allSatisfy(n -> assertThat(n.ownership())
                .hasEntrySatisfying("trips", share -> assertThat(share).isCloseTo(1, within(1e-9)))
                .hasEntrySatisfying("logs", share -> assertThat(share).isCloseTo(1 / 3.0, within(1e-9))));
        LocalClusterStatus two = status(whole().replicas("trips", 1)
                .record(2, r -> NodeRecordBuilder.builder(r).joined(false).build()));
        assertThat(two.datacenters().get(0).nodes().get(2).ownership()).isEmpty();
        assertThat(two.datacenters().get(0).nodes().get(0).ownership())
                .hasEntrySatisfying("trips", share -> assertThat(share).isCloseTo(2 / 3.0, within(1e-9)));
    }

    @Test
    void a_silent_peer_is_reported_with_its_reason_and_its_nodes_are_unknown() {
        LocalClusterStatus status = status(whole().peerSilent());
        assertThat(status.whole()).isFalse();
        assertThat(status.findings()).singleElement().satisfies(f -> {
            assertThat(f.problem().code()).isEqualTo(ErrorCode.PEER_UNREACHABLE);
            assertThat(f.since()).isEqualTo(Scene.NOW.minusSeconds(60));
        });
        assertThat(status.datacenters().get(1).nodes())
                .allMatch(n -> n.mode() == OperatingMode.UNKNOWN && n.activity().contains("in the last report"));
    }

    @Test
    void a_datacenter_that_leaves_is_shown_until_its_last_node_is_gone() {
        LocalClusterStatus leaving = status(whole().version(Samples.spec("rides", 3, 2)));
        assertThat(leaving.datacenters())
                .extracting(d -> d.name().value(), d -> d.nodesDeclared(), d -> d.nodes()
                        .size())
                .containsExactly(tuple("dc1", 3, 3), tuple("dc2", 0, 3));
        assertThat(leaving.whole()).as("every node of the spec is").isTrue();
        LocalClusterStatus left =
                status(whole().version(Samples.spec("rides", 3, 2)).peer(0, 2, 2, true, null));
        assertThat(left.datacenters()).extracting(d -> d.name().value()).containsExactly("dc1");
    }

    @Test
    void a_lost_datacenter_has_left_when_no_node_here_sees_a_member_of_it() {
        ClusterSpec alone = Samples.spec("rides", 3, 2);
        assertThat(status(whole().version(alone).peerSilent()).datacenters())
                .as("its members are in gossip")
                .extracting(d -> d.name().value())
                .containsExactly("dc1", "dc2");
        Scene removed = Scene.live(BOTH).peer(3, 1, 1, true, null).remoteLeft(0).version(alone);
        assertThat(status(removed).datacenters())
                .as("its server reports nodes")
                .extracting(d -> d.name().value())
                .containsExactly("dc1", "dc2");
        assertThat(status(removed.peerSilent()).datacenters())
                .extracting(d -> d.name().value())
                .containsExactly("dc1");
        assertThat(status(removed.silent(0).silent(1).silent(2)).datacenters())
                .as("no node here says what it sees")
                .extracting(d -> d.name().value())
                .containsExactly("dc1", "dc2");
    }

    @Test
    void a_node_that_is_down_is_reported_with_the_next_step() {
        LocalClusterStatus status = status(whole().says(1, OperatingMode.DOWN));
        assertThat(status.whole()).isFalse();
        assertThat(status.findings()).anySatisfy(f -> {
            assertThat(f.subject()).isEqualTo("dc1/node-1");
            assertThat(f.problem().nextStep()).asString().isEqualTo("ringmaster node logs rides/dc1/node-1");
        });
    }

    @Test
    void a_node_that_a_plan_restarts_needs_nobody() {
        var step = new StepState(
                "dc1 node-1",
                "restart-node",
                Map.of("node", "rides/dc1/node-1"),
                Map.of(),
                StepState.Status.WAITING,
                null,
                null,
                null,
                null,
                null);
        Plan plan =
                Samples.plan("restart", PlanStatus.RUNNING, new Phase("restart", Phase.Strategy.SERIAL, List.of(step)));
        assertThat(status(whole().plan(plan).says(1, OperatingMode.DRAINING)).findings())
                .anySatisfy(f -> {
                    assertThat(f.problem().message())
                            .startsWith("is DRAINING: ")
                            .endsWith("; plan dc1-1 works on it");
                    assertThat(f.problem().nextStep()).isNull();
                });
        assertThat(status(whole().plan(plan).says(0, OperatingMode.DOWN)).findings())
                .anySatisfy(f -> assertThat(f.problem().nextStep()).isNotNull());
    }

    @Test
    void a_stopped_or_drained_node_is_reported_with_how_to_start_it() {
        assertThat(status(whole().says(1, OperatingMode.DRAINED)).findings())
                .anySatisfy(f -> assertThat(f.problem().nextStep())
                        .asString()
                        .isEqualTo("ringmaster node restart rides/dc1/node-1"));
        assertThat(status(whole().says(1, OperatingMode.DOWN).record(1, r -> r.running(false)))
                        .findings())
                .anySatisfy(
                        f -> assertThat(f.problem().nextStep()).asString().isEqualTo("ringmaster cluster start rides"));
    }

    @Test
    void a_dead_executor_and_a_lost_volume_are_reported() {
        assertThat(status(whole().claim(0, AllocationState.Status.EXITED).silent(0))
                        .findings())
                .anySatisfy(f ->
                        assertThat(f.problem().nextStep()).asString().isEqualTo("it is launched again automatically"));
        assertThat(status(whole().claimGone(0)).findings())
                .anySatisfy(f -> assertThat(f.problem().code()).isEqualTo(ErrorCode.MACHINE_LOST));
        assertThat(status(whole().poolUnseen()).findings())
                .anySatisfy(f -> assertThat(f.problem().code()).isEqualTo(ErrorCode.POOL_UNAVAILABLE));
    }

    @Test
    void a_node_that_has_not_joined_and_whose_allocation_is_gone_is_reported_with_the_next_step() {
        Scene newcomer = whole().record(2, r -> NodeRecord.placed(r.id(), r.allocation(), r.rack(), r.tokens(), 1)
                        .decide(1))
                .silent(2)
                .claimGone(2);
        assertThat(status(newcomer).findings()).anySatisfy(f -> {
            assertThat(f.subject()).isEqualTo("dc1/node-2");
            assertThat(f.problem().line())
                    .isEqualTo("it has not joined, and its allocation on machine-3 is gone"
                            + " -> it is reserved again automatically");
        });
        assertThat(status(newcomer.machineLost(2).claimGone(2)).findings())
                .anySatisfy(f -> assertThat(f.problem().nextStep())
                        .asString()
                        .startsWith("bring the machine back, and the node"));
        Scene replacement = whole().record(2, r -> r.replacedAt(r.allocation(), "127.1.1.3:7000", Scene.NOW)
                        .decide(1))
                .silent(2)
                .claimGone(2);
        assertThat(status(replacement).findings())
                .anySatisfy(f -> assertThat(f.problem().nextStep())
                        .asString()
                        .endsWith("if it does not return: ringmaster node replace rides/dc1/node-2"));
    }

    @Test
    void a_pool_that_cannot_be_asked_says_why() {
        View view = ViewBuilder.from(whole().poolUnseen().view()).withPoolProblem("no such namespace");
        assertThat(LocalClusterStatuses.of(view, Scene.RIDES, List.of())
                        .orElseThrow()
                        .findings())
                .anySatisfy(f -> assertThat(f.problem().message())
                        .isEqualTo("the pool of dc1 does not answer now: no such namespace"));
    }

    @Test
    void what_the_pool_cannot_do_for_a_cluster_is_reported_of_this_cluster_alone() {
        Problem warning = Problem.of(ErrorCode.POOL_UNAVAILABLE, "its budget is not kept");
        assertThat(findingsWithWarning(Scene.RIDES, warning)).singleElement().satisfies(f -> {
            assertThat(f.subject()).isEqualTo("dc1");
            assertThat(f.problem()).isEqualTo(warning);
        });
        assertThat(findingsWithWarning(new ClusterName("other"), warning)).isEmpty();
    }

    private static List<Finding> findingsWithWarning(ClusterName warned, Problem warning) {
        View view = ViewBuilder.from(whole().view()).withPoolWarnings(Map.of(warned, warning));
        return LocalClusterStatuses.of(view, Scene.RIDES, List.of())
                .orElseThrow()
                .findings();
    }

    @Test
    void a_lost_machine_is_reported_once_with_the_next_step() {
        assertThat(status(whole().machineLost(1)).findings()).singleElement().satisfies(f -> {
            assertThat(f.subject()).isEqualTo("dc1/node-1");
            assertThat(f.problem().code()).isEqualTo(ErrorCode.MACHINE_LOST);
            assertThat(f.problem().message()).contains("machine-2 is lost");
            assertThat(f.problem().nextStep())
                    .asString()
                    .contains("bring the machine back", "switch its power on", "node replace rides/dc1/node-1")
                    .doesNotContain("playground");
        });
    }

    @Test
    void a_node_that_still_has_to_repair_is_reported_with_the_next_step() {
        assertThat(status(whole().record(1, r -> r.owing(Scene.NOW))).findings())
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.subject()).isEqualTo("dc1/node-1");
                    assertThat(f.problem().message())
                            .startsWith("owes a repair: it took over ranges, was restored from a backup, or was away");
                    assertThat(f.since()).isEqualTo(Scene.NOW);
                    assertThat(f.problem().nextStep()).hasToString("ringmaster repair start rides");
                });
    }

    @Test
    void a_machine_stays_lost_since_its_executor_was_heard_while_the_pool_tries_to_launch_it_again() {
        Problem lost = Problem.of(ErrorCode.MACHINE_LOST, "the machine is lost");
        Instant tried = Scene.NOW.plusSeconds(60);
        assertThat(status(whole().machineLost(1).failed(1, lost, tried)).findings())
                .extracting(Finding::since)
                .containsExactly(Scene.NOW);
        assertThat(status(whole().machineLost(1).unheard(1).failed(1, lost, tried))
                        .findings())
                .extracting(Finding::since)
                .containsExactly(tried);
        assertThat(status(whole().machineLost(1)
                                .failed(1, lost, tried)
                                .record(1, r -> r.lost(Scene.NOW.minusSeconds(5))))
                        .findings())
                .extracting(Finding::since)
                .containsExactly(Scene.NOW.minusSeconds(5));
    }

    @Test
    void a_machine_that_the_pool_cannot_reach_is_not_called_lost() {
        Scene scene = whole().machine(1, m -> MachineBuilder.from(m).withState(Machine.State.UNREACHABLE));
        assertThat(status(scene).findings()).singleElement().satisfies(f -> assertThat(
                        f.problem().message())
                .isEqualTo("the pool has lost contact with machine-2; this node may still run"));
    }

    @Test
    void an_allocation_that_waits_is_reported_with_what_it_waits_for() {
        Problem full = Problem.of(ErrorCode.POOL_UNAVAILABLE, "no offer of machine-2 has 1 CPU");
        Scene scene = whole().claim(1, AllocationState.Status.PENDING)
                .reported(1, s -> s.withProblem(full))
                .silent(1);
        assertThat(status(scene).findings())
                .anySatisfy(f -> assertThat(f.problem().message())
                        .isEqualTo("its allocation on machine-2 waits: no offer of machine-2 has 1 CPU"));
    }

    @Test
    void a_node_that_the_pool_cannot_start_is_a_failure_of_its_executor_and_not_of_the_pool() {
        Problem refused = Problem.of(ErrorCode.POOL_UNAVAILABLE, "port 7000 of machine-2 is taken");
        assertThat(status(whole().failed(1, refused, Scene.NOW).silent(1)).findings())
                .anySatisfy(f -> assertThat(f.problem().code()).isEqualTo(ErrorCode.EXECUTOR_FAILED))
                .noneSatisfy(f -> assertThat(f.problem().code()).isEqualTo(ErrorCode.POOL_UNAVAILABLE));
    }

    @Test
    void why_a_spec_cannot_be_planned_comes_first_with_its_author_and_the_next_step() {
        Problem fewer = new Problem(
                ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                "datacenters.dc1.nodes",
                "cannot change from 4 to 3",
                "keep 4 or more");
        Problem none = Problem.of(ErrorCode.NO_MACHINE_FITS, "no machine fits");
        LocalClusterStatus status = LocalClusterStatuses.of(
                        whole().poolUnseen().view(), Scene.RIDES, List.of(fewer, none))
                .orElseThrow();
        assertThat(status.findings().get(0).subject()).isEqualTo("dc1");
        assertThat(status.findings().get(0).problem())
                .isEqualTo(new Problem(
                        ErrorCode.SPEC_CHANGE_UNSUPPORTED,
                        "datacenters.dc1.nodes",
                        "version 1, applied by alice at dc1, cannot be planned here: cannot change from 4 to 3",
                        "keep 4 or more; apply a spec that every datacenter can plan"));
        assertThat(status.findings().get(1).problem().nextStep())
                .asString()
                .isEqualTo("it is tried again automatically");
    }

    @Test
    void a_node_that_somebody_closed_to_clients_is_reported_with_how_to_open_it() {
        assertThat(status(whole().access(1, ClientAccess.CLOSED)).findings())
                .singleElement()
                .satisfies(f -> {
                    assertThat(f.subject()).isEqualTo("dc1/node-1");
                    assertThat(f.problem().message()).isEqualTo("accepts no clients: CQL is closed");
                    assertThat(f.problem().nextStep())
                            .asString()
                            .isEqualTo(
                                    "ringmaster node restart rides/dc1/node-1, or open it with nodetool enablebinary");
                });
        ClusterSpec closed = BOTH.withCassandraYaml(Map.of("start_native_transport", false));
        assertThat(status(Scene.live(closed).access(1, ClientAccess.CLOSED)).findings())
                .noneMatch(f -> f.problem().message().contains("no clients"));
    }

    @Test
    void a_cluster_whose_creation_nobody_continues_is_reported() {
        Scene scene = Scene.placed(BOTH)
                .record(0, r -> r.decide(1))
                .claim(0, AllocationState.Status.RUNNING)
                .access(0, ClientAccess.AWAITS_CREATION)
                .says(0, OperatingMode.NORMAL);
        assertThat(status(scene).findings()).anySatisfy(f -> {
            assertThat(f.problem().message())
                    .isEqualTo("is not created, and no plan here is open: its nodes accept no clients");
            assertThat(f.problem().nextStep()).asString().isEqualTo("apply its spec again at a server of dc1");
        });
    }

    @Test
    void the_rest_of_a_deleted_cluster_is_not_shown() {
        assertThat(LocalClusterStatuses.of(Scene.declared(BOTH).deleting().view(), Scene.RIDES, List.of()))
                .isEmpty();
    }
}
