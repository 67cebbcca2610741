package io.ringmaster.ports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.authority.PublicKeyPem;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What every {@link Authorities} does. */
public abstract class AuthoritiesContract {
    protected static final DatacenterName DC1 = new DatacenterName("dc1");
    protected static final ClusterName RIDES = new ClusterName("rides");
    protected static final AuthorityName CONTROL = AuthorityName.control(DC1, 1);
    protected static final AuthorityName INTERNODE = AuthorityName.internode(RIDES, DC1, 1);
    protected static final AllocationId ALLOCATION = new AllocationId("rides-dc1-1-a1");

    /** The authorities of dc1, as a server opens them; a second call is a restart, with the same keys. */
    protected abstract Authorities open();

    /** A public key of a process. */
    protected abstract PublicKeyPem publicKey();

    @Test
    void an_authority_is_made_once_and_survives_a_restart() {
        CertificatePem made = open().make(CONTROL);
        Authorities restarted = open();
        assertThat(restarted.make(CONTROL)).isEqualTo(made);
        assertThat(restarted.make(CONTROL)).isEqualTo(made);
    }

    @Test
    void servers_that_make_an_authority_at_once_agree_on_one() {
        Set<CertificatePem> made = ConcurrentHashMap.newKeySet();
        IntStream.range(0, 8).parallel().forEach(i -> made.add(open().make(CONTROL)));
        assertThat(made).hasSize(1);
    }

    @Test
    void authorities_of_other_uses_clusters_datacenters_and_generations_are_others() {
        Authorities authorities = open();
        var made = new HashSet<CertificatePem>();
        var names = List.of(
                CONTROL,
                AuthorityName.control(DC1, 2),
                AuthorityName.control(new DatacenterName("dc2"), 1),
                INTERNODE,
                AuthorityName.internode(new ClusterName("trips"), DC1, 1),
                AuthorityName.clients(RIDES, DC1, 1));
        names.forEach(name -> made.add(authorities.make(name)));
        assertThat(made).hasSameSizeAs(names);
    }

    @Test
    void a_certificate_is_issued_for_a_key_also_after_a_restart() {
        open().make(INTERNODE);
        PublicKeyPem key = publicKey();
        LeafProfile profile = LeafProfile.internode(INTERNODE, List.of("10.0.0.1"));
        List<CertificatePem> chain = open().issue(profile, key);
        assertThat(chain).isNotEmpty().doesNotContain(open().make(INTERNODE));
    }

    @Test
    void an_authority_that_was_not_made_issues_nothing_and_is_named() {
        LeafProfile profile = LeafProfile.internode(INTERNODE, List.of("10.0.0.1"));
        PublicKeyPem key = publicKey();
        Authorities authorities = open();
        assertThatThrownBy(() -> authorities.issue(profile, key))
                .isInstanceOf(UnusableAuthorityException.class)
                .hasMessageContaining("internode rides dc1 1");
        assertThatThrownBy(() -> authorities.door(ALLOCATION))
                .isInstanceOf(UnusableAuthorityException.class)
                .hasMessageContaining("control dc1 1");
    }

    @Test
    void each_door_has_a_key_of_its_own_and_trusts_the_servers() {
        Authorities authorities = open();
        CertificatePem control = authorities.make(CONTROL);
        DoorCredentials first = authorities.door(ALLOCATION);
        DoorCredentials second = authorities.door(ALLOCATION);
        assertThat(first.trust()).containsExactly(control);
        assertThat(first.chain()).isNotEmpty().doesNotContain(control);
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(second.chain()).isNotEqualTo(first.chain());
        assertThat(first.toString())
                .contains("key=***")
                .doesNotContain(first.key().text());
    }
}
