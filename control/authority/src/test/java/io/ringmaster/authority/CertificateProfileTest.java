package io.ringmaster.authority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ringmaster.identity.KeyAndChain;
import io.ringmaster.identity.LiveTrust;
import io.ringmaster.identity.Pem;
import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of certificates, as the JDK and openssl judge it. */
class CertificateProfileTest {
    private static final DatacenterName DC1 = new DatacenterName("dc1");
    /** Names of full length, so that every field is cut where it must be. */
    private static final ClusterName RIDES = new ClusterName("r" + "i".repeat(47));

    private static final AuthorityName CONTROL = AuthorityName.control(DC1, 1);
    private static final AuthorityName INTERNODE = AuthorityName.internode(RIDES, DC1, 1);
    private static final AuthorityName CLIENTS = AuthorityName.clients(RIDES, DC1, 1);
    private static final AllocationId ALLOCATION = new AllocationId("a".repeat(121));

    /** The lists in profiles are copies. */
    @SuppressWarnings("ImmutableEnumChecker")
    private enum Sample {
        SERVER(LeafProfile.server(CONTROL, List.of("127.0.0.1", "::1", "localhost", "rm.example.com"))),
        DOOR(LeafProfile.door(CONTROL, ALLOCATION)),
        INTERNODE(LeafProfile.internode(CertificateProfileTest.INTERNODE, List.of("10.1.2.3", "127.0.0.1"))),
        CQL(LeafProfile.cql(CLIENTS, List.of("10.1.2.3", "192.0.2.7")));

        private final LeafProfile profile;

        Sample(LeafProfile profile) {
            this.profile = profile;
        }

        boolean provesClients() {
            return this != CQL;
        }
    }

    @TempDir
    Path state;

    private Issuer issuer;

    @BeforeEach
    void makeAuthorities() {
        issuer = new Issuer(
                new AuthorityDirectory(state.resolve("authority")), CONTROL, Duration.ofDays(30), Instant::now);
        List.of(CONTROL, INTERNODE, CLIENTS).forEach(issuer::make);
    }

    private KeyAndChain leaf(Sample sample) {
        return issuer.identity(sample.profile);
    }

    private X509Certificate authority(Sample sample) throws IOException {
        return Pem.certificates(issuer.make(sample.profile.authority()).text(), "authority")
                .get(0);
    }

    private static SubjectNames names(KeyAndChain leaf) throws CertificateException {
        return SubjectNames.of(leaf.leaf());
    }

    @Test
    void a_server_has_its_identity_and_every_address_and_host() throws Exception {
        SubjectNames names = names(leaf(Sample.SERVER));
        assertThat(names.spiffe()).contains(SpiffeName.server("dc1"));
        assertThat(names.hosts()).containsExactlyInAnyOrder("localhost", "rm.example.com");
        assertThat(names.addresses()).containsExactlyInAnyOrder(address("127.0.0.1"), address("::1"));
    }

    @Test
    void an_executor_has_the_name_of_its_allocation_and_no_address() throws Exception {
        assertThat(names(leaf(Sample.DOOR)))
                .isEqualTo(SubjectNames.of(Optional.of(SpiffeName.executor("dc1", ALLOCATION.value())), List.of()));
    }

    @Test
    void a_node_has_its_cluster_as_only_URI_and_its_addresses() throws Exception {
        SubjectNames names = names(leaf(Sample.INTERNODE));
        assertThat(names.uris())
                .containsExactly(SpiffeName.cluster(RIDES.value()).uri());
        assertThat(names.addresses()).containsExactlyInAnyOrder(address("10.1.2.3"), address("127.0.0.1"));
        assertThat(names(leaf(Sample.CQL)).uris()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void the_JDK_accepts_each_for_its_uses_and_refuses_it_for_others(Sample sample) throws Exception {
        X509Certificate[] chain = {leaf(sample).leaf()};
        var trust = new LiveTrust(List.of(authority(sample)));
        trust.checkServerTrusted(chain, "ECDHE_ECDSA");
        if (sample.provesClients()) {
            trust.checkClientTrusted(chain, "EC");
        } else {
            assertThatThrownBy(() -> trust.checkClientTrusted(chain, "EC")).isInstanceOf(CertificateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_JDK_refuses_each_under_the_other_authorities(Sample sample) {
        X509Certificate[] chain = {leaf(sample).leaf()};
        List.of(CONTROL, INTERNODE, CLIENTS).stream()
                .filter(name -> !name.equals(sample.profile.authority()))
                .forEach(name -> assertThatThrownBy(() -> new LiveTrust(
                                        Pem.certificates(issuer.make(name).text(), "authority"))
                                .checkServerTrusted(chain, "ECDHE_ECDSA"))
                        .as(name.toString())
                        .isInstanceOf(CertificateException.class));
    }

    @Test
    void authorities_sign_leaves_and_nothing_else() throws Exception {
        X509Certificate authority = authority(Sample.DOOR);
        assertThat(authority.getBasicConstraints()).isZero();
        assertThat(authority.getKeyUsage())
                .containsExactly(false, false, false, false, false, true, true, false, false);
        assertThat(authority.getSubjectX500Principal().getName()).contains("CN=control dc1 1,O=Ringmaster");
        assertThat(leaf(Sample.DOOR).leaf().getBasicConstraints()).isEqualTo(-1);
        assertThat(leaf(Sample.DOOR).leaf().getSerialNumber().bitLength()).isGreaterThan(64);
    }

    @Test
    void each_authority_has_a_subject_of_its_own() throws Exception {
        var other =
                new Issuer(new AuthorityDirectory(state.resolve("other")), CONTROL, Duration.ofDays(30), Instant::now);
        X509Certificate namesake =
                Pem.certificates(other.make(CONTROL).text(), "authority").get(0);
        assertThat(namesake.getSubjectX500Principal())
                .isNotEqualTo(authority(Sample.DOOR).getSubjectX500Principal());
    }

    @ParameterizedTest
    @EnumSource
    void openssl_accepts_each_strictly_for_its_uses(Sample sample) throws Exception {
        assumeTrue(hasOpenssl(), "openssl is not installed");
        Path authority = Files.writeString(state.resolve("ca.pem"), Pem.text(authority(sample)));
        Path leaf = Files.writeString(
                state.resolve("leaf.pem"), Pem.text(leaf(sample).leaf()));
        assertThat(verify(authority, leaf, "sslserver")).isEqualTo(leaf + ": OK");
        String asClient = verify(authority, leaf, "sslclient");
        if (sample.provesClients()) {
            assertThat(asClient).isEqualTo(leaf + ": OK");
        } else {
            assertThat(asClient).contains("unsuitable certificate purpose");
        }
    }

    private static String verify(Path authority, Path leaf, String purpose) throws Exception {
        return run(
                "openssl",
                "verify",
                "-x509_strict",
                "-check_ss_sig",
                "-purpose",
                purpose,
                "-CAfile",
                authority.toString(),
                leaf.toString());
    }

    private static boolean hasOpenssl() throws InterruptedException {
        try {
            return run("openssl", "version").startsWith("OpenSSL");
        } catch (IOException e) {
            return false;
        }
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.strip();
    }

    /** Of a literal, without a look-up. */
    private static InetAddress address(String literal) {
        return SubjectNames.of(Optional.empty(), List.of(literal)).addresses().get(0);
    }
}
