package io.ringmaster.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.ringmaster.core.Samples;
import io.ringmaster.core.Scene;
import io.ringmaster.core.decide.PeerReportBuilder;
import io.ringmaster.core.recovery.Recovery;
import io.ringmaster.core.view.View;
import io.ringmaster.core.view.ViewBuilder;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReportClusterPartBuilder;
import io.ringmaster.model.spec.ClientTlsMode;
import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterAuthoritiesTest {
    private static final ClusterSpec PLAIN = Samples.spec("rides", 1, 1);
    private static final ClusterSpec SPEC = PLAIN.with(TlsSpec.INTERNODE);
    private static final AuthorityName FIRST = AuthorityName.internode(Scene.RIDES, Samples.DC1, 1);
    private static final CertificatePem CA = new CertificatePem("CA");

    private static View with(View view, AuthorityRecord authority) {
        return view.with(List.of(new Change.Put(authority)));
    }

    @Test
    void it_is_made_for_a_cluster_with_tls_in_this_datacenter() {
        assertThat(Recovery.of(Scene.declared(SPEC).view(), Scene.RIDES).commands())
                .containsExactly(new Command.MakeAuthority(FIRST));
        assertThat(ClusterAuthorities.missing(Scene.declared(PLAIN).view(), Scene.RIDES))
                .isEmpty();
        assertThat(ClusterAuthorities.missing(Scene.declared(SPEC).deleting().view(), Scene.RIDES))
                .isEmpty();
    }

    @Test
    void it_is_stored_once_the_server_has_its_key_and_not_made_again() {
        View made = ViewBuilder.builder(Scene.declared(SPEC).view())
                .authoritiesMade(Map.of(FIRST, CA))
                .build();
        Recovery.Wanted wanted = Recovery.of(made, Scene.RIDES);
        assertThat(wanted.changes()).containsExactly(new Change.Put(new AuthorityRecord(FIRST, CA, false)));
        assertThat(wanted.commands()).isEmpty();
        assertThat(Recovery.of(made.with(wanted.changes()), Scene.RIDES).changes())
                .isEmpty();
    }

    /** A new store beside an old {@code state_directory}: number 1 is that of a cluster that nobody knows any more. */
    @Test
    void one_with_a_higher_number_is_stored_where_the_server_has_used_the_first() {
        AuthorityName second = AuthorityName.internode(Scene.RIDES, Samples.DC1, 2);
        AuthorityName other = AuthorityName.clients(Scene.RIDES, Samples.DC1, 1);
        View made = ViewBuilder.builder(Scene.declared(SPEC).view())
                .authoritiesMade(Map.of(second, CA, other, CA))
                .build();
        assertThat(Recovery.of(made, Scene.RIDES).changes())
                .containsExactly(new Change.Put(new AuthorityRecord(second, CA, false)));
    }

    /** The store here was lost: a new authority would not be trusted, and the nodes that the former one trusts run. */
    @Test
    void the_newest_key_is_used_again_for_a_cluster_that_is_created_elsewhere() {
        ClusterSpec both = Samples.spec("rides", 1, 1, 1, 1).with(TlsSpec.INTERNODE);
        assertThat(ClusterAuthorities.missing(
                        Scene.declared(both).peer(1, 1, 1, true, null).view(), Scene.RIDES))
                .containsExactly(new Command.MakeAuthority(FIRST, false));
        assertThat(ClusterAuthorities.missing(
                        Scene.declared(both).peer(1, 1, 0, false, null).view(), Scene.RIDES))
                .containsExactly(new Command.MakeAuthority(FIRST, true));
    }

    @Test
    void a_deleted_cluster_retires_it_and_its_namesake_gets_the_next_number() {
        AuthorityRecord authority = new AuthorityRecord(FIRST, CA, false);
        View deleted = with(Scene.declared(SPEC).deleting().view(), authority);
        assertThat(ClusterAuthorities.observed(deleted, Scene.RIDES))
                .containsExactly(new Change.Put(authority.retire()));
        View again = with(Scene.declared(SPEC).view(), authority.retire());
        assertThat(ClusterAuthorities.missing(again, Scene.RIDES))
                .containsExactly(new Command.MakeAuthority(AuthorityName.internode(Scene.RIDES, Samples.DC1, 2)));
        assertThat(ClusterAuthorities.own(again, Scene.RIDES)).isEmpty();
    }

    @Test
    void a_datacenter_that_has_left_retires_its_own_and_gets_the_next_number_when_it_is_added_again() {
        ClusterSpec both = Samples.spec("rides", 1, 1, 1, 1).with(TlsSpec.INTERNODE);
        ClusterSpec without = both.withDatacenters(both.datacenters().subList(1, 2));
        AuthorityRecord authority = new AuthorityRecord(FIRST, CA, false);
        assertThat(ClusterAuthorities.observed(
                        with(Scene.live(both).version(without).view(), authority), Scene.RIDES))
                .as("while a node is there, which the others must trust")
                .isEmpty();
        Scene left = Scene.declared(both).version(without).peer(1, 2, 2, true, null);
        assertThat(ClusterAuthorities.observed(with(left.view(), authority), Scene.RIDES))
                .containsExactly(new Change.Put(authority.retire()));
        View again = with(left.version(both).view(), authority.retire());
        assertThat(ClusterAuthorities.missing(again, Scene.RIDES))
                .containsExactly(
                        new Command.MakeAuthority(AuthorityName.internode(Scene.RIDES, Samples.DC1, 2), false));
    }

    @Test
    void a_cluster_with_tls_for_clients_has_another_authority_for_them() {
        AuthorityName clients = AuthorityName.clients(Scene.RIDES, Samples.DC1, 1);
        CertificatePem other = new CertificatePem("CA of clients");
        View view = Scene.declared(PLAIN.with(new TlsSpec(TlsMode.REQUIRED, ClientTlsMode.REQUIRED)))
                .view();
        assertThat(ClusterAuthorities.missing(view, Scene.RIDES))
                .containsExactly(new Command.MakeAuthority(FIRST), new Command.MakeAuthority(clients));
        View made = with(with(view, new AuthorityRecord(FIRST, CA, false)), new AuthorityRecord(clients, other, false));
        assertThat(ClusterAuthorities.missing(made, Scene.RIDES)).isEmpty();
        assertThat(ClusterAuthorities.trust(made, Scene.RIDES, AuthorityUse.INTERNODE))
                .containsExactly(CA);
        assertThat(ClusterAuthorities.trust(made, Scene.RIDES, AuthorityUse.CLIENTS))
                .containsExactly(other);
    }

    /** A server of an older version has the nodes there trust every authority in the list that it knows. */
    @Test
    void the_authority_for_clients_has_a_list_of_its_own_in_the_report() {
        AuthorityRecord internode = new AuthorityRecord(FIRST, CA, false);
        AuthorityRecord clients = new AuthorityRecord(AuthorityName.clients(Scene.RIDES, Samples.DC1, 1), CA, false);
        ClusterPart part = PeerReportBuilder.part(
                        with(with(Scene.declared(SPEC).view(), internode), clients), Scene.RIDES, null)
                .orElseThrow();
        assertThat(part.authorities()).containsExactly(internode);
        assertThat(part.clientAuthorities()).containsExactly(clients);
        ClusterPart ofOlder = DatacenterReportClusterPartBuilder.builder(part)
                .authorities(List.of(internode, clients))
                .clientAuthorities(List.of())
                .build();
        for (ClusterPart reported : List.of(part, ofOlder)) {
            assertThat(reported.authorities(AuthorityUse.INTERNODE)).containsExactly(internode);
            assertThat(reported.authorities(AuthorityUse.CLIENTS)).containsExactly(clients);
        }
    }
}
