package io.ringmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.wire.api.ChangeAnswer;
import io.ringmaster.wire.client.ChangeOptions;
import io.ringmaster.wire.client.RingmasterClient;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server adds to the specs of clusters that say nothing about TLS and login. */
class SecureDefaultsTest {
    private static final ClusterName RIDES = new ClusterName("rides");
    private static final String SPEC = Specs.of("rides", "dc1: {nodes: 1, seeds: 1}");
    private static final String TLS = "tls: {internode: required, clients: required}";

    @TempDir
    Path directory;

    @Test
    void a_server_with_tls_adds_tls_and_login_to_a_new_cluster_and_says_so() throws Exception {
        try (var datacenter = TestDatacenter.withTls(directory)) {
            RingmasterClient client = datacenter.client();
            assertThat(client.apply(RIDES, SPEC, 0L, ChangeOptions.DRY_RUN).added())
                    .containsExactly(TLS, "roles: {}");
            client.apply(RIDES, SPEC, 0L, ChangeOptions.APPLY);
            assertThat(client.spec(RIDES).source()).startsWith(SPEC).contains(TLS, "roles: {}");
            ChangeAnswer again = client.apply(RIDES, SPEC, null, ChangeOptions.APPLY);
            assertThat(again.changed()).isFalse();
            assertThat(again.added()).isEmpty();
        }
    }

    @Test
    void what_the_text_says_counts_and_roles_that_it_does_not_name_stay() throws Exception {
        try (var datacenter = TestDatacenter.withTls(directory)) {
            RingmasterClient client = datacenter.client();
            String open = SPEC + "tls: {internode: off}\nroles: off\n";
            assertThat(client.apply(RIDES, open, 0L, ChangeOptions.APPLY).added())
                    .isEmpty();
            assertThat(client.spec(RIDES).source()).isEqualTo(open);
            assertThat(client.apply(RIDES, SPEC, null, ChangeOptions.DRY_RUN).added())
                    .isEmpty();
            String declared = SPEC + "roles: {app: {login: true, password: generated}}\n";
            client.apply(RIDES, declared, null, ChangeOptions.APPLY);
            assertThat(client.apply(RIDES, SPEC, null, ChangeOptions.DRY_RUN).changed())
                    .isFalse();
            assertThat(client.apply(RIDES, SPEC + "roles: {}\n", null, ChangeOptions.DRY_RUN)
                            .changed())
                    .isTrue();
        }
    }

    @Test
    void a_spec_that_cannot_have_login_is_refused_and_not_opened() throws Exception {
        try (var datacenter = TestDatacenter.withTls(directory)) {
            String conflicting = SPEC + "cassandra_yaml: {auth_read_consistency_level: LOCAL_ONE}\n";
            assertThatThrownBy(() -> datacenter.client().apply(RIDES, conflicting, 0L, ChangeOptions.APPLY))
                    .hasMessageContaining("conflicts with roles");
        }
    }

    @Test
    void a_server_without_tls_adds_nothing() throws Exception {
        try (var datacenter = TestDatacenter.alone(directory)) {
            assertThat(datacenter
                            .client()
                            .apply(RIDES, SPEC, 0L, ChangeOptions.DRY_RUN)
                            .added())
                    .isEmpty();
        }
    }
}
