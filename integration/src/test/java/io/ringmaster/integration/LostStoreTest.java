package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.client.Scope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server whose store is lost hears of its cluster, and of all that was ever requested, from another datacenter. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(600)
class LostStoreTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static Playground playground;

    @BeforeAll
    static void two_datacenters_of_one_node() {
        playground = Playground.up("--nodes", "1");
        playground.whole(2, SOON);
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    void what_was_requested_before_is_not_carried_out_again() throws Exception {
        playground.run("cluster", "restart", "rides", "--yes", "--wait");
        playground.whole(2, SOON);
        assertThat(operations()).contains("deploy", "restart");

        DeadServer server = DeadServer.of(playground, "dc2");
        loseStore();
        server.comesBack();
        // the former node of dc2 still owns the tokens; a restart would wait while this plan is not aborted
        List<Plan> plans =
                Patience.until("the plan of the cluster's spec to fail", SOON, LostStoreTest::plans, all -> all.stream()
                        .anyMatch(p -> p.operation().equals(Plan.DEPLOY) && p.status() == PlanStatus.FAILED));
        playground.run("plan", "abort", plans.get(0).id().value(), "--yes");
        Thread.sleep(10_000); // five reports of the other datacenter
        assertThat(operations()).as("operations of dc2's new plans").doesNotContain("restart");
    }

    private static List<Plan> plans() {
        return playground.client("dc2").plans(Playground.RIDES, Scope.LOCAL).items();
    }

    private static List<String> operations() {
        return plans().stream().map(Plan::operation).toList();
    }

    /** Its own ZooKeeper's files are gone; the pool is made to accept that. */
    private static void loseStore() throws IOException {
        Path folder = Playground.HOME.resolve("playground/dc2");
        try (Stream<Path> files = Files.walk(folder.resolve("zookeeper"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder.resolve("epoch"));
        Path settings = folder.resolve("server.yaml");
        Files.writeString(
                settings,
                Files.readString(settings)
                        .replaceFirst("(?m)^  playground:$", "  playground:\n    accept_directory: true"));
    }
}
