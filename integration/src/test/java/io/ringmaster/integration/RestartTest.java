package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.PlanLoad;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.Scope;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Operations that are asked for by name, on two datacenters of three real nodes, under steady reads and writes at
 * LOCAL_QUORUM.
 */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RestartTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static Playground playground;
    private static CqlSession session;
    private static SteadyReader reader;
    private static SteadyReader writer;

    @BeforeAll
    static void start_with_load() {
        playground = Playground.up();
        ClusterStatus status = playground.whole(6, SOON);
        session = Playground.session(status, "dc1");
        Ddl.execute(
                session,
                "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3,'dc2':3}");
        Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        for (int i = 0; i < 200; i++) {
            session.execute(quorum("INSERT INTO trips.place (rider, city) VALUES (" + i + ", 'Pune')"));
        }
        reader = new SteadyReader(session, quorum("SELECT city FROM trips.place WHERE rider = 7"));
        writer = new SteadyReader(session, quorum("INSERT INTO trips.place (rider, city) VALUES (300, 'Lima')"));
    }

    @AfterAll
    static void stop() {
        Stream.of(reader, writer, session).filter(Objects::nonNull).forEach(c -> {
            try {
                c.close();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void a_dry_run_shows_the_plan_of_both_datacenters_and_who_will_feel_it() {
        Set<Long> before = daemons();
        assertThat(playground.run("cluster", "restart", "rides", "--dry-run"))
                .contains("plan for dc1", "plan for dc2", "dc1 node-0", "dc2 node-2", "one after another")
                .contains("every keyspace has 3 or more replicas in dc1: ONE, LOCAL_QUORUM,");
        assertThat(daemons()).isEqualTo(before);
    }

    @Test
    @Order(2)
    void a_rolling_restart_of_everything_fails_no_request() {
        Set<Long> before = daemons();
        playground.run("cluster", "restart", "rides", "--yes", "--wait", "--why", "a test");
        assertThat(daemons()).hasSize(6).doesNotContainAnyElementsOf(before);
        assertNoFailure();
        assertThat(newest("restart"))
                .hasSize(2)
                .allSatisfy(plan -> assertThat(steps(plan)).hasSize(3).allSatisfy(s -> assertThat(s.reason())
                        .matches("NORMAL after .* s, post-change check .* s \\(seen by all after .* s\\), "
                                + "probe passed: LOCAL_QUORUM in \\d+ ms")));
        assertThat(playground.run("operation", "status", "rides")).contains("restart", "done", "a test");
    }

    @Test
    @Order(9)
    void a_probe_of_both_datacenters_meets_no_failure_while_everything_is_restarted() {
        Assumptions.assumeTrue(Playground.metronome().isPresent(), "metronome is not built");
        Playground.Result result =
                Playground.attempt(List.of("cluster", "restart", "rides", "--yes", "--wait", "--probe"));
        assertThat(newest("restart")).allSatisfy(plan -> assertFelt(plan, result));
        assertThat(playground.run("plan", "show", newest("restart").get(0).id().value()))
                .contains("load: 200 requests a second in each datacenter")
                .contains("dc2 during");
    }

    /**
     * What the probe met is kept with the plan: in both datacenters thousands of requests while it was at work, and
     * none failed. What fails before or after, on a machine with too much to do, is not the plan's fault, but the
     * command says so all the same.
     */
    private static void assertFelt(Plan plan, Playground.Result result) {
        PlanLoad load = Objects.requireNonNull(plan.load());
        assertThat(result.exit() == 0).as(result.output()).isEqualTo(load.failed() == 0);
        assertThat(load.parts()).hasSize(2).allSatisfy(part -> {
            assertThat(part.during().failed()).as(part.toString()).isZero();
            assertThat(part.before().requests()).isGreaterThan(500);
            assertThat(part.during().requests()).isGreaterThan(2_000);
            assertThat(part.during().p99Ms()).isPositive();
            assertThat(part.after().requests()).isGreaterThan(500);
        });
    }

    @Test
    @Order(3)
    void one_node_is_restarted_by_its_name() {
        long other = playground.daemon("dc1", 1).pid();
        long one = playground.daemon("dc1", 2).pid();
        playground.run("node", "restart", "rides/dc1/node-2", "--yes", "--wait");
        assertThat(playground.daemon("dc1", 2).pid()).isNotEqualTo(one);
        assertThat(playground.daemon("dc1", 1).pid()).isEqualTo(other);
        assertNoFailure();
    }

    @Test
    @Order(4)
    void a_drained_node_is_out_of_service_until_it_is_restarted() {
        playground.run("node", "drain", "rides/dc1/node-1", "--yes", "--wait");
        assertThat(playground.status().datacenters().get(0).nodes().get(1).mode())
                .isEqualTo(OperatingMode.DRAINED);
        playground.run("node", "restart", "rides/dc1/node-1", "--yes", "--wait");
        playground.whole(6, SOON);
        assertNoFailure();
    }

    @Test
    @Order(4)
    void work_on_tables_is_done_on_every_node_with_its_outcome() {
        List<String> operations = List.of("flush", "compact", "cleanup", "garbage-collect", "upgradesstables");
        for (String operation : operations) {
            playground.run("cluster", operation, "rides", "--dc", "dc1", "--keyspaces", "trips", "--yes", "--wait");
            assertThat(newest(operation)).singleElement().satisfies(plan -> assertThat(steps(plan))
                    .filteredOn(s -> !s.name().equals("repair ranges"))
                    .hasSize(3)
                    .allSatisfy(s -> assertThat(s.reason()).matches("1 table .* in .* s")));
        }
        assertNoFailure();
    }

    /** Cassandra keeps the rows of a table that is truncated or dropped as a snapshot. */
    @Test
    @Order(4)
    void room_that_only_snapshots_take_is_shown_and_given_back() {
        Ddl.execute(session, "CREATE TABLE trips.gone (id int PRIMARY KEY, bytes blob)");
        Random random = new Random(1);
        for (int i = 0; i < 64; i++) {
            byte[] bytes = new byte[64 << 10]; // which cannot be compressed
            random.nextBytes(bytes);
            session.execute(SimpleStatement.newInstance(
                    "INSERT INTO trips.gone (id, bytes) VALUES (?, ?)", i, ByteBuffer.wrap(bytes)));
        }
        session.execute("DROP TABLE trips.gone");
        awaitShown("[1-9][.\\d]* MiB of it only in snapshots");
        playground.run("cluster", "clear-snapshots", "rides", "--yes", "--wait");
        assertThat(newest("clear-snapshots")).hasSize(2).allSatisfy(plan -> assertThat(steps(plan))
                .hasSize(3)
                .allSatisfy(s -> assertThat(s.reason()).contains(" cleared, ", "MiB freed")));
        awaitShown("\\b0 B of it only in snapshots");
        assertNoFailure();
    }

    /** By each node, which measures its volume every minute. */
    private static void awaitShown(String pattern) {
        for (String node : List.of("rides/dc1/node-1", "rides/dc2/node-0")) {
            Patience.until(
                    node + " to show " + pattern,
                    SOON,
                    () -> playground.run("node", "show", node),
                    shown -> Pattern.compile(pattern).matcher(shown).find());
        }
    }

    @Test
    @Order(5)
    void a_repair_of_both_datacenters_fails_no_request() {
        playground.run("repair", "start", "rides", "--keyspace", "trips", "--yes", "--wait");
        assertThat(newest("repair")).hasSize(2).allSatisfy(plan -> {
            assertThat(plan.status()).isEqualTo(PlanStatus.COMPLETE);
            assertThat(steps(plan)).hasSize(3);
        });
        assertNoFailure();
    }

    @Test
    @Order(6)
    void a_parameter_that_needs_a_restart_reaches_every_node_and_fails_no_request() {
        Set<Long> before = daemons();
        String spec = playground.specWith("  concurrent_reads: 5\n");
        playground.client("dc1").apply(Playground.RIDES, spec, null, ChangeOptions.APPLY);
        long version = playground.client("dc1").spec(Playground.RIDES).version();
        Patience.until(
                "every node to have the new version",
                SOON,
                playground::status,
                s -> s.normal() == 6
                        && s.datacenters().stream()
                                .flatMap(d -> d.nodes().stream())
                                .allMatch(n -> n.appliedSpecVersion() == version));
        assertThat(daemons()).hasSize(6).doesNotContainAnyElementsOf(before);
        assertNoFailure();
    }

    @Test
    @Order(7)
    void an_executor_that_dies_in_the_middle_of_a_task_does_not_lose_it() {
        playground.run(
                "repair", "start", "rides", "--node", "dc1/node-1", "--keyspace", "trips", "--segments", "60", "--yes");
        NodeId node = Patience.until(
                        "a node in the middle of its repair", SOON, RestartTest::repairing, Optional::isPresent)
                .orElseThrow();
        Processes.kill9(playground.executor(node.datacenter().value(), node.index()));
        Patience.until("the repair to end", SOON, () -> newest("repair"), plans -> plans.stream()
                .allMatch(p -> p.status() == PlanStatus.COMPLETE));
        assertThat(newest("repair").stream().flatMap(p -> steps(p).stream()))
                .as("the repair went on, and was not started again")
                .allSatisfy(s -> assertThat(s.reason()).matches("\\d+ ranges repaired in [\\d.]+ s"));
        assertNoFailure();
    }

    private static Optional<NodeId> repairing() {
        return newest("repair").stream()
                .flatMap(p -> steps(p).stream())
                .filter(s -> String.valueOf(s.reason()).matches("repair: [1-9]\\d? % of .*"))
                .findFirst()
                .flatMap(StepState::node);
    }

    @Test
    @Order(8)
    void what_cannot_be_done_says_why_and_changes_nothing() {
        assertThat(refusal(
                        "cluster",
                        "compact",
                        "rides",
                        "--keyspaces",
                        "nowhere",
                        "--node",
                        "dc1/node-0",
                        "--yes",
                        "--wait"))
                .contains("keyspace 'nowhere' is not there; there are [trips]");
        assertThat(refusal("cluster", "drain", "rides", "--yes")).contains("would be out of service together");
        assertThat(refusal("cluster", "restart", "rides", "--node", "dc1/node-9", "--yes"))
                .contains("there is no node rides/dc1/node-9");
        playground.whole(6, SOON);
    }

    @Test
    @Order(10)
    void a_stopped_cluster_has_its_data_when_it_is_started_again() {
        reader.close();
        writer.close();
        int rows =
                session.execute(quorum("SELECT rider FROM trips.place")).all().size();
        playground.run("cluster", "stop", "rides", "--yes", "--wait");
        assertThat(Processes.mentioning("companion.Launch", Playground.HOME.toString()))
                .isEmpty();
        assertThat(playground.client("dc1").status(Playground.RIDES, Scope.FLEET).datacenters().stream()
                        .flatMap(d -> d.nodes().stream()))
                .allSatisfy(n -> assertThat(n.mode()).isEqualTo(OperatingMode.DOWN));
        assertThat(Files.exists(playground.allocation("dc2", 1).resolve("volume/data")))
                .isTrue();
        playground.run("cluster", "start", "rides", "--yes", "--wait");
        playground.whole(6, SOON);
        Patience.until(
                "the rows",
                SOON,
                () -> session.execute(quorum("SELECT rider FROM trips.place"))
                        .all()
                        .size(),
                count -> count == rows);
    }

    private static void assertNoFailure() {
        assertThat(reader.failed()).as(reader.firstFailure()).isZero();
        assertThat(writer.failed()).as(writer.firstFailure()).isZero();
        assertThat(reader.answered()).isGreaterThan(50);
        assertThat(writer.answered()).isGreaterThan(50);
    }

    private static String refusal(String... command) {
        Playground.Result result = Playground.attempt(List.of(command));
        assertThat(result.exit()).as(result.output()).isNotZero();
        return result.output();
    }

    private static Set<Long> daemons() {
        return playground.status().datacenters().stream()
                .flatMap(d -> d.nodes().stream())
                .map((NodeState n) -> playground
                        .daemon(n.node().datacenter().value(), n.node().index())
                        .pid())
                .collect(Collectors.toSet());
    }

    /** The plans of the request that was made last of this operation. */
    private static List<Plan> newest(String operation) {
        List<Plan> plans = playground.client("dc1").plans(Playground.RIDES).items().stream()
                .filter(p -> p.operation().equals(operation))
                .toList();
        var last = plans.stream().map(Plan::request).filter(Objects::nonNull).max(Comparator.naturalOrder());
        return plans.stream()
                .filter(p -> Objects.equals(p.request(), last.orElse(null)))
                .toList();
    }

    private static List<StepState> steps(Plan plan) {
        return plan.phases().stream().skip(1).flatMap(p -> p.steps().stream()).toList();
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }
}
