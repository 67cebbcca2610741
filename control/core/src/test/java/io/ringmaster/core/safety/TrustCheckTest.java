package io.ringmaster.core.safety;

import static io.ringmaster.core.safety.AvailabilityCheck.ONE_AT_A_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.PeerReportBuilder;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.TrustPart;
import io.ringmaster.model.record.DatacenterReportClusterPartBuilder;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** dc1 is new to a created cluster of dc2; then the same from the other side. */
class TrustCheckTest {
    private static final ClusterSpec PLAIN = Samples.spec("rides", 2, 1, 2, 1);
    private static final ClusterSpec BOTH = order(PLAIN.with(TlsSpec.INTERNODE));
    private static final CertificatePem CA1 = new CertificatePem("CA of dc1");
    private static final CertificatePem CA2 = new CertificatePem("CA of dc2");
    private static final CertificatePem CLIENTS = new CertificatePem("CA of dc1 for clients");
    private static final AuthorityRecord OWN =
            new AuthorityRecord(AuthorityName.internode(Scene.RIDES, Samples.DC1, 1), CA1, false);
    private static final AuthorityRecord OWN_FOR_CLIENTS =
            new AuthorityRecord(AuthorityName.clients(Scene.RIDES, Samples.DC1, 1), CLIENTS, false);
    private static final AuthorityRecord OTHER =
            new AuthorityRecord(AuthorityName.internode(Scene.RIDES, Samples.DC2, 1), CA2, false);

    private static ClusterSpec order(ClusterSpec spec) {
        return spec.withDatacenters(
                List.of(spec.datacenters().get(1), spec.datacenters().get(0)));
    }

    private static Scene joining(ClusterSpec spec) {
        return Scene.placed(spec).peer(2, 1, 1, true, null);
    }

    private static View has(View view, AuthorityRecord... authorities) {
        return view.with(
                List.of(authorities).stream().<Change>map(Change.Put::new).toList());
    }

    /** dc2 reports its authority, and what it says of those that it knows. */
    private static View reporting(View view, TrustPart... trust) {
        Observation<DatacenterReport> dc2 = Objects.requireNonNull(view.peers().get(Samples.DC2));
        DatacenterReport report = Objects.requireNonNull(dc2.last());
        return view.withPeers(Map.of(
                Samples.DC2,
                new Observation<>(
                        report.withClusters(report.clusters().stream()
                                .map(p -> DatacenterReportClusterPartBuilder.builder(p)
                                        .authorities(List.of(OTHER))
                                        .trust(List.of(trust))
                                        .build())
                                .toList()),
                        dc2.at(),
                        dc2.silence())));
    }

    private static TrustPart part(CertificatePem authority, @Nullable String missing) {
        return new TrustPart(authority.digest(), missing);
    }

    private static Optional<String> blocked(View view) {
        return ONE_AT_A_TIME.beforeTouching(
                view, Objects.requireNonNull(view.nodes().get(Scene.node(0))), 1);
    }

    @Test
    void the_first_node_of_a_new_datacenter_starts_when_every_node_of_the_others_has_loaded_its_authority() {
        View view = has(joining(BOTH).view(), OWN);
        assertThat(blocked(reporting(view, part(CA2, null), part(CA1, "node-1 has not received it"))))
                .contains("every node must load the authority of dc1 for internode: dc2 node-1 has not received it");
        assertThat(blocked(reporting(view, part(CA2, null), part(CA1, null)))).isEmpty();
    }

    @Test
    void it_waits_for_its_own_authority_and_until_the_others_have_received_it() {
        View view = joining(BOTH).view();
        assertThat(blocked(reporting(view, part(CA2, null))))
                .contains("dc1 has no authority for internode of rides yet");
        assertThat(blocked(reporting(has(view, OWN), part(CA2, null))))
                .contains("the server of dc2 has not received the authority of dc1 for internode");
        assertThat(blocked(reporting(has(view, OWN))))
                .contains("the server of dc2 does not report which authorities its nodes trust: it is of an earlier"
                        + " release");
    }

    @Test
    void it_waits_for_the_authorities_of_other_new_datacenters() {
        View view = has(joining(BOTH).view(), OWN);
        assertThat(blocked(view)).contains("dc2 has no authority for internode of rides yet");
    }

    @Test
    void it_waits_for_a_silent_datacenter_whatever_that_reported_last() {
        View view = has(joining(BOTH).peerSilent().view(), OWN);
        View trusted = reporting(view, part(CA2, null), part(CA1, null));
        assertThat(TrustCheck.beforeFirstNode(
                        trusted, Objects.requireNonNull(trusted.nodes().get(Scene.node(0)))))
                .contains("dc2 is silent: unreachable; its nodes must trust those of dc1 first");
        assertThat(blocked(trusted)).isPresent();
    }

