package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.Scope;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * One datacenter with two real nodes: its server is killed in the middle of the deploy, then the spec changes for
 * better and worse.
 */
@RealNodes
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ChangesTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static Process starting;
    private static final Playground playground = Playground.attached();

    @BeforeAll
    static void kill_the_server_in_the_middle_of_the_deploy() {
        starting = Playground.starting("--datacenters", "1", "--nodes", "2");
        Patience.until(
                "a daemon that starts",
                SOON,
                () -> Processes.mentioning("companion.Launch", Playground.HOME.toString() + "/playground"),
                found -> !found.isEmpty());
        ProcessHandle server = playground.server("dc1");
        List<String> command = Processes.commandLine(server.pid());
        Processes.kill9(server);
        Processes.detached(command, Playground.HOME.resolve("playground/dc1/again.log"));
    }

    @AfterAll
    static void stop() {
        starting.destroy();
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void the_plan_ends_all_the_same() {
        playground.whole(2, SOON);
        assertThat(playground.client("dc1").plans(Playground.RIDES).items())
                .allSatisfy(plan -> assertThat(plan.status()).isEqualTo(PlanStatus.COMPLETE));
    }

    @Test
    @Order(2)
    void a_wrong_spec_names_its_field_and_changes_nothing() {
        long before = playground.client("dc1").spec(Playground.RIDES).version();
        String wrong = source().replaceFirst("heap: *\\S+?MiB", "heap: 9TiB");
        Assertions.assertThatThrownBy(
                        () -> playground.client("dc1").apply(Playground.RIDES, wrong, null, ChangeOptions.APPLY))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("node.heap");
        assertThat(playground.client("dc1").spec(Playground.RIDES).version()).isEqualTo(before);
    }

    @Test
    @Order(3)
    void a_spec_that_cassandra_refuses_is_put_back_on_the_first_node_and_stops() {
        String bad = playground.specWith("  concurrent_reads: -5\n");
        playground.client("dc1").apply(Playground.RIDES, bad, null, ChangeOptions.APPLY);
        Patience.until(
                "the plan to fail",
                SOON,
                () -> playground.client("dc1").plans(Playground.RIDES).items(),
                plans -> plans.stream().anyMatch(p -> p.status() == PlanStatus.FAILED));
        var status = Patience.until(
                "both nodes NORMAL with the old configuration",
                SOON,
                () -> playground.client("dc1").status(Playground.RIDES, Scope.FLEET),
                s -> s.normal() == 2);
        assertThat(status.datacenters().get(0).nodes())
                .allSatisfy(node -> assertThat(node.appliedSpecVersion()).isLessThan(status.specVersion()));
    }

    @Test
    @Order(4)
    void a_good_spec_replaces_the_bad_one_node_by_node() {
        playground
                .client("dc1")
                .apply(Playground.RIDES, playground.specWith("  concurrent_reads: 3\n"), null, ChangeOptions.APPLY);
        var status = playground.whole(2, SOON);
        assertThat(status.datacenters().get(0).nodes())
                .allSatisfy(node -> assertThat(node.appliedSpecVersion()).isEqualTo(status.specVersion()));
        assertThat(playground.run(
                        "cql",
                        "rides",
                        "-e",
                        "SELECT value FROM system_views.settings WHERE name = 'concurrent_reads'"))
                .contains("3");
    }

    @Test
    @Order(5)
    void what_cassandra_takes_live_is_set_node_by_node_in_the_daemons_that_run() {
        List<Long> before = daemons();
        String faster = playground.specWith("  concurrent_reads: 3\n  compaction_throughput: 24MiB/s\n");
        var draft = playground.client("dc1").apply(Playground.RIDES, faster, null, ChangeOptions.DRY_RUN);
        assertThat(draft.plans().toString())
                .contains("live: cassandra_yaml.compaction_throughput: (none) -> 24MiB/s")
                .doesNotContain("restart: ");
        playground
                .client("dc1")
                .apply(
                        Playground.RIDES,
                        playground.specWith(
                                "  concurrent_reads: 3\n  compaction_throughput: 24MiB/s\n  read_request_timeout: 4s\n"),
                        null,
                        ChangeOptions.APPLY);
        var status = playground.whole(2, SOON);
        assertThat(daemons()).isEqualTo(before);
        assertThat(status.datacenters().get(0).nodes())
                .allSatisfy(node -> assertThat(node.setLive()).containsEntry("read_request_timeout", "4000ms"));
        assertThat(setting("compaction_throughput")).contains("24MiB/s");
        assertThat(setting("read_request_timeout")).contains("4000ms");
        assertThat(playground.run("plan", "show", "rides")).contains("live: NORMAL");
    }

    @Test
    @Order(6)
    void a_setting_that_the_first_daemon_refuses_is_put_back_without_a_restart_and_stops() {
        List<Long> before = daemons();
        String bad = playground.specWith(
                "  concurrent_reads: 3\n  compaction_throughput: 8MiB/s\n  concurrent_compactors: 0\n");
        playground.client("dc1").apply(Playground.RIDES, bad, null, ChangeOptions.APPLY);
        var failed = Patience.until(
                "the plan to fail",
                SOON,
                () -> playground.client("dc1").plans(Playground.RIDES).items(),
                plans -> plans.stream().anyMatch(p -> p.status() == PlanStatus.FAILED));
        assertThat(failed.stream().filter(p -> p.status() == PlanStatus.FAILED).map(p -> String.valueOf(p.problem())))
                .anySatisfy(problem -> assertThat(problem).contains("concurrent_compactors", "was put back"));
        assertThat(setting("compaction_throughput")).contains("24MiB/s");
        playground
                .client("dc1")
                .apply(
                        Playground.RIDES,
                        playground.specWith("  concurrent_reads: 3\n  read_request_timeout: 4s\n"),
                        null,
                        ChangeOptions.APPLY);
        playground.whole(2, SOON);
        assertThat(daemons()).isEqualTo(before);
        assertThat(setting("compaction_throughput"))
                .as("Cassandra's default, 64 MiB/s")
                .contains("64MiB/s");
    }

    private static List<Long> daemons() {
        return List.of(
                playground.daemon("dc1", 0).pid(), playground.daemon("dc1", 1).pid());
    }

    /** Of the first node, which is changed before the other. */
    private static String setting(String name) {
        ClusterStatus status = playground.status();
        String first = status.datacenters().get(0).nodes().get(0).cqlEndpoint();
        CqlAccess administrator = CqlAccess.administrator(playground.client("dc1"), Playground.RIDES);
        try (CqlSession session = Playground.session(status, "dc1", administrator)) {
            Node node = session.getMetadata().getNodes().values().stream()
                    .filter(n -> n.getEndPoint().toString().contains(first))
                    .findFirst()
                    .orElseThrow();
            Row row = session.execute(
                            SimpleStatement.newInstance("SELECT value FROM system_views.settings WHERE name = ?", name)
                                    .setNode(node))
                    .one();
            return row == null ? "" : String.valueOf(row.getString("value"));
        }
    }

    @Test
    @Order(7)
    void a_live_cluster_is_joined_by_one_node_more() {
        String bigger = source().replaceFirst("(dc1:\\s*\\{?\\s*nodes: *)2", "$13")
                .replaceFirst("nodes_per_machine: *1", "nodes_per_machine: 2");
        assertThat(bigger).as("the grown spec").contains("nodes: 3");
        playground.client("dc1").apply(Playground.RIDES, bigger, null, ChangeOptions.APPLY);
        var status = playground.whole(3, SOON);
        assertThat(status.datacenters().get(0).nodes().get(2).seesNormal()).isEqualTo(3);
    }

    /** The check after the change asks the first node for a probe; that node is stopped for longer than it may take. */
    @Test
    @Order(8)
    void a_daemon_that_answers_late_while_it_is_asked_for_a_task_puts_nothing_back() {
        String slower = playground.specWith("  concurrent_reads: 5\n  read_request_timeout: 4s\n");
        playground.client("dc1").apply(Playground.RIDES, slower, null, ChangeOptions.APPLY);
        long version = playground.client("dc1").spec(Playground.RIDES).version();
        NodeState changed = Patience.until(
                        "a node to be NORMAL with the new version",
                        SOON,
                        () -> playground.client("dc1").status(Playground.RIDES, Scope.LOCAL).datacenters().stream()
                                .flatMap(d -> d.nodes().stream())
                                .filter(n -> n.mode() == OperatingMode.NORMAL
                                        && Long.valueOf(version).equals(n.appliedSpecVersion()))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        ProcessHandle daemon = playground.daemon("dc1", changed.node().index());
        Processes.signal("STOP", daemon);
        try {
            Patience.pause(Duration.ofSeconds(6));
        } finally {
            Processes.signal("CONT", daemon);
        }
        ClusterStatus status = playground.whole(3, SOON);
        assertThat(status.specVersion()).isEqualTo(version);
        assertThat(status.datacenters().get(0).nodes())
                .allSatisfy(node -> assertThat(node.appliedSpecVersion()).isEqualTo(version));
        assertThat(playground.client("dc1").plans(Playground.RIDES).items().stream()
                        .max(Comparator.comparing(Plan::id))
                        .orElseThrow()
                        .status())
                .isEqualTo(PlanStatus.COMPLETE);
        assertThat(daemon.isAlive()).as("it was not restarted").isTrue();
    }

    private static String source() {
        return playground.client("dc1").spec(Playground.RIDES).source();
    }
}
