package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SpecDefaultsTest {
    private static final String RIDES = ClusterSpecsTest.RIDES + "\n";
    private static final TlsSpec REQUIRED = new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED);

    private static ClusterSpec spec(String yaml) {
        ParsedSpec parsed = ClusterSpecs.parse(yaml);
        assertThat(parsed.problems()).as(yaml).isEmpty();
        return ((ParsedSpec.Valid) parsed).spec();
    }

    private static String parameters(String fields) {
        return RIDES.replace("cassandra_yaml: {}", "cassandra_yaml: {" + fields + "}");
    }

    private static ClusterSpec secured(String yaml) {
        return spec(SpecDefaults.secure(yaml).yaml());
    }

    @Test
    void a_new_cluster_gets_tls_and_login_and_keeps_the_text_of_its_user() {
        String yaml = "# ours\n" + RIDES;
        SpecDefaults completed = SpecDefaults.secure(yaml);
        assertThat(completed.yaml()).startsWith(yaml.strip());
        assertThat(completed.added()).containsExactly("tls: {internode: required, clients: required}", "roles: {}");
        assertThat(secured(yaml).tls()).isEqualTo(REQUIRED);
        assertThat(secured(yaml).roles()).isEmpty();
        assertThat(secured(yaml).requiresLogin()).isTrue();
    }

    @Test
    void it_gets_them_by_a_text_in_braces_and_by_one_with_an_end_too() {
        String braces = "{cluster: rides, cassandra: 5.0.9, datacenters: {dc1: {nodes: 3}},"
                + " node: {cpus: 1, memory: 2GiB, disk: 10GiB}}";
        for (String yaml : List.of(braces, braces + "  # ours\n", RIDES + "...\n")) {
            assertThat(secured(yaml).tls()).as(yaml).isEqualTo(REQUIRED);
            assertThat(secured(yaml).requiresLogin()).as(yaml).isTrue();
        }
    }

    @Test
    void what_is_written_stays() {
        String open = RIDES + "tls: {internode: off}\nroles: off\n";
        assertThat(SpecDefaults.secure(open).yaml()).isEqualTo(open);
        assertThat(spec(open).requiresInternodeTls()).isFalse();
        assertThat(spec(open).roles()).isNull();
        assertThat(secured(RIDES + "tls: {internode: required}\n").tls()).isEqualTo(TlsSpec.INTERNODE);
    }

    @Test
    void a_spec_that_configures_tls_itself_keeps_that() {
        ClusterSpec tls = secured(parameters("server_encryption_options: {internode_encryption: all}"));
        assertThat(tls.tls()).isNull();
        assertThat(tls.requiresLogin()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"authenticator: AllowAllAuthenticator", "role_manager: CassandraRoleManager"})
    void a_spec_that_configures_login_itself_keeps_that(String parameter) {
        assertThat(secured(parameters(parameter)).roles()).isNull();
        assertThat(secured(parameters(parameter)).tls()).isEqualTo(REQUIRED);
    }

    @Test
    void tls_for_clients_of_its_own_leaves_tls_between_nodes() {
        ClusterSpec own = secured(parameters("client_encryption_options: {enabled: true}"));
        assertThat(own.tls()).isEqualTo(TlsSpec.INTERNODE);
    }

    /** It would let everybody in, although it says nothing of that. */
    @ParameterizedTest
    @ValueSource(strings = {"auth_read_consistency_level", "network_authorizer", "cidr_authorizer"})
    void what_conflicts_with_login_without_being_one_is_refused(String parameter) {
        ParsedSpec parsed = ClusterSpecs.parse(
                SpecDefaults.secure(parameters(parameter + ": LOCAL_QUORUM")).yaml());
        assertThat(parsed.problems()).singleElement().asString().contains(parameter, "conflicts with roles");
    }

    @Test
    void a_text_without_them_is_of_the_cluster_as_it_is() {
        ClusterSpec secured = secured(RIDES);
        assertThat(spec(SpecDefaults.like(secured, RIDES).yaml())).isEqualTo(secured);
        ClusterSpec open = spec(RIDES);
        assertThat(SpecDefaults.like(open, RIDES).yaml()).isEqualTo(RIDES);
        ClusterSpec declared = spec(RIDES
                + "roles: {ops: {}, app: {login: true, password: {file: app-1}, member_of: [ops], grants:"
                + " ['SELECT ON KEYSPACE trips']}, root: {login: true, superuser: true, password: generated}}\n");
        assertThat(spec(SpecDefaults.like(declared, RIDES).yaml())).isEqualTo(declared);
        assertThat(spec(SpecDefaults.like(declared, RIDES + "roles: {}\n").yaml())
                        .roles())
                .isEmpty();
    }
}
