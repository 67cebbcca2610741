package io.ringmaster.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.URI;
import java.security.cert.CertificateParsingException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SubjectNamesTest {
    private final KeyAndChain leaf = new TestCertificates("control dc1 1").leaf("dc1");

    @Test
    void names_of_every_kind_are_read() throws Exception {
        SubjectNames names = SubjectNames.of(leaf.leaf());
        assertThat(names.hosts()).containsExactly("localhost");
        assertThat(names.addresses()).containsExactly(address("127.0.0.1"), address("::1"));
        assertThat(names.spiffe()).contains(SpiffeName.server("dc1"));
    }

    @Test
    void a_certificate_without_names_has_none() throws CertificateParsingException {
        SubjectNames names = SubjectNames.of(new TestCertificates("control dc1 1").certificate());
        assertThat(names).isEqualTo(new SubjectNames(List.of(), List.of(), List.of()));
        assertThat(names.spiffe()).isEmpty();
    }

    @Test
    void addresses_and_host_names_are_kept_apart_and_nothing_is_looked_up() throws Exception {
        SubjectNames names = SubjectNames.of(
                Optional.empty(),
                List.of("10.0.0.1", "::1", "[::1]", "rm.example.com", "10.0.0.1.invalid", "1.2.3.999"));
        assertThat(names.addresses()).containsExactly(address("10.0.0.1"), address("::1"));
        assertThat(names.hosts()).containsExactly("rm.example.com", "10.0.0.1.invalid", "1.2.3.999");
    }

    @Test
    void two_uris_are_no_identity() {
        URI one = SpiffeName.cluster("rides").uri();
        URI two = SpiffeName.executor("dc1", "a1").uri();
        assertThat(new SubjectNames(List.of(one, two), List.of(), List.of()).spiffe())
                .isEmpty();
        assertThat(new SubjectNames(List.of(URI.create("https://example.com")), List.of(), List.of()).spiffe())
                .isEmpty();
        assertThat(new SubjectNames(List.of(two), List.of(), List.of()).spiffe())
                .map(SpiffeName::toString)
                .contains("spiffe://ringmaster/executor/dc1/a1");
    }

    /** Of a literal, without a look-up. */
    private static InetAddress address(String literal) {
        return SubjectNames.of(Optional.empty(), List.of(literal)).addresses().get(0);
    }
}