    @Test
    void clients_must_be_able_to_get_its_authority_at_every_server_first() {
        ClusterSpec spec = BOTH.with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED));
        View view = has(joining(spec).view(), OWN, OWN_FOR_CLIENTS);
        Observation<DatacenterReport> dc2 = Objects.requireNonNull(
                reporting(view, part(CA2, null), part(CA1, null)).peers().get(Samples.DC2));
        View known = withClientAuthority(view, dc2);
        assertThat(blocked(known)).contains("the server of dc2 has not received the authority of dc1 for clients");
        View received = reporting(view, part(CA2, null), part(CA1, null), part(CLIENTS, null));
        assertThat(blocked(withClientAuthority(
                        view, Objects.requireNonNull(received.peers().get(Samples.DC2)))))
                .isEmpty();
    }

    private static View withClientAuthority(View view, Observation<DatacenterReport> dc2) {
        DatacenterReport report = Objects.requireNonNull(dc2.last());
        return view.withPeers(Map.of(
                Samples.DC2,
                new Observation<>(
                        report.withClusters(report.clusters().stream()
                                .map(p -> DatacenterReportClusterPartBuilder.builder(p)
                                        .clientAuthorities(List.of(new AuthorityRecord(
                                                AuthorityName.clients(Scene.RIDES, Samples.DC2, 1), CA2, false)))
                                        .build())
                                .toList()),
                        dc2.at(),
                        dc2.silence())));
    }

    @Test
    void later_nodes_and_clusters_in_clear_text_wait_for_nobody() {
        View second = has(
                joining(BOTH)
                        .record(0, r -> r.decide(1).proven().seenNormal())
                        .claim(0, AllocationState.Status.RUNNING)
                        .says(0, OperatingMode.NORMAL)
                        .view(),
                OWN);
        assertThat(TrustCheck.beforeFirstNode(
                        second, Objects.requireNonNull(second.nodes().get(Scene.node(1)))))
                .isEmpty();
        assertThat(blocked(joining(order(PLAIN)).view())).isEmpty();
    }

    private static @Nullable String missing(Scene scene) {
        View view = has(scene.view(), OWN);
        return PeerReportBuilder.part(reporting(view), Scene.RIDES, null).orElseThrow().trust().stream()
                .filter(t -> t.authority().equals(CA2.digest()))
                .findFirst()
                .orElseThrow()
                .missing();
    }

    private static TlsStatus tls(List<CertificatePem> trust, @Nullable List<CertificatePem> loaded, String problem) {
        return new TlsStatus(
                null,
                null,
                digests(trust),
                problem,
                null,
                true,
                TlsSpec.INTERNODE,
                null,
                loaded == null ? null : digests(loaded));
    }

    private static List<String> digests(List<CertificatePem> certificates) {
        return certificates.stream().map(CertificatePem::digest).toList();
    }

    private static Scene live() {
        TlsStatus loaded = tls(List.of(CA1, CA2), List.of(CA1, CA2), null);
        return Scene.live(PLAIN.with(TlsSpec.INTERNODE))
                .peer(2, 1, 0, false, null)
                .tls(0, loaded)
                .tls(1, loaded);
    }

    @Test
    void the_report_names_the_first_node_that_has_not_loaded_the_authority_of_another_datacenter() {
        assertThat(missing(live())).isNull();
        assertThat(missing(live().tls(1, tls(List.of(CA1), List.of(CA1), null))))
                .isEqualTo("node-1 has not received it");
        assertThat(missing(live().tls(1, tls(List.of(CA1, CA2), List.of(CA1), null))))
                .isEqualTo("node-1 has received it, and is NORMAL");
        assertThat(missing(live().tls(1, tls(List.of(CA1, CA2), List.of(CA1), "port 7000 is full"))))
                .isEqualTo("node-1 is not seen to use its newest certificate: port 7000 is full");
        assertThat(missing(live().tls(0, tls(List.of(CA1, CA2), null, null))))
                .startsWith("node-0 has an executor of an earlier release, which does not report it: update the"
                        + " executor's program on machine-1");
    }

    /** Its certificate is valid, so it would start again with the authorities of before, and without a server. */
    @Test
    void a_node_that_is_down_counts_unless_its_next_daemon_reads_the_authority() {
        assertThat(missing(live().silent(1))).isEqualTo("node-1 has not: its executor does not answer");
        TlsStatus received = tls(List.of(CA1, CA2), List.of(CA1, CA2), null);
        assertThat(missing(live().says(1, OperatingMode.DOWN).tls(1, received))).isNull();
        assertThat(missing(live().says(1, OperatingMode.DOWN).tls(1, tls(List.of(CA1), List.of(CA1), null))))
                .isEqualTo("node-1 has not received it");
    }

    @Test
    void what_nodes_have_loaded_is_not_kept_for_a_datacenter_that_becomes_silent() {
        View view = reporting(has(joining(BOTH).view(), OWN), part(CA1, null));
        DatacenterReport report = Objects.requireNonNull(
                Objects.requireNonNull(view.peers().get(Samples.DC2)).last());
        assertThat(PeerReportBuilder.persistent(report).clusters())
                .singleElement()
                .satisfies(p -> assertThat(p.trust()).isEmpty())
                .satisfies(p -> assertThat(p.authorities()).containsExactly(OTHER));
    }
}
