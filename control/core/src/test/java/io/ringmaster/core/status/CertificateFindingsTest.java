package io.ringmaster.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CertificateFindingsTest {
    private static TlsStatus tls(int daysOld, @Nullable String problem) {
        Instant since = Scene.NOW.minus(Duration.ofDays(daysOld));
        return new TlsStatus(
                null,
                new TlsStatus.Leaf("1f", "digest", List.of("10.1.0.1"), since, since.plus(Duration.ofDays(30))),
                List.of(),
                problem,
                null,
                true,
                null,
                null,
                null);
    }

    private static List<String> lines(TlsStatus tls) {
        return lines(Samples.spec("rides", 3, 2), tls);
    }

    private static List<String> lines(ClusterSpec spec, TlsStatus tls) {
        return lines(Scene.live(spec).knowsTls(1).knowsTls(2).tls(0, tls));
    }

    private static List<String> lines(Scene scene) {
        return CertificateFindings.of(scene.view(), Scene.RIDES).stream()
                .map(f -> f.subject() + " " + f.problem().code() + " "
                        + f.problem().message())
                .toList();
    }

    @Test
    void a_certificate_that_was_not_renewed_in_time_is_named_with_its_end() {
        assertThat(lines(tls(24, null))).isEmpty();
        assertThat(lines(tls(25, null)))
                .containsExactly("dc1/node-0 CERTIFICATE_EXPIRING was not given another certificate; its own ends at "
                        + Scene.NOW.plus(Duration.ofDays(5)));
        assertThat(lines(tls(30, null)))
                .containsExactly("dc1/node-0 CERTIFICATE_EXPIRING its certificate ended at " + Scene.NOW
                        + ", and other nodes refuse it");
    }

    @Test
    void each_of_two_certificates_that_end_is_named() {
        TlsStatus.Leaf toNodes = tls(25, null).leaf();
        TlsStatus.Leaf toClients = tls(30, null).leaf();
        assertThat(lines(new TlsStatus(null, toNodes, List.of(), null, toClients, true, null, null, null)))
                .containsExactly(
                        "dc1/node-0 CERTIFICATE_EXPIRING was not given another certificate; its own ends at "
                                + Scene.NOW.plus(Duration.ofDays(5)),
                        "dc1/node-0 CERTIFICATE_EXPIRING its certificate to CQL clients ended at " + Scene.NOW
                                + ", and clients refuse it");
    }

    @Test
    void a_node_that_has_had_no_certificate_for_five_minutes_is_named() {
        ClusterSpec spec = Samples.spec("rides", 3, 2).with(TlsSpec.INTERNODE);
        PublicKeyPem key = new PublicKeyPem("next key");
        TlsStatus none = new TlsStatus(key, null, List.of(), null, null, true, TlsSpec.INTERNODE, null, null);
        assertThat(lines(Scene.live(spec).knowsTls(1).knowsTls(2).tls(0, none).later(299)))
                .isEmpty();
        assertThat(lines(Scene.live(spec).knowsTls(1).knowsTls(2).tls(0, none).later(300)))
                .containsExactly(
                        "dc1/node-0 CERTIFICATE_MISSING has had no certificate to other nodes since " + Scene.NOW);
        ClusterSpec forClients = spec.with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED));
        TlsStatus.Leaf leaf =
                new TlsStatus.Leaf("1f", "digest", List.of(), Scene.NOW, Scene.NOW.plus(Duration.ofDays(30)));
        TlsStatus toNodesAlone = new TlsStatus(key, leaf, List.of(), null, null, true, forClients.tls(), null, null);
        assertThat(lines(Scene.live(forClients)
                        .knowsTls(1)
                        .knowsTls(2)
                        .tls(0, toNodesAlone)
                        .later(300)))
                .containsExactly(
                        "dc1/node-0 CERTIFICATE_MISSING has had no certificate to CQL clients since " + Scene.NOW);
    }

    @Test
    void a_node_whose_executor_starts_it_in_clear_text_is_named_until_it_follows_the_spec() {
        ClusterSpec spec = Samples.spec("rides", 3, 2).with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED));
        TlsStatus between = new TlsStatus(null, null, List.of(), null, null, false, null, null, null);
        assertThat(lines(Scene.live(spec).knowsTls(1).knowsTls(2)))
                .containsExactly("dc1/node-0 EXECUTOR_FAILED its executor is of an earlier release, which does not know"
                        + " TLS between nodes, and starts it in clear text");
        assertThat(lines(spec, between))
                .containsExactly("dc1/node-0 EXECUTOR_FAILED its executor is of an earlier release, which does not know"
                        + " TLS for CQL clients, and starts it in clear text");
        assertThat(lines(spec, TlsStatus.UNUSED.following(TlsSpec.INTERNODE)))
                .containsExactly(
                        "dc1/node-0 EXECUTOR_FAILED serves without TLS for CQL clients: a server or an executor"
                                + " of an earlier release dropped it");
        assertThat(lines(spec, TlsStatus.UNUSED.following(spec.tls()))).isEmpty();
        assertThat(lines(Scene.live(spec)
                        .knowsTls(1)
                        .knowsTls(2)
                        .tls(0, TlsStatus.UNUSED.following(spec.tls()))
                        .version(spec.with(TlsSpec.INTERNODE))
                        .record(0, r -> r.decide(2))))
                .containsExactly(
                        "dc1/node-0 EXECUTOR_FAILED refuses its newest target, whose TLS is weaker: a server of"
                                + " an earlier release dropped it from the spec");
    }

    @Test
    void a_certificate_that_the_daemon_does_not_use_is_named_with_the_reason() {
        assertThat(lines(tls(1, "its storage port still shows serial 1e")))
                .containsExactly(
                        "dc1/node-0 CERTIFICATE_REJECTED is not seen to use its newest certificate: its storage port"
                                + " still shows serial 1e");
        Instant now = Scene.NOW;
        TlsStatus toClients = new TlsStatus(
                null,
                new TlsStatus.Leaf("1f", "digest", List.of("10.1.0.1"), now, now.plus(Duration.ofDays(30))),
                List.of(),
                null,
                null,
                true,
                null,
                "port 9042 shows serial 1e",
                null);
        assertThat(lines(toClients))
                .containsExactly(
                        "dc1/node-0 CERTIFICATE_REJECTED is not seen to use its newest certificate to CQL clients:"
                                + " port 9042 shows serial 1e");
        assertThat(lines(TlsStatus.UNUSED)).isEmpty();
    }
}
