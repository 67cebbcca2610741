package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nodes join and leave a datacenter that holds data, under steady reads and writes at LOCAL_QUORUM. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(1200)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ScaleTest {
    private static final Duration SOON = ServingDatacenter.SOON;
    private static final Playground playground = Playground.attached();

    @RegisterExtension
    static final ServingDatacenter rides = new ServingDatacenter();

    @Test
    @Order(1)
    void fewer_nodes_than_replicas_are_refused_and_nothing_changes() {
        long before = playground.status().specVersion();
        Playground.Result refused =
                Playground.attempt(List.of("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "2", "--yes"));
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("2 are too few: keyspace trips has 3 replicas in dc1");
        assertThat(playground.status().specVersion()).isEqualTo(before);
    }

    @Test
    @Order(2)
    void a_node_joins_with_its_data_and_the_others_clean_up() {
        playground
                .client("dc1")
                .apply(
                        Playground.RIDES,
                        playground
                                .client("dc1")
                                .spec(Playground.RIDES)
                                .source()
                                .replaceFirst("nodes_per_machine: *1", "nodes_per_machine: 2"),
                        null,
                        ChangeOptions.APPLY);
        playground.whole(3, SOON);
        assertThat(playground
                        .run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "4", "--yes", "--wait")
                        .replaceAll("\\s+", " "))
                .contains("effective ownership, RF 3 (trips), before: node-0 100.0 %, node-1 100.0 %, node-2 100.0 %")
                .contains("after: node-0 50.0 %, node-1 100.0 %, node-2 100.0 %, node-3 50.0 %");
        ClusterStatus status = playground.whole(4, SOON);
        assertThat(status.datacenters().get(0).nodes())
                .extracting(NodeState::effectiveOwnership)
                .allSatisfy(shares -> assertThat(shares.get("trips")).isBetween(0.49, 1.0));
        assertThat(steps("cleanup")).hasSize(3).allSatisfy(s -> assertThat(s.reason())
                .startsWith("4 tables cleaned up"));
        rides.assertNothingLost();
    }

    @Test
    @Order(3)
    void the_node_leaves_again_and_its_volume_is_kept() {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "3", "--yes", "--wait");
        playground.whole(3, SOON);
        assertThat(steps("leave")).singleElement().satisfies(s -> assertThat(s.reason())
                .startsWith("left the ring; volume rides-dc1-node-3 on "));
        assertThat(Processes.mentioning(playground.allocation("dc1", 3).toString()))
                .isEmpty();
        assertThat(Files.exists(playground.allocation("dc1", 3).resolve("volume/data")))
                .isTrue();
        rides.assertNothingLost();
    }

    @Test
    @Order(4)
    void a_node_joins_again_under_the_name_of_the_one_that_left() {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "4", "--yes", "--wait");
        playground.whole(4, SOON);
        rides.assertNothingLost();
    }

    @Test
    @Order(5)
    void a_cleanup_waits_until_the_newcomer_has_repaired_what_it_took_over() throws IOException {
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "3", "--yes", "--wait");
        playground.whole(3, SOON);
        playground.run("cluster", "scale", "rides", "--dc", "dc1", "--nodes", "4", "--yes");
        Plan deploy = Patience.until(
                "the newcomer to be deployed", SOON, ScaleTest::newest, plan -> steps(plan, "deploy").stream()
                        .anyMatch(step -> step.status() != StepState.Status.PENDING
                                && !step.status().isOver()));
        playground.run("plan", "pause", deploy.id().value());
        Patience.until("the newcomer to have joined", SOON, ScaleTest::newest, plan -> steps(plan, "deploy").stream()
                .allMatch(step -> step.status().isOver()));
        playground.run("cluster", "cleanup", "rides", "--dc", "dc1", "--snapshot", "true", "--yes");
        Plan requested =
                Patience.until("the cleanup to say what it waits for", SOON, ScaleTest::newest, plan -> plan.toString()
                        .contains("the spec goes first"));
        playground.run("plan", "resume", deploy.id().value());
        Plan deployed = complete(deploy);
        Instant repaired = steps(deployed, "repair ranges").get(0).endedAt();
        assertThat(Stream.concat(steps(deployed, "cleanup").stream(), steps(complete(requested), "cleanup").stream()))
                .hasSize(3 + 4)
                .allSatisfy(step -> assertThat(step.startedAt()).isAfterOrEqualTo(repaired));
        try (Stream<Path> files = Files.walk(playground.allocation("dc1", 0))) {
            assertThat(files.filter(f -> f.getFileName().toString().startsWith("ringmaster-cleanup-")))
                    .as("a snapshot of what was cleaned up")
                    .isNotEmpty();
        }
        rides.assertNothingLost();
    }

    @Test
    @Order(6)
    void a_cleanup_waits_while_a_newcomer_is_down() {
        ProcessHandle executor = playground.executor("dc1", 3);
        Processes.signal("STOP", executor);
        Plan waiting;
        try {
            Processes.signal("KILL", playground.daemon("dc1", 3)); // its parent cannot reap it now
            Patience.until("it to be seen DOWN", SOON, () -> playground.status().normal(), n -> n == 3);
            playground.run("cluster", "cleanup", "rides", "--dc", "dc1", "--yes");
            waiting = Patience.until(
                    "the cleanup to name the newcomer", SOON, ScaleTest::newest, plan -> steps(plan, "cleanup").stream()
                            .anyMatch(step ->
                                    String.valueOf(step.reason()).contains("node-3: its executor does not answer")));
        } finally {
            Processes.signal("CONT", executor);
        }
        assertThat(steps(waiting, "cleanup")).hasSize(4).noneMatch(step -> step.status()
                .isOver());
        complete(waiting);
        rides.assertNothingLost();
    }

    @Test
    @Order(7)
    void a_delete_that_destroys_the_data_destroys_that_of_the_node_that_left_too() {
        Path volumes = playground.allocation("dc1", 3).getParent();
        assertThat(volumes.toFile().list()).contains("rides-dc1-node-3", "rides-dc1-node-3-2");
        rides.rest();
        playground.run("cluster", "delete", "rides", "--destroy-data", "--yes", "--wait");
        assertThat(volumes.toFile().list()).isEmpty();
    }

    private static Plan complete(Plan plan) {
        return Patience.until(
                plan.id() + " to be complete",
                SOON,
                () -> playground.client("dc1").plan(plan.id()),
                p -> p.status() == PlanStatus.COMPLETE);
    }

    /** Of the phase of this name in the newest plan. */
    private static List<StepState> steps(String phase) {
        return steps(newest(), phase);
    }

    private static List<StepState> steps(Plan plan, String phase) {
        return plan.phases().stream()
                .filter(p -> p.name().equals(phase))
                .flatMap(p -> p.steps().stream())
                .toList();
    }

    private static Plan newest() {
        return playground.client("dc1").plans(Playground.RIDES).items().stream()
                .max(Comparator.comparing(Plan::id))
                .orElseThrow();
    }
}
