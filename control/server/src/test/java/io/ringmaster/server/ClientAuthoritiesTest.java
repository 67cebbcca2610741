package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ringmaster.identity.Pem;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.RingmasterClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The authorities of clusters for CQL clients, read without a token. */
class ClientAuthoritiesTest {
    private static final ClusterName VAULT = new ClusterName("vault");
    private static final ClusterName FAR = new ClusterName("far");
    private static final ClusterName PLAIN = new ClusterName("plain");
    private static final String TLS = "tls: {internode: required, clients: optional}\n";

    @TempDir
    Path directory;

    private List<TestDatacenter> both;

    @BeforeEach
    void start() throws IOException {
        both = TestDatacenter.two(directory, false);
        Eventually.is(() -> both.get(0).client().datacenter().peers().stream().allMatch(p -> p.silence() == null));
        apply(0, VAULT, TLS, "dc1: {nodes: 1, seeds: 1}", "dc2: {nodes: 1, seeds: 1}");
        apply(1, FAR, TLS, "dc2: {nodes: 1, seeds: 1}");
        apply(0, PLAIN, "", "dc1: {nodes: 1, seeds: 1}");
    }

    @AfterEach
    void stop() {
        both.forEach(TestDatacenter::close);
    }

    private void apply(int at, ClusterName cluster, String tls, String... datacenters) {
        String spec = Specs.of(cluster.value(), datacenters) + tls;
        both.get(at).client().apply(cluster, spec, 0L, ChangeOptions.APPLY);
    }

    private RingmasterClient nobody(int at) {
        return TestDatacenter.client(both.get(at).url(), null);
    }

    private List<String> bundle(int at, ClusterName cluster) {
        try {
            return Pem.certificates(nobody(at).clientAuthorities(cluster), "the answer").stream()
                    .map(X509Certificate::getSubjectX500Principal)
                    .map(subject -> subject.getName().replaceAll(".*(CN=[^,]*).*", "$1"))
                    .sorted()
                    .toList();
        } catch (RefusedException | IOException e) {
            return List.of();
        }
    }

    @Test
    void the_bundle_of_each_datacenter_holds_the_authorities_of_all() {
        for (int at = 0; at < 2; at++) {
            int server = at;
            assertThat(Eventually.becomes(() -> bundle(server, VAULT), b -> b.size() > 1))
                    .containsExactly("CN=clients vault dc1 1", "CN=clients vault dc2 1");
        }
        assertThat(Eventually.becomes(() -> bundle(0, FAR), b -> !b.isEmpty()))
                .as("of a cluster that dc1 has no part of")
                .containsExactly("CN=clients far dc2 1");
    }

    @Test
    void a_cluster_without_them_is_refused() throws IOException {
        var plain = catchThrowableOfType(RefusedException.class, () -> nobody(0).clientAuthorities(PLAIN));
        assertThat(plain.status()).isEqualTo(404);
        assertThat(plain.problems()).singleElement().satisfies(p -> assertThat(p.message())
                .contains("plain accepts CQL clients in clear text"));
        assertThat(catchThrowableOfType(
                                RefusedException.class, () -> nobody(0).clientAuthorities(new ClusterName("nowhere")))
                        .status())
                .isEqualTo(404);
        Eventually.becomes(() -> bundle(0, VAULT), b -> !b.isEmpty());
        var answer = RawHttp.send(both.get(0).url().getPort(), "GET", "/api/v1/clusters/vault/ca", "");
        assertThat(answer.header("Content-Type")).isEqualTo("application/x-pem-file");
        assertThat(answer.text()).startsWith("-----BEGIN CERTIFICATE-----\n").doesNotContain("PRIVATE");
        assertThat(StandardCharsets.US_ASCII.newEncoder().canEncode(answer.text()))
                .isTrue();
    }
}
