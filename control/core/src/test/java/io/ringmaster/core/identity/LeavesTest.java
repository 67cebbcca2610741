package io.ringmaster.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.NodeStatusBuilder;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReportClusterPartBuilder;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeavesTest {
    private static final ClusterSpec SPEC = Samples.spec("rides", 1, 1).with(TlsSpec.INTERNODE);
    private static final ClusterSpec BOTH = Samples.spec("rides", 1, 1, 1, 1).with(TlsSpec.INTERNODE);
    private static final ClusterSpec FOR_CLIENTS =
            Samples.spec("rides", 1, 1).with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.OPTIONAL));
    private static final AuthorityName CLIENTS = AuthorityName.clients(Scene.RIDES, Samples.DC1, 1);
    private static final CertificatePem CLIENTS_CA = new CertificatePem("CA of clients");
    private static final AuthorityName DC1 = AuthorityName.internode(Scene.RIDES, Samples.DC1, 1);
    private static final CertificatePem CA1 = new CertificatePem("CA of dc1");
    private static final CertificatePem CA2 = new CertificatePem("CA of dc2");
    private static final PublicKeyPem KEY = new PublicKeyPem("next key");
    private static final List<String> HERE = List.of("127.0.0.1", "127.1.1.1");
    private static final Duration LIFE = Duration.ofDays(30);

    private static View view(Scene scene) {
        return scene.view().with(List.of(new Change.Put(new AuthorityRecord(DC1, CA1, false))));
    }

    private static View reporting(View view, TlsStatus tls) {
        NodeStatus status = view.statuses().get(Scene.node(0)).last();
        NodeStatus with = NodeStatusBuilder.builder(status).tls(tls).build();
        return ViewBuilder.builder(view)
                .statuses(view.statuses().plus(Scene.node(0), new Observation<>(with, Scene.NOW, null)))
                .build();
    }

    private static TlsStatus first() {
        return new TlsStatus(KEY, null, List.of(), null, null, true, null, null, null);
    }

    private static TlsStatus has(
            CertificatePem authority, List<String> addresses, Instant since, CertificatePem... ca) {
        return new TlsStatus(
                KEY,
                new TlsStatus.Leaf("1f", authority.digest(), addresses, since, since.plus(LIFE)),
                List.of(ca).stream().map(CertificatePem::digest).toList(),
                null,
                null,
                true,
                null,
                null,
                null);
    }

    private static Optional<Command> due(View view) {
        return Leaves.due(view, view.nodes().get(Scene.node(0)));
    }

    private static View withDc2(View view, List<AuthorityRecord> authorities) {
        Observation<DatacenterReport> dc2 = view.peers().get(Samples.DC2);
        List<ClusterPart> parts = dc2.last().clusters().stream()
                .map(p -> DatacenterReportClusterPartBuilder.builder(p)
                        .authorities(authorities)
                        .build())
                .toList();
        return view.withPeers(
                Map.of(Samples.DC2, new Observation<>(dc2.last().withClusters(parts), Scene.NOW, "is silent now")));
    }

    private static AuthorityRecord ofDc2() {
        DatacenterName dc2 = Samples.DC2;
        return new AuthorityRecord(AuthorityName.internode(Scene.RIDES, dc2, 1), CA2, false);
    }

    @Test
    void a_node_gets_a_certificate_for_the_addresses_that_its_pool_reports() {
        View view = reporting(view(Scene.live(SPEC)), first());
        assertThat(due(view))
                .contains(new Command.Certify(
                        Scene.node(0),
                        view.nodes().get(Scene.node(0)).allocation(),
                        KEY,
                        LeafProfile.internode(DC1, HERE),
                        List.of(CA1),
                        null,
                        false));
        assertThat(Recovery.of(view, Scene.RIDES).commands()).hasAtLeastOneElementOfType(Command.Certify.class);
    }

    @Test
    void a_node_without_tls_and_one_that_does_not_answer_get_none() {
        assertThat(due(view(Scene.live(SPEC)))).isEmpty();
        assertThat(due(Scene.live(SPEC).view())).as("no authority").isEmpty();
        View silent = reporting(view(Scene.live(SPEC)), first());
        NodeStatus last = silent.statuses().get(Scene.node(0)).last();
        assertThat(due(ViewBuilder.builder(silent)
                        .statuses(silent.statuses()
                                .plus(Scene.node(0), new Observation<>(last, Scene.NOW, "connection refused")))
                        .build()))
                .isEmpty();
    }

    @Test
    void a_good_certificate_is_renewed_between_two_thirds_and_three_quarters_of_its_life() {
        View view = view(Scene.live(SPEC));
        assertThat(due(reporting(view, has(CA1, HERE, Scene.NOW.minus(LIFE.dividedBy(2)), CA1))))
                .isEmpty();
        assertThat(due(reporting(view, has(CA1, HERE, Scene.NOW.minus(Duration.ofDays(23)), CA1))))
                .isPresent();
    }

    @Test
    void another_address_or_authority_and_a_new_authority_to_trust_make_it_due() {
        View view = view(Scene.live(SPEC));
        assertThat(due(reporting(view, has(CA1, List.of("127.1.1.9"), Scene.NOW, CA1))))
                .isPresent();
        assertThat(due(reporting(view, has(CA2, HERE, Scene.NOW, CA1)))).isPresent();
        assertThat(due(reporting(view, has(CA1, HERE, Scene.NOW)))).isPresent();
        assertThat(due(reporting(view, has(CA1, HERE, Scene.NOW, CA1, CA2))))
                .as("one that only it trusts")
                .isEmpty();
    }

    /** The pool says {@code 2001:db8::1}, and the node reports what Java makes of the certificate. */
    @Test
    void another_text_of_the_same_address_makes_none_due() {
        View view = view(Scene.live(SPEC).reported(0, s -> s.at("2001:db8::1")));
        assertThat(due(reporting(view, has(CA1, List.of("2001:db8:0:0:0:0:0:1"), Scene.NOW, CA1))))
                .isEmpty();
        assertThat(due(reporting(view, has(CA1, List.of("2001:db8:0:0:0:0:0:2"), Scene.NOW, CA1))))
                .isPresent();
    }

    @Test
    void the_first_certificate_waits_for_the_authorities_of_all_datacenters() {
        View alone = reporting(view(Scene.live(BOTH).remoteSeen(0, true).peer(1, 1, 0, false, null)), first());
        assertThat(due(withDc2(alone, List.of()))).isEmpty();
        assertThat(due(withDc2(alone, List.of(ofDc2())))
                        .map(Command.Certify.class::cast)
                        .orElseThrow()
                        .trust())
                .as("also while dc2 is silent")
                .containsExactly(CA1, CA2);
    }

    /** Or no node here could be replaced while the server of a new datacenter is not up. */
    @Test
    void the_first_certificate_does_not_wait_for_a_datacenter_that_has_no_node_yet() {
        View alone = withDc2(reporting(view(Scene.live(BOTH).peer(1, 1, 0, false, null)), first()), List.of());
        assertThat(due(alone).map(Command.Certify.class::cast).orElseThrow().trust())
                .containsExactly(CA1);
        View young = ViewBuilder.builder(alone)
                .clusters(alone.clusters()
                        .plus(
                                Scene.RIDES,
                                Scene.declared(BOTH).view().clusters().get(Scene.RIDES)))
                .build();
        assertThat(due(young)).as("before the cluster is created").isEmpty();
    }

    @Test
    void the_first_certificate_to_nodes_waits_for_no_authority_for_clients() {
        ClusterSpec spec = BOTH.with(FOR_CLIENTS.tls());
        View alone = reporting(view(Scene.live(spec).peer(1, 1, 0, false, null)), first().following(spec.tls()));
        assertThat(certificates(withDc2(alone, List.of(ofDc2())))).isEqualTo("node");
    }

    @Test
    void a_renewal_waits_for_nobody() {
        View alone = withDc2(view(Scene.live(BOTH).peer(1, 1, 0, false, null)), List.of());
        assertThat(due(reporting(alone, has(CA1, HERE, Scene.NOW.minus(Duration.ofDays(29)), CA1))))
                .isPresent();
    }

    @Test
    void a_node_of_a_cluster_with_tls_for_clients_gets_the_certificates_that_are_due() {
        View without = reporting(view(Scene.live(FOR_CLIENTS)), first().following(FOR_CLIENTS.tls()));
        assertThat(certificates(without)).as("no authority for clients yet").isEqualTo("node");
        View view = without.with(List.of(new Change.Put(new AuthorityRecord(CLIENTS, CLIENTS_CA, false))));
        Command.Certify both = due(view).map(Command.Certify.class::cast).orElseThrow();
        assertThat(both.profile()).isEqualTo(LeafProfile.internode(DC1, HERE));
        assertThat(both.together()).isFalse();
        assertThat(both.trust()).as("no authority of clients").containsExactly(CA1);
        assertThat(both.cql())
                .isEqualTo(new Command.Certify.CqlLeaf(LeafProfile.cql(CLIENTS, List.of("127.1.1.1")), CLIENTS_CA));
        TlsStatus node = has(CA1, HERE, Scene.NOW, CA1).following(FOR_CLIENTS.tls());
        TlsStatus old =
                has(CA1, HERE, Scene.NOW.minus(Duration.ofDays(23)), CA1).following(FOR_CLIENTS.tls());
        Instant past = Scene.NOW.minus(Duration.ofDays(23));
        assertThat(certificates(reporting(view, node))).as("lacks one").isEqualTo("cql");
        assertThat(certificates(reporting(view, withCql(node, CLIENTS_CA, Scene.NOW))))
                .isEmpty();
        assertThat(certificates(reporting(view, withCql(node, CA1, Scene.NOW)))).isEqualTo("cql");
        assertThat(certificates(reporting(view, withCql(node, CLIENTS_CA, past))))
                .isEqualTo("cql");
        assertThat(certificates(reporting(view, withCql(old, CLIENTS_CA, Scene.NOW))))
                .isEqualTo("node");
        assertThat(certificates(reporting(view, withCql(old, CLIENTS_CA, past))))
                .isEqualTo("node cql");
    }

    @Test
    void an_executor_of_the_first_release_with_tls_for_clients_gets_both_certificates_or_none() {
        View without = view(Scene.live(FOR_CLIENTS));
        TlsStatus node = has(CA1, HERE, Scene.NOW, CA1);
        TlsStatus old = has(CA1, HERE, Scene.NOW.minus(Duration.ofDays(23)), CA1);
        assertThat(certificates(reporting(without, old)))
                .as("no authority for clients")
                .isEmpty();
        View view = without.with(List.of(new Change.Put(new AuthorityRecord(CLIENTS, CLIENTS_CA, false))));
        assertThat(certificates(reporting(view, withCql(node, CLIENTS_CA, Scene.NOW))))
                .isEmpty();
        assertThat(certificates(reporting(view, withCql(old, CLIENTS_CA, Scene.NOW))))
                .isEqualTo("node cql together");
        assertThat(certificates(reporting(view, node))).isEqualTo("node cql together");
    }

    private static String certificates(View view) {
        return due(view)
                .map(Command.Certify.class::cast)
                .map(c -> ((c.profile() == null ? "" : "node ")
                                + (c.cql() == null ? "" : "cql")
                                + (c.together() ? " together" : ""))
                        .strip())
                .orElse("");
    }

    private static TlsStatus withCql(TlsStatus node, CertificatePem authority, Instant since) {
        return new TlsStatus(
                KEY,
                node.leaf(),
                node.trust(),
                null,
                new TlsStatus.Leaf("2f", authority.digest(), List.of("127.1.1.1"), since, since.plus(LIFE)),
                true,
                node.target(),
                null,
                null);
    }
}
