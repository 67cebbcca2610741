package io.ringmaster.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.security.Principal;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LiveTlsTest {
    private static final int SWAPS = 100;
    private static final int HANDSHAKES = 20;
    private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

    private final TestCertificates first = new TestCertificates("control dc1 1");
    private final TestCertificates second = new TestCertificates("control dc1 2");
    private final KeyAndChain clientLeaf = first.leaf("client");

    private SSLContext client() {
        return TlsContexts.of(
                new LiveKeys(clientLeaf), new LiveTrust(List.of(first.certificate(), second.certificate())));
    }

    private static X509Certificate leaf(SSLSession session) throws IOException {
        return (X509Certificate) session.getPeerCertificates()[0];
    }

    @Test
    void every_handshake_succeeds_while_keys_and_trust_are_swapped_100_times() throws Exception {
        List<KeyAndChain> leaves = IntStream.range(0, SWAPS)
                .mapToObj(i -> (i % 2 == 0 ? second : first).leaf("door-" + i))
                .toList();
        var keys = new LiveKeys(first.leaf("door"));
        var trust = new LiveTrust(List.of(first.certificate()));
        var seen = new HashSet<X509Certificate>();
        var handshakes = new AtomicInteger();
        var done = new AtomicBoolean();
        try (var door = new TestDoor(TlsContexts.of(keys, trust))) {
            CompletableFuture<Void> clients = CompletableFuture.runAsync(() -> {
                try {
                    while (!done.get()) {
                        // a context of its own resumes nothing
                        seen.add(leaf(door.connect(client())));
                        handshakes.incrementAndGet();
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            for (int i = 0; !clients.isDone() && (i < SWAPS || handshakes.get() < HANDSHAKES); i++) {
                keys.swap(leaves.get(i % SWAPS));
                trust.swap(
                        i % 2 == 0 ? List.of(second.certificate(), first.certificate()) : List.of(first.certificate()));
                Thread.sleep(5);
            }
            done.set(true);
            clients.join();
            assertThat(leaf(door.connect(client()))).isEqualTo(keys.current().leaf());
        }
        assertThat(handshakes.get()).isGreaterThanOrEqualTo(HANDSHAKES);
        assertThat(seen).as("certificates before and after swaps").hasSizeGreaterThan(3);
    }

    @Test
    void a_chosen_identity_keeps_its_own_key_and_certificate_after_a_swap() {
        KeyAndChain former = first.leaf("door");
        var keys = new LiveKeys(former);
        String chosen = keys.chooseEngineServerAlias("EC", null, null);
        keys.swap(first.leaf("door"));
        assertThat(keys.getPrivateKey(chosen)).isEqualTo(former.key());
        assertThat(keys.getCertificateChain(chosen)).containsExactly(former.leaf());
        assertThat(keys.chooseEngineServerAlias("RSA", null, null)).isNull();
    }

    @Test
    void a_client_shows_its_certificate_only_where_its_own_CA_is_asked_for() {
        var keys = new LiveKeys(first.leaf("client"));
        String[] kinds = {"EC"};
        X509Certificate[] own = {first.certificate()};
        X509Certificate[] other = {second.certificate()};
        assertThat(keys.chooseEngineClientAlias(kinds, subjects(own), null)).isNotNull();
        assertThat(keys.chooseEngineClientAlias(kinds, null, null)).isNotNull();
        assertThat(keys.chooseEngineClientAlias(kinds, subjects(other), null)).isNull();
    }

    private static Principal[] subjects(X509Certificate... authorities) {
        return Arrays.stream(authorities)
                .map(X509Certificate::getSubjectX500Principal)
                .toArray(Principal[]::new);
    }

    @Test
    void forgotten_sessions_are_not_resumed_once_trust_is_gone() throws Exception {
        String before = System.setProperty(TICKETS, "false");
        try {
            var trust = new LiveTrust(List.of(first.certificate()));
            SSLContext server = TlsContexts.of(new LiveKeys(first.leaf("door")), trust);
            SSLContext client = client();
            try (var door = new TestDoor(server)) {
                door.connect(client);
                trust.swap(List.of(second.certificate()));
                assertThat(door.connect(client))
                        .as("resumption checks no certificate")
                        .isNotNull();
                TlsContexts.forgetSessions(server);
                assertThatThrownBy(() -> door.connect(client)).isInstanceOf(IOException.class);
            }
        } finally {
            if (before == null) {
                System.clearProperty(TICKETS);
            } else {
                System.setProperty(TICKETS, before);
            }
        }
    }

    @Test
    void a_new_context_resumes_no_ticket_of_the_former() throws Exception {
        var keys = new LiveKeys(first.leaf("door"));
        var trust = new LiveTrust(List.of(first.certificate()));
        SSLContext client = client();
        try (var door = new TestDoor(TlsContexts.of(keys, trust))) {
            door.connect(client);
            trust.swap(List.of(second.certificate()));
            door.use(TlsContexts.of(keys, trust));
            assertThatThrownBy(() -> door.connect(client)).isInstanceOf(IOException.class);
            trust.swap(List.of(first.certificate()));
            door.connect(client);
        }
    }

    @Test
    void a_client_refuses_servers_of_another_CA_and_everybody_without_any() throws Exception {
        var keys = new LiveKeys(second.leaf("door"));
        var trust = new LiveTrust(List.of());
        SSLContext client = TlsContexts.of(new LiveKeys(first.leaf("client")), trust);
        try (var door = new TestDoor(TlsContexts.of(keys, new LiveTrust(List.of(first.certificate()))))) {
            assertThatThrownBy(() -> door.connect(client))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("no CA is trusted here");
            trust.swap(List.of(first.certificate()));
            assertThatThrownBy(() -> door.connect(client))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasMessageContaining("PKIX path building failed");
            trust.swap(List.of(second.certificate()));
            assertThat(leaf(door.connect(client))).isEqualTo(keys.current().leaf());
        }
    }

    @Test
    void nothing_below_TLS_1_2_is_offered() {
        SSLParameters parameters = TlsContexts.parameters(client());
        assertThat(Set.of(parameters.getProtocols())).isEqualTo(Set.of("TLSv1.2", "TLSv1.3"));
    }

    @Test
    void both_versions_connect() throws Exception {
        var keys = new LiveKeys(first.leaf("door"));
        try (var door = new TestDoor(TlsContexts.of(keys, new LiveTrust(List.of(first.certificate()))))) {
            for (String version : TlsContexts.PROTOCOLS) {
                SSLContext client = client();
                SSLParameters parameters = TlsContexts.parameters(client);
                parameters.setProtocols(new String[] {version});
                assertThat(door.connect(client, parameters).getProtocol()).isEqualTo(version);
            }
        }
    }
}
