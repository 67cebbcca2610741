package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import io.ringmaster.wire.api.ClusterStatus;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.client.ChangeOptions;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Three real nodes under reads and writes at LOCAL_QUORUM. Each launch gives a node another address. */
@RealNodes
@Tag("cassandra")
@Tag("long")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MovingAddressesTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static Playground playground;
    private static CqlSession session;
    private static Ledger ledger;

    @BeforeAll
    static void start_with_load() {
        playground = Playground.up(EachReplica.options("--datacenters", "1", "--moving-addresses"));
        session = Playground.session(playground.whole(3, SOON), "dc1");
        Ddl.execute(session, "CREATE KEYSPACE trips WITH replication = {'class':'NetworkTopologyStrategy','dc1':3}");
        Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        session.execute(quorum("INSERT INTO trips.place (rider, city) VALUES (7, 'Pune')"));
        ledger = new Ledger(session);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable c :
                Stream.of(ledger, session, playground).filter(Objects::nonNull).toList()) {
            c.close();
        }
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    @Test
    @Order(1)
    void a_killed_node_comes_back_at_another_address_with_the_same_host_id() {
        Map<String, String> before = addresses();
        NodeState victim = node(1);
        // stopped first, so that it cannot start the daemon again at the address that it has
        Processes.signal("STOP", playground.executor("dc1", 1));
        Processes.signal("KILL", playground.daemon("dc1", 1));
        Processes.kill9(playground.executor("dc1", 1));
        Patience.until(
                "node-1 to be at another address",
                SOON,
                () -> node(1),
                n -> n.cqlEndpoint() != null && !n.cqlEndpoint().equals(victim.cqlEndpoint()));
        playground.whole(3, SOON);
        assertThat(node(1).hostId()).isNotNull().isEqualTo(victim.hostId());
        Map<String, String> after = addresses();
        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(after.get(victim.hostId())).isNotEqualTo(before.get(victim.hostId()));
        ringIsWhole();
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(2)
    void a_rolling_relaunch_moves_every_node_and_fails_no_request() {
        Map<String, String> before = addresses();
        try (CqlSession fresh = Playground.session(playground.whole(3, SOON), "dc1");
                SteadyReader reader = new SteadyReader(fresh, quorum("SELECT city FROM trips.place WHERE rider = 7"));
                SteadyReader writer =
                        new SteadyReader(fresh, quorum("INSERT INTO trips.place (rider, city) VALUES (300, 'Lima')"))) {
            String source = playground.client("dc1").spec(Playground.RIDES).source();
            String other = source.replaceFirst("cpus: *[0-9.]+", "cpus: 0.75");
            assertThat(other).as("a spec with other CPUs").isNotEqualTo(source);
            long version = playground
                    .client("dc1")
                    .apply(Playground.RIDES, other, null, ChangeOptions.APPLY)
                    .specVersion();
            Patience.until(
                    "every node to run version " + version, SOON, () -> nodes(playground.status()), all -> all.stream()
                            .allMatch(n -> Objects.equals(n.appliedSpecVersion(), version)));
            playground.whole(3, SOON);
            reader.assertServed();
            writer.assertServed();
        }
        Map<String, String> after = addresses();
        assertThat(after.keySet()).isEqualTo(before.keySet());
        before.forEach((host, address) -> assertThat(after.get(host)).as(host).isNotEqualTo(address));
        ringIsWhole();
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(3)
    void a_rolling_restart_fails_no_request() {
        Map<String, String> before = addresses();
        try (CqlSession fresh = Playground.session(playground.whole(3, SOON), "dc1");
                SteadyReader reader = new SteadyReader(fresh, quorum("SELECT city FROM trips.place WHERE rider = 7"));
                SteadyReader writer =
                        new SteadyReader(fresh, quorum("INSERT INTO trips.place (rider, city) VALUES (300, 'Lima')"))) {
            playground.run("cluster", "restart", "rides", "--yes", "--wait", "--why", "a test");
            reader.assertServed();
            writer.assertServed();
        }
        playground.whole(3, SOON);
        assertThat(addresses().keySet()).isEqualTo(before.keySet());
        ringIsWhole();
        ledger.assertKept(List.of(session), SOON);
    }

    @Test
    @Order(4)
    void a_server_that_starts_again_finds_every_node_at_its_last_address() {
        Map<String, String> before = addresses();
        DeadServer server = DeadServer.of(playground, "dc1");
        server.comesBack();
        playground.whole(3, SOON);
        assertThat(addresses()).isEqualTo(before);
    }

    private static NodeState node(int index) {
        return nodes(playground.status()).stream()
                .filter(n -> n.node().index() == index)
                .findFirst()
                .orElseThrow();
    }

    private static List<NodeState> nodes(ClusterStatus status) {
        return status.datacenters().stream().flatMap(d -> d.nodes().stream()).toList();
    }

    /** The address of each node by its host id, as the server knows them. */
    private static Map<String, String> addresses() {
        return nodes(playground.whole(3, SOON)).stream()
                .collect(Collectors.toMap(
                        n -> Objects.requireNonNull(n.hostId()),
                        n -> URI.create("cql://" + n.cqlEndpoint()).getHost()));
    }

    /** Every node knows the three nodes at their present addresses, and no former one. */
    private static void ringIsWhole() {
        Map<String, String> addresses = addresses();
        for (NodeState node : nodes(playground.status())) {
            URI endpoint = URI.create("cql://" + node.cqlEndpoint());
            Patience.until(
                    node.node() + " to know three nodes at " + addresses,
                    SOON,
                    () -> seenBy(new InetSocketAddress(endpoint.getHost(), endpoint.getPort())),
                    addresses::equals);
        }
        Patience.until(
                "every node to see three NORMAL",
                SOON,
                () -> nodes(playground.status()).stream()
                        .map(NodeState::seesNormal)
                        .toList(),
                seen -> seen.equals(List.of(3, 3, 3)));
    }

    /** The addresses in {@code system.local} and {@code system.peers_v2} of one node, by host id; fails on a double. */
    private static Map<String, String> seenBy(InetSocketAddress address) {
        var builder = CqlSession.builder().withLocalDatacenter("dc1").addContactPoint(address);
        playground.access(Playground.RIDES).applyTo(builder);
        try (CqlSession one = builder.build()) {
            Node node = one.getMetadata().getNodes().values().stream()
                    .filter(n -> n.getEndPoint().resolve().equals(address))
                    .findFirst()
                    .orElseThrow();
            List<Row> rows = Stream.of(
                            "SELECT host_id, broadcast_address AS at FROM system.local",
                            "SELECT host_id, peer AS at FROM system.peers_v2")
                    .map(SimpleStatement::newInstance)
                    .map(s -> (Statement<?>) s.setNode(node))
                    .flatMap(s -> one.execute(s).all().stream())
                    .toList();
            return rows.stream()
                    .collect(Collectors.toMap(
                            r -> Objects.requireNonNull(r.getUuid("host_id")).toString(),
                            r -> Objects.requireNonNull(r.getInetAddress("at")).getHostAddress()));
        }
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement)
                .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                .setIdempotent(true);
    }
}
