package io.ringmaster.core.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

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
        return spec(SpecDefaults.secure(yaml));
    }

    @Test
    void a_new_cluster_gets_tls_and_login_and_keeps_the_text_of_its_user() {
        String yaml = "# ours\n" + RIDES;
        assertThat(SpecDefaults.secure(yaml)).startsWith(yaml);
        assertThat(secured(yaml).tls()).isEqualTo(REQUIRED);
        assertThat(secured(yaml).roles()).isEmpty();
        assertThat(secured(yaml).requiresLogin()).isTrue();
    }

    @Test
    void it_gets_them_by_a_text_in_braces_and_by_one_with_an_end_too() {
        String braces = "{cluster: rides, cassandra: 5.0.9, datacenters: {dc1: {nodes: 3}},"
                + " node: {cpus: 1, memory: 2GiB, disk: 10GiB}}";
        for (String yaml : List.of(braces, RIDES + "...\n")) {
            assertThat(secured(yaml).tls()).as(yaml).isEqualTo(REQUIRED);
            assertThat(secured(yaml).requiresLogin()).as(yaml).isTrue();
        }
    }

    @Test
    void what_is_written_stays() {
        String open = RIDES + "tls: {internode: off}\nroles: off\n";
        assertThat(SpecDefaults.secure(open)).isEqualTo(open);
        assertThat(spec(open).requiresInternodeTls()).isFalse();
        assertThat(spec(open).roles()).isNull();
        assertThat(secured(RIDES + "tls: {internode: required}\n").tls()).isEqualTo(TlsSpec.INTERNODE);
    }

    @Test
    void a_spec_that_configures_login_or_tls_itself_keeps_that() {
        ClusterSpec login = secured(parameters("authenticator: AllowAllAuthenticator"));
        assertThat(login.roles()).isNull();
        assertThat(login.tls()).isEqualTo(REQUIRED);
        ClusterSpec tls = secured(parameters("server_encryption_options: {internode_encryption: all}"));
        assertThat(tls.tls()).isNull();
        assertThat(tls.requiresLogin()).isTrue();
    }

    @Test
    void a_text_without_them_is_of_the_cluster_as_it_is() {
        ClusterSpec secured = secured(RIDES);
        assertThat(spec(SpecDefaults.like(secured, RIDES))).isEqualTo(secured);
        ClusterSpec open = spec(RIDES);
        assertThat(SpecDefaults.like(open, RIDES)).isEqualTo(RIDES);
    }

    @Test
    void roles_that_the_text_does_not_name_any_more_do_not_come_back() {
        ClusterSpec before = spec(RIDES + "roles: {app: {login: true, password: generated}}\n");
        assertThat(spec(SpecDefaults.like(before, RIDES)).roles()).isNull();
    }
}
