package io.ringmaster.executor.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.executor.CompanionDouble;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.Pem;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.IdentityUpdate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.apache.cassandra.auth.SpiffeCertificateValidator;
import org.apache.cassandra.security.PEMBasedSslContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A storage port with the TLS contexts that Cassandra makes of the files. */
class CertificateReloadTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final AuthorityName RIDES = AuthorityName.internode(new ClusterName("rides"), DC1, 1);
    private static final AuthorityName CLIENTS = AuthorityName.clients(new ClusterName("rides"), DC1, 1);
    private static final long PID = 17;

    @TempDir
    private Path directory;

    private NodeFiles files;
    private Issuer issuer;
    private NodeIdentity identity;
    private CompanionDouble companion;
    private CertificateReload reload;
    private SSLServerSocket port;
    private Thread serving;

    /** What the storage port did not expect. */
    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /** Whether the executor refuses what the storage port shows. */
    private volatile boolean refuses;

    @BeforeEach
    void a_daemon_with_a_first_certificate() throws IOException {
        files = new NodeFiles(directory.resolve("allocation"));
        files.create();
        issuer = new Issuer(
                new AuthorityDirectory(directory.resolve("authority")),
                AuthorityName.control(DC1, 1),
                Duration.ofDays(30),
                Instant::now);
        issuer.make(RIDES);
        issuer.make(CLIENTS);
        identity = new NodeIdentity(files, NodeId.of("rides/dc1/node-0"), () -> {});
        companion = new CompanionDouble(files, PID);
        reload = new CertificateReload(identity, new CompanionClient(files.socket()));
        renew();
        reload.daemonStarted();
        open(0);
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        port.close();
        companion.close();
        serving.join();
        assertThat(failures).as("what the storage port did not expect").isEmpty();
    }

    private void renew() throws IOException {
        LeafProfile profile = LeafProfile.internode(RIDES, List.of("127.0.0.1"));
        assertThat(identity.accept(new IdentityUpdate(
                        issuer.issue(profile, identity.status().publicKey()), List.of(issuer.make(RIDES)), cql())))
                .isEmpty();
    }

    /** The authority of a datacenter that the cluster gets. */
    @Test
    void the_daemon_has_loaded_an_authority_once_it_serves_the_certificate_that_came_with_it() throws IOException {
        AuthorityName other = AuthorityName.internode(new ClusterName("rides"), new DatacenterName("dc2"), 1);
        CertificatePem added = issuer.make(other);
        LeafProfile profile = LeafProfile.internode(RIDES, List.of("127.0.0.1"));
        identity.accept(new IdentityUpdate(
                issuer.issue(profile, identity.status().publicKey()), List.of(issuer.make(RIDES), added), List.of()));
        reload.advance(PID, address(), null);
        assertThat(companion.requests()).hasSize(1);
        assertThat(identity.status().trust()).contains(added.digest());
        assertThat(identity.status().loaded())
                .as("the port still serves the former certificate")
                .containsExactly(issuer.make(RIDES).digest());
        int number = port.getLocalPort();
        port.close();
        open(number);
        reload = new CertificateReload(identity, new CompanionClient(files.socket()));
        reload.daemonAdopted();
        reload.advance(PID, address(), null);
        assertThat(identity.status().loaded()).contains(added.digest());
    }

    private String serial() {
        return identity.status().leaf().serial();
    }

    /** As the server sends it: the certificate, then its authority. */
    private List<CertificatePem> cql() {
        LeafProfile profile = LeafProfile.cql(CLIENTS, List.of("127.0.0.1"));
        return List.of(issuer.issue(profile, identity.status().publicKey()).get(0), issuer.make(CLIENTS));
    }

    /** With the files as they are now. */
    private void open(int number) throws IOException {
        String certificate = files.certificate().toString();
        Map<String, Object> parameters = Map.of(
                "keystore",
                certificate,
                "outbound_keystore",
                certificate,
                "truststore",
                files.internodeTrust().toString(),
                "require_client_auth",
                true);
        port = (SSLServerSocket) new PEMBasedSslContextFactory(parameters)
                .createJSSESslContext(true)
                .getServerSocketFactory()
                .createServerSocket(number, 10, InetAddress.getLoopbackAddress());
        port.setNeedClientAuth(true);
        SSLServerSocket opened = port;
        serving = new Thread(() -> serve(opened), "storage port");
        serving.setDaemon(true);
        serving.start();
    }

    private void serve(SSLServerSocket opened) {
        while (!opened.isClosed()) {
            try (var socket = (SSLSocket) opened.accept()) {
                socket.startHandshake();
                Certificate[] peer = socket.getSession().getPeerCertificates();
                assertThat(new SpiffeCertificateValidator().identity(peer))
                        .isEqualTo("spiffe://ringmaster/cluster/rides");
                assertThat(new SpiffeCertificateValidator().isValidCertificate(peer))
                        .isTrue();
            } catch (AssertionError e) {
                failures.add(e);
            } catch (SSLException e) {
                if (!refuses) {
                    failures.add(e);
                }
            } catch (IOException e) {
                // the port is closed, or the other side has left
            }
        }
    }

    private InetSocketAddress address() {
        return new InetSocketAddress(port.getInetAddress(), port.getLocalPort());
    }

    @Test
    void a_daemon_that_started_with_the_certificate_is_not_asked() {
        reload.advance(PID, address(), null);
        assertThat(companion.requests()).isEmpty();
        assertThat(identity.status().problem()).isNull();
    }

    @Test
    void a_daemon_that_serves_the_new_certificate_already_reloads_nothing() throws IOException {
        renew();
        int number = port.getLocalPort();
        port.close();
        open(number);
        reload.advance(PID, address(), null);
        assertThat(companion.requests()).isEmpty();
        assertThat(identity.status().problem()).isNull();
    }

    /** As after a long time off the network: the daemon runs on with a certificate that no node accepts. */
    @Test
    void a_daemon_whose_certificate_has_ended_reloads() throws IOException {
        Issuer brief = new Issuer(
                new AuthorityDirectory(directory.resolve("authority")),
                AuthorityName.control(DC1, 1),
                Duration.ofSeconds(1),
                Instant::now);
        KeyAndChain ended = brief.identity(LeafProfile.internode(RIDES, List.of("127.0.0.1")));
        while (Instant.now().isBefore(ended.leaf().getNotAfter().toInstant().plusMillis(1))) {
            Thread.onSpinWait();
        }
        Files.writeString(files.certificate(), Pem.text(ended));
        port.close();
        open(0);
        renew();
        refuses = true;
        reload.advance(PID, address(), null);
        assertThat(companion.requests()).containsExactly("POST /mbean HTTP/1.1");
        assertThat(identity.status().problem()).contains("is not in use");
    }

    @Test
    void a_reload_after_which_the_former_certificate_is_served_is_a_problem() throws IOException {
        renew();
        reload.advance(PID, address(), null);
        assertThat(companion.requests()).containsExactly("POST /mbean HTTP/1.1");
        assertThat(identity.status().problem()).contains(serial(), "still serves another certificate after a reload");
        reload.advance(PID, address(), null);
        assertThat(companion.requests()).as("a pause before the next attempt").hasSize(1);
    }

    @Test
    void a_port_that_nobody_listens_on_proves_nothing_yet() throws IOException {
        renew();
        port.close();
        reload.advance(PID, address(), null);
        assertThat(companion.requests()).containsExactly("POST /mbean HTTP/1.1");
        assertThat(identity.status().problem()).isNull();
        assertThat(Pem.keyAndChain(files.certificate(), Instant.now()).leaf().getSerialNumber())
                .hasToString(new java.math.BigInteger(serial(), 16).toString());
    }

    @Test
    void the_certificate_to_clients_is_proven_too_once_they_can_connect() throws IOException {
        renew();
        int number = port.getLocalPort();
        port.close();
        open(number);
        try (SSLServerSocket cql = cqlPort()) {
            InetSocketAddress clients = new InetSocketAddress(cql.getInetAddress(), cql.getLocalPort());
            renew();
            port.close();
            open(number);
            reload.advance(PID, address(), null);
            assertThat(companion.requests()).as("closed to clients").isEmpty();
            reload = new CertificateReload(identity, new CompanionClient(files.socket()));
            reload.advance(PID, address(), clients);
            assertThat(companion.requests()).containsExactly("POST /mbean HTTP/1.1");
            assertThat(identity.status().cqlProblem())
                    .contains("port " + cql.getLocalPort() + " still serves another certificate after a reload");
            assertThat(identity.status().problem()).as("of the storage port").isNull();
        }
        try (SSLServerSocket cql = cqlPort()) {
            reload = new CertificateReload(identity, new CompanionClient(files.socket()));
            reload.advance(PID, address(), new InetSocketAddress(cql.getInetAddress(), cql.getLocalPort()));
            assertThat(companion.requests()).hasSize(1);
            assertThat(identity.status().cqlProblem()).isNull();
        }
    }

    /** As Cassandra does it at its limit of connections: it accepts one and closes it. */
    @Test
    void a_cql_port_that_is_full_is_not_proven_yet_and_does_not_hold_up_the_storage_port() throws Exception {
        renew();
        int number = port.getLocalPort();
        port.close();
        open(number);
        try (ServerSocket full = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> closeEach(full), "full CQL port");
            closing.setDaemon(true);
            closing.start();
            reload = new CertificateReload(identity, new CompanionClient(files.socket()));
            reload.advance(PID, address(), new InetSocketAddress(full.getInetAddress(), full.getLocalPort()));
        }
        assertThat(companion.requests()).as("one reload").hasSize(1);
        assertThat(identity.status().cqlProblem()).isNull();
        assertThat(identity.status().problem()).isNull();
    }

    /** As a daemon does it that has thrown its context away. */
    @Test
    void a_port_that_closes_each_handshake_for_ten_minutes_is_a_problem_and_gets_one_more_reload() throws Exception {
        renew();
        port.close();
        AtomicLong now = new AtomicLong();
        reload = new CertificateReload(identity, new CompanionClient(files.socket()), now::get);
        try (ServerSocket broken = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> closeEach(broken), "broken storage port");
            closing.setDaemon(true);
            closing.start();
            InetSocketAddress address = new InetSocketAddress(broken.getInetAddress(), broken.getLocalPort());
            for (int minute = 0; minute < 12; minute++) {
                reload.advance(PID, address, null);
                assertThat(companion.requests()).as("minute " + minute).hasSize(minute < 10 ? 1 : 2);
                assertThat(identity.status().problem() == null)
                        .as("minute " + minute)
                        .isEqualTo(minute < 10);
                now.addAndGet(Duration.ofMinutes(1).toNanos());
            }
        }
        assertThat(identity.status().problem())
                .startsWith("certificate " + serial() + " is not proven for 10 minutes: ");
    }

    private static void closeEach(ServerSocket port) {
        while (!port.isClosed()) {
            try {
                port.accept().close();
            } catch (IOException e) {
                // the port is closed
            }
        }
    }

    /** As Cassandra opens it with the file as it is now. */
    private SSLServerSocket cqlPort() throws IOException {
        Map<String, Object> parameters =
                Map.of("keystore", files.cqlCertificate().toString());
        SSLServerSocket opened = (SSLServerSocket) new PEMBasedSslContextFactory(parameters)
                .createJSSESslContext(false)
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(() -> acceptClients(opened), "CQL port");
        accepting.setDaemon(true);
        accepting.start();
        return opened;
    }

    private void acceptClients(SSLServerSocket opened) {
        while (!opened.isClosed()) {
            try (var socket = (SSLSocket) opened.accept()) {
                socket.startHandshake();
            } catch (SSLException e) {
                failures.add(e);
            } catch (IOException e) {
                // the port is closed, or the other side has left
            }
        }
    }
}
