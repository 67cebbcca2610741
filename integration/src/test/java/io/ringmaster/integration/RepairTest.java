package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.model.node.RingView.Repaired;
import io.ringmaster.model.plan.Plan;
import io.ringmaster.model.plan.StepState;
import io.ringmaster.model.request.RequestPart;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.OperationState;
import io.ringmaster.wire.client.ChangeOptions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Two datacenters of one real node each; one of them has missed writes. */
@RealNodes
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RepairTest {
    private static final Duration SOON = Duration.ofMinutes(5);
    private static final int ROWS = 500;
    private static final Pattern PROGRESS = Pattern.compile("repair: (\\d+) % of (\\d+) ranges: trips\\.place \\(.*");
    private static final Pattern SKIPPED = Pattern.compile("\\d+ ranges repaired, (\\d+) of them before.*");
    private static Playground playground;
    private static CqlSession dc1;
    private static CqlSession dc2;

    @BeforeAll
    static void let_one_datacenter_miss_what_the_other_is_told() {
        playground = Playground.up("--datacenters", "2", "--nodes", "1");
        playground.whole(2, SOON);
        String spec = playground.specWith("  hinted_handoff_enabled: false\n");
        playground.client("dc1").apply(Playground.RIDES, spec, null, ChangeOptions.APPLY);
        ClusterStatus status = playground.whole(2, SOON);
        dc1 = session(status, "dc1");
        dc2 = session(status, "dc2");
        Ddl.execute(
                dc1, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':1,'dc2':1}");
        Ddl.execute(
                dc1, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text) WITH speculative_retry = 'NEVER'");
        playground.whole(2, SOON);
        ProcessHandle missing = playground.daemon("dc2", 0);
        Processes.signal("STOP", missing);
        try {
            // A node that is DOWN is sent nothing: what was sent before would lie in its sockets until it goes on.
            Patience.until(
                    "dc1 to see the other DOWN",
                    SOON,
                    () -> node(playground.status(), "dc1").seesNormal(),
                    seen -> seen != null && seen == 1);
            for (int i = 0; i < ROWS; i++) {
                dc1.execute(SimpleStatement.newInstance(
                        "INSERT INTO trips.place (rider, city) VALUES (?, ?)", i, "city " + i));
            }
        } finally {
            Processes.signal("CONT", missing);
        }
        playground.whole(2, SOON);
    }

    @AfterAll
    static void stop() {
        for (CqlSession session : sessions()) {
            session.close();
        }
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void the_replica_has_missed_the_rows_and_was_never_repaired() {
        assertThat(rows(dc1)).isEqualTo(ROWS);
        assertThat(rows(dc2)).isZero();
        assertThat(playground.run("repair", "list", "rides")).contains("trips", "never");
    }

    @Test
    @Order(2)
    void a_repair_shows_tables_and_ranges_and_a_paused_one_leaves_nothing_running() {
        String plan = playground.run("repair", "start", "rides", "--keyspace", "trips", "--dry-run");
        assertThat(plan).contains("dc1 node-0", "dc2 node-0", "repaired ranges stay repaired");
        playground.run(
                "repair", "start", "rides", "--keyspace", "trips", "--segments", "60", "--intensity", "0.25", "--yes");
        progressed();
        assertThat(playground.run("repair", "list", "rides")).contains("running", "% of", "trips.place");
        playground.run("plan", "pause", "rides");
        Patience.until("the repair to rest", SOON, () -> reasons("dc1"), r -> r.contains("paused; no task runs"));
        nothingRuns();
    }

    @Test
    @Order(3)
    void a_resumed_one_leaves_out_what_is_repaired_and_in_the_end_the_replica_has_every_row() {
        playground.run("plan", "resume", "rides");
        OperationState state = over();
        assertThat(state.parts()).allSatisfy(p -> assertThat(p.part().state()).isEqualTo(RequestPart.State.DONE));
        String summary = plan("dc1").phases().get(1).steps().get(0).reason();
        Matcher skipped = SKIPPED.matcher(String.valueOf(summary));
        assertThat(skipped.matches()).as(summary).isTrue();
        assertThat(Integer.parseInt(skipped.group(1))).isPositive();
        assertThat(rows(dc2)).isEqualTo(ROWS);
        assertThat(plan("dc2").phases().get(1).steps().get(0).startedAt())
                .as("the second datacenter starts when the first is done")
                .isAfterOrEqualTo(plan("dc1").endedAt());
    }

    @Test
    @Order(4)
    void it_is_remembered_when_each_node_repaired_its_ranges() {
        ClusterStatus status = Patience.until(
                "both nodes to tell",
                SOON,
                playground::status,
                s -> trips(s, "dc1").map(Repaired::share).equals(Optional.of(1.0))
                        && trips(s, "dc2").map(Repaired::share).equals(Optional.of(1.0)));
        assertThat(trips(status, "dc1").orElseThrow().oldest())
                .isBetween(plan("dc1").createdAt(), plan("dc1").endedAt());
        assertThat(playground.run("repair", "list", "rides")).contains("100.0 %");
    }

    @Test
    @Order(5)
    void an_aborted_one_leaves_nothing_running_in_cassandra() {
        playground.run("repair", "start", "rides", "--keyspace", "trips", "--segments", "400", "--yes");
        progressed();
        playground.run("plan", "abort", "rides", "--yes");
        over();
        Patience.until("no task in the node", SOON, () -> running(dc1) + running(dc2), count -> count == 0);
        nothingRuns();
        int commands = commands();
        Patience.pause(Duration.ofSeconds(5));
        assertThat(commands()).as("repairs that Cassandra was ever asked for").isEqualTo(commands);
    }

    @Test
    @Order(6)
    void a_repair_of_what_is_not_there_fails_and_says_so() {
        Playground.Result refused =
                Playground.attempt(List.of("repair", "start", "rides", "--keyspace", "nowhere", "--yes"));
        assertThat(refused.exit()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("keyspace 'nowhere' is not there; there are [");
        playground.run("repair", "start", "rides", "--keyspace", "trips", "--tables", "nothing", "--yes");
        Patience.until("the failure", SOON, () -> reasons("dc1"), r -> r.contains("table 'nothing' is not in trips"));
        playground.run("plan", "abort", "rides", "--yes");
        over();
    }

    private static void progressed() {
        Patience.until(
                "progress in ranges",
                SOON,
                () -> PROGRESS.matcher(reasons("dc1")),
                m -> m.find() && Integer.parseInt(m.group(1)) >= 10);
    }

    private static void nothingRuns() {
        assertThat(running(dc1)).isZero();
        assertThat(running(dc2)).isZero();
    }

    private static long running(CqlSession session) {
        return session.execute("SELECT completed FROM system_views.repairs").all().stream()
                .filter(r -> !r.getBoolean("completed"))
                .count();
    }

    private static int commands() {
        return dc1.execute("SELECT id FROM system_views.repairs").all().size();
    }

    private static OperationState over() {
        return Patience.until(
                "the request to be over in both datacenters",
                SOON,
                () -> {
                    List<OperationState> all = playground.client("dc1").operations(Playground.RIDES);
                    return all.get(all.size() - 1);
                },
                s -> s.parts().stream()
                        .allMatch(p -> p.part() != null && p.part().state().isOver()));
    }

    private static Plan plan(String datacenter) {
        List<Plan> plans = playground.client(datacenter).plans(Playground.RIDES).items();
        return plans.stream()
                .filter(p -> p.operation().equals("repair")
                        && p.id().datacenter().value().equals(datacenter))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    private static String reasons(String datacenter) {
        return String.join(
                "\n",
                plan(datacenter).phases().stream()
                        .flatMap(p -> p.steps().stream())
                        .map(StepState::reason)
                        .filter(r -> r != null)
                        .toList());
    }

    private static long rows(CqlSession session) {
        Row row = session.execute(SimpleStatement.newInstance("SELECT count(*) FROM trips.place"))
                .one();
        return row == null ? -1 : row.getLong(0);
    }

    private static Optional<Repaired> trips(ClusterStatus status, String datacenter) {
        return node(status, datacenter).keyspaces().stream()
                .filter(k -> k.name().equals("trips"))
                .flatMap(k -> Optional.ofNullable(k.repaired()).stream())
                .findFirst();
    }

    private static NodeState node(ClusterStatus status, String datacenter) {
        return status.datacenters().stream()
                .filter(d -> d.datacenter().value().equals(datacenter))
                .flatMap(d -> d.nodes().stream())
                .findFirst()
                .orElseThrow();
    }

    private static List<CqlSession> sessions() {
        List<CqlSession> open = new ArrayList<>();
        if (dc1 != null) {
            open.add(dc1);
        }
        if (dc2 != null) {
            open.add(dc2);
        }
        return open;
    }

    /**
     * Of somebody who may see the repairs of a node. It reads and writes at LOCAL_ONE: the one node of the datacenter
     * answers alone.
     */
    private static CqlSession session(ClusterStatus status, String datacenter) {
        URI endpoint = URI.create("cql://" + node(status, datacenter).cqlEndpoint());
        var builder = CqlSession.builder();
        CqlAccess.administrator(playground.client("dc1"), Playground.RIDES).applyTo(builder);
        return builder.addContactPoint(new InetSocketAddress(endpoint.getHost(), endpoint.getPort()))
                .withLocalDatacenter(datacenter)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .withString(DefaultDriverOption.REQUEST_CONSISTENCY, ConsistencyLevel.LOCAL_ONE.name())
                        .build())
                .build();
    }
}
