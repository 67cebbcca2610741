package io.ringmaster.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.identity.Pem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.client.ChangeOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** A cluster of two nodes with TLS at both ports, whose certificates live for a minute, as do those of its server. */
@RealNodes(
        preset = Preset.DEVELOPMENT,
        roles = false,
        why = "certificates that live for a minute leave no time for waits")
@Tag("cassandra")
@Tag("long")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LeafRenewalTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final Duration LIFE = Duration.ofMinutes(1);
    private static final ClusterName VAULT = new ClusterName("vault");
    private static final int NODES = 2;
    private static final String SPEC =
            """
            cluster: vault
            cassandra: 5.0.9
            preset: development
            datacenters: {dc1: {nodes: 2, seeds: 1}}
            node: {cpus: 1, memory: 768MiB, heap: 192MiB, disk: 2GiB}
            jvm: {collector: serial, options: []}
            tls: {internode: required, clients: required}
            roles: off
            """;

    /** Both nodes must answer. */
    private static final SimpleStatement READ = SimpleStatement.newInstance(
                    "SELECT city FROM trips.place WHERE rider = 7")
            .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM);

    private static LocalServer server;
    private static X509Certificate firstOfServer;

    @BeforeAll
    static void a_cluster_of_two_nodes() throws IOException {
        server = LocalServer.with("leaves", "127.94.8.1", "127.94.8.2");
        firstOfServer = server.certificate();
        server.client().apply(VAULT, SPEC, 0L, ChangeOptions.APPLY);
        server.whole(VAULT, NODES);
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.close();
        }
    }

    private static CqlSession session() {
        return Playground.session(server.whole(VAULT, NODES), "dc1", CqlAccess.of(server.client(), VAULT));
    }

    private static List<X509Certificate> bundle() throws IOException {
        return Pem.certificates(server.client().clientAuthorities(VAULT), "the bundle");
    }

    /** The certificates that both ports of each node serve, which must be good at this moment. */
    private static List<X509Certificate> served() {
        try {
            List<X509Certificate> served = new ArrayList<>();
            for (int index = 0; index < NODES; index++) {
                StoragePort port = StoragePort.of(server.allocation(VAULT, index));
                StoragePort.Answer answer = port.handshake(port.identity());
                assertThat(answer.refusal()).isNull();
                served.add(answer.server());
                served.add(CqlPort.of(server.allocation(VAULT, index)).handshake(bundle()));
            }
            return served;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Long> daemons() {
        return List.of(server.daemon(VAULT, 0).pid(), server.daemon(VAULT, 1).pid());
    }

    @Test
    @Order(1)
    void the_certificates_at_both_ports_are_renewed_without_a_restart_while_clients_read() throws Exception {
        List<Long> before = daemons();
        try (CqlSession session = session()) {
            Ddl.execute(
                    session, "CREATE KEYSPACE trips WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 2}");
            Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
            session.execute("INSERT INTO trips.place (rider, city) VALUES (7, 'Pune')");
            try (SteadyReader reader = new SteadyReader(session, READ)) {
                List<X509Certificate> first = served();
                assertThat(first).as("certificate_life is that of nodes, too").allMatch(leaf -> !end(leaf)
                        .isAfter(Instant.now().plus(LIFE)));
                List<X509Certificate> next = Patience.until(
                        "another certificate at each port", SOON, LeafRenewalTest::served, served -> served.stream()
                                .noneMatch(first::contains));
                assertThat(next).doesNotHaveDuplicates();
                reader.assertServed();
            }
        }
        assertThat(daemons()).isEqualTo(before);
        readsNow();
    }

    /** By new connections. */
    private static void readsNow() throws IOException {
        try (CqlSession session = session()) {
            assertThat(session.execute(READ).one().getString("city")).isEqualTo("Pune");
        }
    }

    private static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    @Test
    @Order(2)
    void the_server_renews_its_own_certificate_without_a_restart() {
        long pid = server.process().pid();
        X509Certificate next =
                Patience.until("another certificate", SOON, server::certificate, c -> !c.getSerialNumber()
                        .equals(firstOfServer.getSerialNumber()));
        assertThat(next.getPublicKey()).isNotEqualTo(firstOfServer.getPublicKey());
        assertThat(server.process().pid()).isEqualTo(pid);
    }

    @Test
    @Order(3)
    void what_was_off_for_longer_than_a_certificate_lives_comes_up_by_itself() throws Exception {
        server.close();
        Instant lastEnd = kept().stream()
                .map(LeafRenewalTest::end)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        Patience.until("the end of every certificate", SOON, Instant::now, now -> now.isAfter(lastEnd));
        server.start();
        server.whole(VAULT, NODES);
        for (int index = 0; index < NODES; index++) {
            assertThat(server.client().logs(NodeId.of("vault/dc1/node-" + index), "executor", 100))
                    .contains("needs another certificate:", "needs another certificate for CQL clients:");
        }
        assertThat(served()).allMatch(leaf -> end(leaf).isAfter(lastEnd));
        readsNow();
    }

    /** The certificates in the files of nodes and executors. */
    private static List<X509Certificate> kept() throws IOException {
        List<X509Certificate> kept = new ArrayList<>();
        for (int index = 0; index < NODES; index++) {
            Path allocation = server.allocation(VAULT, index);
            for (String file : List.of("tls/node.pem", "tls/cql.pem", "door.pem")) {
                kept.add(Pem.certificates(allocation.resolve(file)).get(0));
            }
        }
        return kept;
    }
}
