package io.ringmaster.integration;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.json.Json;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.plan.PlanStatus;
import io.ringmaster.model.spec.Preset;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A new cluster with one node in each of two datacenters, which talk to each other and to CQL clients by TLS, beside a
 * cluster in clear text.
 */
@RealNodes(
        preset = Preset.DEVELOPMENT,
        roles = false,
        why = "one node in each datacenter, for speed; a spec of its own, without roles")
@Tag("cassandra")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EncryptedClusterTest {
    private static final Duration SOON = Duration.ofMinutes(4);
    private static final ClusterName VAULT = new ClusterName("vault");
    private static final List<String> DATACENTERS = List.of("dc1", "dc2");
    private static final String SPEC =
            """
            cluster: vault
            cassandra: 5.0.9
            preset: development
            datacenters: {dc1: {nodes: 1, seeds: 1}, dc2: {nodes: 1, seeds: 1}}
            node: {cpus: 0.5, memory: 768MiB, heap: 192MiB, disk: 2GiB}
            jvm: {collector: serial, options: []}
            tls: {internode: required, clients: required}
            """;

    private static final String WITHOUT_DC2 = SPEC.replace(", dc2: {nodes: 1, seeds: 1}", "");

    /** The first byte of an answer in CQL version 4. */
    private static final int CQL_RESPONSE = 0x84;

    /** What Cassandra logs of a certificate of a trusted authority with names that it does not accept. */
    private static final String UNKNOWN_USER = "Unable to authenticate user ";

    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;

    private static Playground playground;

    @TempDir
    private Path directory;

    @BeforeAll
    static void a_cluster_with_tls_in_two_datacenters() {
        playground = Playground.byDefault("--no-tls", "--nodes", "1");
        playground.client("dc1").apply(VAULT, SPEC, 0L, ChangeOptions.APPLY);
        playground.whole(VAULT, 2, SOON);
    }

    @AfterAll
    static void stop() {
        playground.close();
        assertThat(Processes.mentioning(Playground.HOME.toString())).isEmpty();
    }

    private static Path allocation(String datacenter) {
        return playground.allocation(VAULT, datacenter, 0);
    }

    private static StoragePort port(String datacenter) {
        return StoragePort.of(allocation(datacenter));
    }

    private static AuthorityName authority(String datacenter) {
        return AuthorityName.internode(VAULT, new DatacenterName(datacenter), 1);
    }

    private static Issuer issuer(Path state, String datacenter) {
        return new Issuer(
                new AuthorityDirectory(state.resolve("authority")),
                AuthorityName.control(new DatacenterName(datacenter), 1),
                Duration.ofDays(30),
                Instant::now);
    }

    private static Path state(String datacenter) {
        return Playground.HOME.resolve("playground").resolve(datacenter);
    }

    @Test
    @Order(1)
    void each_node_has_a_key_of_its_own_and_trusts_the_authorities_of_both_datacenters() throws Exception {
        for (String datacenter : DATACENTERS) {
            StoragePort port = port(datacenter);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(port.certificate())))
                    .isEqualTo("rw-------");
            SubjectNames names = SubjectNames.of(port.identity().leaf());
            assertThat(names.spiffe()).hasToString("Optional[spiffe://ringmaster/cluster/vault]");
            assertThat(names.addresses()).contains(port.endpoint().getAddress());
            assertThat(port.trust()).hasSize(2);
            assertThat(state(datacenter).resolve("authority/internode.vault." + datacenter + ".1.pem"))
                    .exists();
        }
        assertThat(port("dc1").identity().key())
                .isNotEqualTo(port("dc2").identity().key());
    }

    @Test
    @Order(2)
    void the_storage_port_speaks_tls_and_accepts_the_certificate_of_a_node_alone() throws Exception {
        StoragePort port = port("dc1");
        StoragePort.Answer node = port.handshake(port("dc2").identity());
        assertThat(node.protocol()).isEqualTo("TLSv1.3");
        assertThat(node.refusal()).isNull();
        assertThat(node.server()).isEqualTo(port.identity().leaf());
        assertThat(port.handshake(port("dc2").identity(), "TLSv1.2").refusal()).isNull();
        assertThat(port.handshake(null).refusal()).as("without a certificate").isNotNull();
        Issuer strange = issuer(directory, "dc1");
        strange.make(authority("dc1"));
        var profile = LeafProfile.internode(authority("dc1"), List.of("127.0.0.1"));
        assertThat(port.handshake(strange.identity(profile)).refusal())
                .as("the same names by another authority")
                .isNotNull();
        assertThat(port.refusesClearText()).isTrue();
    }

    @Test
    @Order(3)
    void every_connection_between_the_nodes_is_encrypted() {
        for (String datacenter : DATACENTERS) {
            String log = Playground.text(allocation(datacenter).resolve("volume/logs/system.log"));
            assertThat(log.lines().filter(l -> l.contains("successfully connected")))
                    .isNotEmpty()
                    .as("by BoringSSL, and not by the slower TLS of the JDK")
                    .allMatch(l -> l.contains("encryption = encrypted(factory=openssl;protocol=TLSv1.3;"));
            assertThat(log).contains("encryption: encrypted(openssl)").doesNotContain(UNKNOWN_USER);
        }
        String plain = Playground.text(playground.allocation("dc1", 0).resolve("volume/conf/cassandra.yaml"));
        assertThat(plain)
                .doesNotContain("server_encryption_options", "internode_authenticator", "client_encryption_options");
        assertThat(playground.allocation("dc1", 0).resolve("tls")).doesNotExist();
    }

    @Test
    @Order(4)
    void the_storage_port_refuses_the_authority_for_clients_and_the_name_of_another_cluster() throws Exception {
        DatacenterName dc1 = new DatacenterName("dc1");
        AuthorityName clients = AuthorityName.clients(VAULT, dc1, 1);
        AuthorityName other = AuthorityName.internode(new ClusterName("other"), dc1, 1);
        assertThat(answerToLeaf(authority("dc1"), authority("dc1")).refusal()).isNull();
        assertThat(answerToLeaf(clients, authority("dc1")).refusal()).isNotNull();
        assertThat(answerToLeaf(authority("dc1"), other).refusal()).isNotNull();
        assertThat(Playground.text(allocation("dc1").resolve("volume/logs/system.log")))
                .contains(UNKNOWN_USER + "spiffe://ringmaster/cluster/other")
                .as("it is refused before its names are read")
                .doesNotContain(UNKNOWN_USER + "spiffe://ringmaster/cluster/vault");
    }

    /** What the port of dc1 answers to a certificate by the one authority that looks as by the other one. */
    private StoragePort.Answer answerToLeaf(AuthorityName signer, AuthorityName lookingAs) throws IOException {
        Path folder = Files.createDirectories(directory.resolve(signer.fileName() + "-" + lookingAs.fileName()));
        Path file = Path.of("authority", lookingAs.fileName() + ".pem");
        Files.createDirectories(folder.resolve("authority"));
        Files.copy(
                state("dc1").resolve("authority").resolve(signer.fileName() + ".pem"),
                folder.resolve(file),
                COPY_ATTRIBUTES);
        var profile = LeafProfile.internode(lookingAs, List.of("127.0.0.1"));
        return port("dc1").handshake(issuer(folder, "dc1").identity(profile));
    }

    @Test
    @Order(5)
    void a_node_listens_at_its_two_ports_alone_and_not_for_jmx() {
        for (String datacenter : DATACENTERS) {
            assertThat(OpenPort.below(allocation(datacenter)))
                    .filteredOn(port -> port.commandLine().contains("companion.Launch"))
                    .extracting(OpenPort::endpoint)
                    .containsExactlyInAnyOrder(
                            port(datacenter).endpoint(), cql(datacenter).endpoint());
        }
    }

    private static CqlPort cql(String datacenter) {
        return CqlPort.of(allocation(datacenter));
    }

    /** As an application fetches it, without a token. */
    private static List<X509Certificate> bundle() throws IOException {
        var server = new RingmasterClient(playground.client("dc1").server(), null, Duration.ofSeconds(20));
        return Pem.certificates(server.clientAuthorities(VAULT), "the bundle");
    }

    @Test
    @Order(6)
    void the_cql_port_speaks_tls_alone_and_no_version_below_1_2() throws Exception {
        for (String datacenter : DATACENTERS) {
            CqlPort port = cql(datacenter);
            assertThat(port.answerToClearText()).isNotEqualTo(CQL_RESPONSE).isIn(TLS_ALERT, -1);
            assertThat(port.answerToTls(CqlPort.TLS_1_2)).isEqualTo(TLS_HANDSHAKE);
            assertThat(port.answerToTls(CqlPort.TLS_1_1)).isIn(TLS_ALERT, -1);
        }
        assertThat(CqlPort.of(playground.allocation("dc1", 0)).answerToClearText())
                .as("of the cluster in clear text")
                .isEqualTo(CQL_RESPONSE);
    }

    @Test
    @Order(7)
    void the_bundle_of_the_cluster_makes_clients_trust_its_nodes_and_another_one_does_not() throws Exception {
        List<X509Certificate> bundle = bundle();
        assertThat(bundle).hasSize(2).doesNotContainAnyElementsOf(port("dc1").trust());
        for (String datacenter : DATACENTERS) {
            X509Certificate served = cql(datacenter).handshake(bundle);
            assertThat(served)
                    .isEqualTo(Pem.keyAndChain(allocation(datacenter).resolve("tls/cql.pem"), Instant.now())
                            .leaf());
            assertThat(SubjectNames.of(served).uris()).isEmpty();
            assertThatThrownBy(() -> cql(datacenter).handshake(port(datacenter).trust()))
                    .as("the authorities of nodes")
                    .isInstanceOf(SSLException.class);
        }
        Issuer other = issuer(directory, "dc1");
        var strange = other.make(AuthorityName.clients(new ClusterName("other"), new DatacenterName("dc1"), 1));
        assertThatThrownBy(() -> cql("dc1").handshake(Pem.certificates(strange.text(), "another cluster")))
                .isInstanceOf(SSLException.class);
    }

    @Test
    @Order(8)
    void the_shell_connects_by_tls() {
        for (String datacenter : DATACENTERS) {
            assertThat(playground.run(
                            "cql",
                            "vault",
                            "--datacenter",
                            datacenter,
                            "-e",
                            "SELECT ssl_protocol, driver_name FROM system_views.clients"))
                    .contains("TLSv1.3");
        }
    }

    @Test
    @Order(9)
    void the_load_generator_connects_by_tls() {
        assumeThat(Playground.metronome())
                .as("no metronome -> ./dev rust --build")
                .isPresent();
        Playground.Result result =
                Playground.attempt(List.of("cluster", "flush", "vault", "--yes", "--wait", "--probe"));
        assertThat(result.output())
                .contains("load: 200 requests a second in each datacenter")
                .contains("dc2 during");
    }

    @Test
    @Order(10)
    void a_renewed_certificate_is_served_without_a_restart() throws Exception {
        long pid =
                Processes.only("companion.Launch", allocation("dc1").toString()).pid();
        var before = port("dc1").identity().leaf();
        var beforeForClients = cql("dc1").handshake(bundle());
        renew();
        Patience.until(
                "the port to serve the new certificate",
                Duration.ofMinutes(1),
                () -> serving(port("dc1")),
                serial -> !serial.equals(before.getSerialNumber().toString(16)));
        assertThat(port("dc1").handshake(port("dc2").identity()).server())
                .isEqualTo(port("dc1").identity().leaf());
        assertThat(port("dc1").identity().leaf().getPublicKey()).isNotEqualTo(before.getPublicKey());
        assertThat(cql("dc1").handshake(bundle()))
                .isNotEqualTo(beforeForClients)
                .extracting(X509Certificate::getPublicKey)
                .isEqualTo(port("dc1").identity().leaf().getPublicKey());
        assertThat(Processes.only("companion.Launch", allocation("dc1").toString())
                        .pid())
                .isEqualTo(pid);
        playground.whole(VAULT, 2, SOON);
    }

    private static void apply(String spec) {
        playground.client("dc1").apply(VAULT, spec, null, ChangeOptions.APPLY);
    }

    /** Why the spec would be refused now; empty if it would not. */
    private static String refusal(String spec) {
        try {
            playground.client("dc1").apply(VAULT, spec, null, ChangeOptions.DRY_RUN);
            return "";
        } catch (RefusedException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static CqlSession session() {
        return Playground.session(playground.whole(VAULT, 2, SOON), "dc1");
    }

    private static List<String> names(List<X509Certificate> authorities) {
        return authorities.stream()
                .map(authority -> authority.getSubjectX500Principal().getName())
                .map(name -> name.replaceAll(".*CN=([^,]*).*", "$1"))
                .sorted()
                .toList();
    }

    @Test
    @Tag("long")
    @Order(11)
    void a_datacenter_leaves_and_is_added_again_under_load_without_a_restart_of_the_other() throws Exception {
        long pid =
                Processes.only("companion.Launch", allocation("dc1").toString()).pid();
        KeyAndChain former = port("dc2").identity();
        try (CqlSession session = session();
                SteadyReader load = load(session)) {
            Patience.until("no client in dc2", SOON, () -> refusal(WITHOUT_DC2), String::isEmpty);
            apply(WITHOUT_DC2);
            Patience.until("dc2 to have left", SOON, () -> left("dc2"), isLeft -> isLeft);
            playground.whole(VAULT, 1, SOON);
            assertThat(Patience.until("its authority to be gone", SOON, () -> subjects(), s -> s.size() == 1))
                    .containsExactly("clients vault dc1 1");
            assertThat(session.execute("SELECT count(*) FROM system.peers_v2")
                            .one()
                            .getLong(0))
                    .as("nodes that the one of dc1 knows beside itself")
                    .isZero();
            apply(SPEC);
            playground.whole(VAULT, 2, SOON);
            load.assertServed();
        }
        assertThat(subjects()).containsExactly("clients vault dc1 1", "clients vault dc2 2");
        assertThat(names(port("dc1").trust())).containsExactly("internode vault dc1 1", "internode vault dc2 2");
        assertThat(port("dc1").handshake(former).refusal())
                .as("the certificate of the node that has left")
                .isNotNull();
        assertThat(Processes.only("companion.Launch", allocation("dc1").toString())
                        .pid())
                .isEqualTo(pid);
    }

    private static SteadyReader load(CqlSession session) {
        Ddl.execute(
                session,
                "CREATE KEYSPACE trips WITH replication ="
                        + " {'class': 'NetworkTopologyStrategy', 'dc1': 1, 'dc2': 1}");
        Ddl.execute(session, "CREATE TABLE trips.place (rider int PRIMARY KEY, city text)");
        List<DefaultConsistencyLevel> levels =
                List.of(DefaultConsistencyLevel.LOCAL_QUORUM, DefaultConsistencyLevel.LOCAL_ONE);
        return new SteadyReader(session, number -> SimpleStatement.newInstance(
                        number % 4 < 2
                                ? "INSERT INTO trips.place (rider, city) VALUES (" + number + ", 'Pune')"
                                : "SELECT city FROM trips.place WHERE rider = " + (number - 2))
                .setConsistencyLevel(levels.get(number % 2)));
    }

    /** Those of the bundle for clients. */
    private static List<String> subjects() {
        try {
            return names(bundle());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean left(String datacenter) {
        return playground.client(datacenter).plans(VAULT).items().stream()
                .anyMatch(plan -> plan.status() == PlanStatus.COMPLETE
                        && plan.phases().stream().anyMatch(phase -> phase.name().equals("leave")));
    }

    private static String serving(StoragePort port) {
        try {
            return port.handshake(port("dc2").identity())
                    .server()
                    .getSerialNumber()
                    .toString(16);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the server does it when two thirds of the life are over. */
    private static void renew() throws Exception {
        StoragePort port = port("dc1");
        var target =
                Json.mapper().readTree(allocation("dc1").resolve("target.json").toFile());
        String base = "http://" + port.endpoint().getAddress().getHostAddress() + ":"
                + target.at("/ports/executor").asInt() + "/v1/";
        String token = Files.readString(allocation("dc1").resolve("token")).strip();
        var client = HttpClient.newHttpClient();
        var status = client.send(
                HttpRequest.newBuilder(URI.create(base + "status"))
                        .header("Authorization", "Bearer " + token)
                        .build(),
                BodyHandlers.ofString());
        String key = Json.mapper()
                .readTree(status.body())
                .at("/status/tls/publicKey/text")
                .asText();
        var addresses = new ArrayList<String>();
        SubjectNames.of(port.identity().leaf()).addresses().forEach(a -> addresses.add(a.getHostAddress()));
        Issuer issuer = issuer(state("dc1"), "dc1");
        AuthorityName clients = AuthorityName.clients(VAULT, new DatacenterName("dc1"), 1);
        var cqlAddress = List.of(port.endpoint().getAddress().getHostAddress());
        var update = new IdentityUpdate(
                issuer.issue(LeafProfile.internode(authority("dc1"), addresses), new PublicKeyPem(key)),
                List.of(
                        issuer.make(authority("dc1")),
                        issuer(state("dc2"), "dc2").make(authority("dc2"))),
                List.of(
                        issuer.issue(LeafProfile.cql(clients, cqlAddress), new PublicKeyPem(key))
                                .get(0),
                        issuer.make(clients)));
        var answer = client.send(
                HttpRequest.newBuilder(URI.create(base + "identity"))
                        .header("Authorization", "Bearer " + token)
                        .PUT(BodyPublishers.ofByteArray(Json.bytes(update)))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
}
