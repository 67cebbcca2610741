package io.ringmaster.executor.identity;

import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.authority.AuthorityDirectory;
import io.ringmaster.authority.Issuer;
import io.ringmaster.executor.companion.CompanionClient;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.IdentityUpdate;
import io.ringmaster.model.node.TlsStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeIdentityTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    private static final NodeId NODE = NodeId.of("rides/dc1/node-0");
    private static final AuthorityName RIDES = AuthorityName.internode(new ClusterName("rides"), DC1, 1);
    private static final AuthorityName CLIENTS = AuthorityName.clients(new ClusterName("rides"), DC1, 1);
    private static final AuthorityName TRIPS = AuthorityName.internode(new ClusterName("trips"), DC1, 1);
    private static final NodeAddress ADDRESS = NodeAddress.of("127.1.1.1", null);

    @TempDir
    private Path directory;

    private final AtomicInteger changes = new AtomicInteger();
    private NodeFiles files;
    private Issuer issuer;
    private CertificatePem rides;
    private CertificatePem trips;

    @BeforeEach
    void authorities() {
        files = new NodeFiles(directory.resolve("allocation"));
        issuer = issuer(Duration.ofDays(30), Instant.now());
        rides = issuer.make(RIDES);
        trips = issuer.make(TRIPS);
        issuer.make(CLIENTS);
    }

    private Issuer issuer(Duration life, Instant now) {
        return new Issuer(
                new AuthorityDirectory(directory.resolve("authority")), AuthorityName.control(DC1, 1), life, () -> now);
    }

    private NodeIdentity open() {
        return new NodeIdentity(files, NODE, changes::incrementAndGet);
    }

    private IdentityUpdate update(NodeIdentity identity, AuthorityName authority, CertificatePem... trust) {
        return update(issuer, identity, authority, trust);
    }

    private static IdentityUpdate update(
            Issuer by, NodeIdentity identity, AuthorityName authority, CertificatePem... trust) {
        return new IdentityUpdate(
                by.issue(
                        LeafProfile.internode(authority, List.of("127.1.1.1", "127.0.0.1")),
                        identity.status().publicKey()),
                List.of(trust),
                List.of());
    }

    private static String serial(NodeIdentity identity) {
        return identity.status().leaf().serial();
    }

    @Test
    void before_its_first_certificate_a_node_waits_and_shows_its_key() throws IOException {
        NodeIdentity identity = open();
        assertThat(identity.obstacle(ADDRESS, false))
                .hasValueSatisfying(w -> assertThat(w).isEqualTo("waits for its certificate from a server of dc1"));
        assertThat(identity.status().leaf()).isNull();
        assertThat(identity.status().publicKey()).isEqualTo(identity.status().publicKey());
        assertThat(files.identity()).doesNotExist();
    }

    @Test
    void a_certificate_is_kept_for_the_next_executor_and_readable_by_the_node_alone() throws IOException {
        NodeIdentity identity = open();
        assertThat(identity.accept(update(identity, RIDES, rides, trips))).isEmpty();
        assertThat(changes).hasValue(1);
        assertThat(identity.obstacle(ADDRESS, false)).isEmpty();
        TlsStatus.Leaf leaf = identity.status().leaf();
        assertThat(leaf.authority()).isEqualTo(rides.digest());
        assertThat(leaf.addresses()).containsExactly("127.0.0.1", "127.1.1.1");
        assertThat(identity.status().trust()).containsExactlyInAnyOrder(rides.digest(), trips.digest());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.certificate())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.identity())))
                .isEqualTo("rwx------");
        NodeIdentity next = open();
        assertThat(next.obstacle(ADDRESS, false)).isEmpty();
        assertThat(next.status().leaf().serial()).isEqualTo(leaf.serial());
        assertThat(next.status().trust()).isEqualTo(identity.status().trust());
    }

    @Test
    void each_certificate_has_a_key_of_its_own_and_a_late_one_is_refused() throws IOException {
        NodeIdentity identity = open();
        IdentityUpdate first = update(identity, RIDES, rides);
        var key = identity.status().publicKey();
        assertThat(identity.accept(first)).isEmpty();
        assertThat(identity.status().publicKey()).isNotEqualTo(key);
        assertThat(identity.accept(first)).hasValueSatisfying(p -> assertThat(p.message())
                .contains("its private key belongs to another certificate"));
        assertThat(Pem.keyAndChain(files.certificate(), Instant.now()).leaf().getPublicKey())
                .isEqualTo(Pem.publicKey(key.text(), "the first key"));
    }

    @Test
    void a_certificate_that_peers_would_refuse_is_refused_and_the_former_one_stays() throws IOException {
        NodeIdentity identity = open();
        assertThat(identity.accept(update(identity, RIDES, rides))).isEmpty();
        String serial = serial(identity);
        assertThat(identity.accept(update(identity, TRIPS, trips)))
                .hasValueSatisfying(p -> assertThat(p.message()).contains("spiffe://ringmaster/cluster/trips"));
        assertThat(identity.accept(update(identity, RIDES, trips)))
                .as("of no trusted authority")
                .isPresent();
        Issuer before = issuer(Duration.ofMinutes(30), Instant.now().minus(Duration.ofHours(1)));
        assertThat(identity.accept(update(before, identity, RIDES, rides)))
                .as("ended")
                .isPresent();
        assertThat(serial(identity)).isEqualTo(serial);
        assertThat(serial(open())).isEqualTo(serial);
    }

    @Test
    void a_node_that_was_launched_at_another_address_waits_for_a_certificate_for_it() throws IOException {
        NodeIdentity identity = open();
        identity.accept(update(identity, RIDES, rides));
        assertThat(identity.obstacle(NodeAddress.of("127.1.1.7", null), false))
                .hasValueSatisfying(w -> assertThat(w).contains("127.1.1.7"));
    }

    /** As when the daemon ended while all servers were away for longer than a certificate lives. */
    @Test
    void a_certificate_that_ended_in_use_starts_no_daemon_before_there_is_another_one() throws IOException {
        Duration life = Duration.ofMinutes(1);
        Instant received = Instant.now();
        AtomicReference<Instant> now = new AtomicReference<>(received);
        NodeIdentity identity = new NodeIdentity(files, NODE, changes::incrementAndGet, now::get);
        Issuer first = issuer(life, received);
        identity.accept(new IdentityUpdate(
                update(first, identity, RIDES, rides).chain(), List.of(rides), cql(first, identity, "127.1.1.1")));
        assertThat(identity.obstacle(ADDRESS, true)).isEmpty();
        now.set(received.plus(life).plusSeconds(1));
        String ended = "waits for a certificate: the last one ended at "
                + received.plus(life).truncatedTo(SECONDS);
        assertThat(identity.obstacle(ADDRESS, false)).contains(ended);
        Issuer later = issuer(life, now.get());
        assertThat(identity.accept(update(later, identity, RIDES, rides))).isEmpty();
        assertThat(identity.obstacle(ADDRESS, false)).isEmpty();
        assertThat(identity.obstacle(ADDRESS, true)).as("to CQL clients").contains(ended);
        identity.accept(new IdentityUpdate(List.of(), List.of(rides), cql(later, identity, "127.1.1.1")));
        assertThat(identity.obstacle(ADDRESS, true)).isEmpty();
    }

    /** Servers start no node that a daemon would refuse. */
    @Test
    void a_running_daemon_has_loaded_what_it_started_with_and_the_next_one_what_is_there_then() throws IOException {
        NodeIdentity identity = open();
        CertificateReload daemon = new CertificateReload(identity, new CompanionClient(files.socket()));
        identity.accept(update(identity, RIDES, rides));
        daemon.daemonStarted();
        identity.accept(update(identity, RIDES, rides, trips));
        assertThat(identity.status().trust()).hasSize(2);
        assertThat(identity.status().loaded()).containsExactly(rides.digest());
        daemon.daemonEnded();
        assertThat(identity.status().loaded()).containsExactlyInAnyOrder(rides.digest(), trips.digest());
        NodeIdentity next = open();
        new CertificateReload(next, new CompanionClient(files.socket())).daemonAdopted();
        assertThat(next.status().loaded()).as("not proven yet").isEmpty();
    }

    @Test
    void damaged_files_are_no_certificate() throws IOException {
        NodeIdentity identity = open();
        identity.accept(update(identity, RIDES, rides));
        Files.writeString(files.certificate(), "rubbish");
        NodeIdentity next = open();
        assertThat(next.status().leaf()).isNull();
        assertThat(next.obstacle(ADDRESS, false)).isPresent();
        assertThat(next.accept(update(next, RIDES, rides))).isEmpty();
        assertThat(open().obstacle(ADDRESS, false)).isEmpty();
    }

    private static List<CertificatePem> cql(Issuer by, NodeIdentity identity, String address) {
        return List.of(
                by.issue(
                                LeafProfile.cql(CLIENTS, List.of(address)),
                                identity.status().publicKey())
                        .get(0),
                by.make(CLIENTS));
    }

    private IdentityUpdate both(NodeIdentity identity, List<CertificatePem> cql) {
        IdentityUpdate update = update(identity, RIDES, rides);
        return new IdentityUpdate(update.chain(), update.trust(), cql);
    }

    @Test
    void a_node_for_clients_with_tls_waits_for_both_certificates_which_have_one_key() throws Exception {
        NodeIdentity identity = open();
        assertThat(identity.accept(update(identity, RIDES, rides))).isEmpty();
        assertThat(identity.obstacle(ADDRESS, true)).contains("waits for its certificate from a server of dc1");
        assertThat(identity.status().cql()).isNull();
        assertThat(files.cqlCertificate()).doesNotExist();
        assertThat(identity.accept(both(identity, cql(issuer, identity, "127.1.1.1"))))
                .isEmpty();
        assertThat(identity.obstacle(ADDRESS, true)).isEmpty();
        TlsStatus.Leaf leaf = identity.status().cql();
        assertThat(leaf.authority()).isEqualTo(issuer.make(CLIENTS).digest());
        assertThat(leaf.addresses()).containsExactly("127.1.1.1");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.cqlCertificate())))
                .isEqualTo("rw-------");
        var written = Pem.keyAndChain(files.cqlCertificate(), Instant.now());
        assertThat(written.key())
                .isEqualTo(Pem.keyAndChain(files.certificate(), Instant.now()).key());
        assertThat(SubjectNames.of(written.leaf()).uris()).isEmpty();
        assertThat(open().obstacle(ADDRESS, true)).isEmpty();
        assertThat(open().status().cql().serial()).isEqualTo(leaf.serial());
    }

    @Test
    void a_certificate_that_clients_would_refuse_is_refused_and_the_other_is_taken() throws IOException {
        NodeIdentity identity = open();
        Issuer before = issuer(Duration.ofMinutes(30), Instant.now().minus(Duration.ofHours(1)));
        refusedForCql(identity, "ended", both(identity, cql(before, identity, "127.1.1.1")));
        var leaf = cql(issuer, identity, "127.1.1.1").get(0);
        refusedForCql(identity, "of another authority", both(identity, List.of(leaf, rides)));
        refusedForCql(identity, "for another key", both(identity, cql(issuer, open(), "127.1.1.1")));
        refusedForCql(
                identity,
                "without its authority",
                both(identity, update(identity, RIDES, rides).chain()));
        assertThat(files.cqlCertificate()).doesNotExist();
    }

    private static void refusedForCql(NodeIdentity identity, String why, IdentityUpdate update) throws IOException {
        var key = identity.status().publicKey();
        assertThat(identity.accept(update)).as(why).hasValueSatisfying(p -> assertThat(p.field())
                .isEqualTo("cql"));
        assertThat(identity.status().leaf()).isNotNull();
        assertThat(identity.status().publicKey()).isNotEqualTo(key);
        assertThat(identity.status().cql()).isNull();
    }

    @Test
    void a_certificate_that_is_not_sent_stays_in_use() throws IOException {
        NodeIdentity identity = open();
        assertThat(identity.accept(both(identity, cql(issuer, identity, "127.1.1.1"))))
                .isEmpty();
        String toClients = identity.status().cql().serial();
        assertThat(identity.accept(update(identity, RIDES, rides))).isEmpty();
        assertThat(identity.status().cql().serial()).isEqualTo(toClients);
        String toNodes = serial(identity);
        assertThat(identity.accept(new IdentityUpdate(List.of(), List.of(rides), cql(issuer, identity, "127.1.1.1"))))
                .isEmpty();
        assertThat(serial(identity)).isEqualTo(toNodes);
        assertThat(identity.status().cql().serial()).isNotEqualTo(toClients);
        assertThat(open().obstacle(ADDRESS, true)).isEmpty();
        assertThat(identity.accept(new IdentityUpdate(List.of(), List.of(rides), List.of())))
                .as("nothing")
                .isPresent();
    }

    @Test
    void a_node_that_has_left_keeps_no_key_and_asks_for_no_certificate() throws IOException {
        NodeIdentity identity = open();
        IdentityUpdate update = both(identity, cql(issuer, identity, "127.1.1.1"));
        identity.accept(update);
        identity.leave();
        assertThat(files.identity()).doesNotExist();
        assertThat(identity.status()).isEqualTo(TlsStatus.UNUSED);
        assertThat(identity.accept(update)).isPresent();
        assertThat(files.identity()).doesNotExist();
    }

    @Test
    void each_file_is_read_although_the_other_is_damaged() throws IOException {
        NodeIdentity identity = open();
        identity.accept(both(identity, cql(issuer, identity, "127.1.1.1")));
        Files.writeString(files.cqlCertificate(), "rubbish");
        NodeIdentity next = open();
        assertThat(serial(next)).isEqualTo(serial(identity));
        assertThat(next.status().cql()).isNull();
        assertThat(next.obstacle(ADDRESS, false)).isEmpty();
        assertThat(next.obstacle(ADDRESS, true)).isPresent();
        next.accept(new IdentityUpdate(List.of(), List.of(rides), cql(issuer, next, "127.1.1.1")));
        Files.writeString(files.certificate(), "rubbish");
        NodeIdentity last = open();
        assertThat(last.status().leaf()).isNull();
        assertThat(last.status().cql()).isNotNull();
    }
}
