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
import java.time.Instant;
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
        DoorFiles first = authorities.door(ALLOCATION);
        DoorFiles second = authorities.door(ALLOCATION);
        assertThat(first.servers()).isEqualTo(control.text());
        assertThat(first.identity()).doesNotContain(control.text());
        assertThat(second.identity()).isNotEqualTo(first.identity());
        assertThat(first.toString()).isEqualTo("door ***");
    }

    @Test
    void a_door_is_replaced_before_it_ends_and_at_once_if_it_is_of_no_use() {
        Authorities authorities = open();
        authorities.make(CONTROL);
        DoorFiles door = authorities.door(ALLOCATION);
        assertThat(open().renewal(ALLOCATION, door)).as("after a restart").isAfter(Instant.MIN);
        assertThat(authorities.renewal(new AllocationId("rides-dc1-2-a1"), door))
                .as("of another allocation")
                .isEqualTo(Instant.MIN);
        String other = authorities.make(AuthorityName.control(DC1, 2)).text();
        assertThat(authorities.renewal(ALLOCATION, new DoorFiles(door.identity(), other)))
                .as("of another authority")
                .isEqualTo(Instant.MIN);
        String half = door.identity().substring(door.identity().length() / 2);
        assertThat(authorities.renewal(ALLOCATION, new DoorFiles(half, door.servers())))
                .as("damaged")
                .isEqualTo(Instant.MIN);
    }
}
