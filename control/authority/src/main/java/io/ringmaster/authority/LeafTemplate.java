package io.ringmaster.authority;

import io.ringmaster.identity.SpiffeName;
import io.ringmaster.identity.SubjectNames;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.LeafKind;
import io.ringmaster.model.authority.LeafProfile;
import io.ringmaster.model.name.ClusterName;
import java.util.Objects;
import java.util.Optional;

/**
 * What is written into a certificate. This is the table of certificates:
 *
 * <table>
 * <caption>Names and uses by kind</caption>
 * <tr><th>kind</th><th>URI</th><th>addresses and hosts</th><th>uses</th></tr>
 * <tr><td>server</td><td>{@code server/dc1}</td><td>all of the profile</td><td>server, client</td></tr>
 * <tr><td>door</td><td>{@code executor/dc1/<allocation>}</td><td>none</td><td>server, client</td></tr>
 * <tr><td>internode</td><td>{@code cluster/rides}</td><td>of the launch</td><td>server, client</td></tr>
 * <tr><td>CQL</td><td>none</td><td>of the launch</td><td>server</td></tr>
 * </table>
 *
 * @param commonName for people; nothing decides by it
 * @param client whether it also proves who opens a connection
 */
record LeafTemplate(String commonName, SubjectNames names, boolean client) {
    /** Cassandra accepts exactly one URI in a node's certificate. */
    static LeafTemplate of(LeafProfile profile) {
        AuthorityName authority = profile.authority();
        String datacenter = authority.datacenter().value();
        Optional<SpiffeName> spiffe =
                switch (profile.kind()) {
                    case SERVER -> Optional.of(SpiffeName.server(datacenter));
                    case DOOR -> Optional.of(SpiffeName.executor(datacenter, allocation(profile)));
                    case INTERNODE -> Optional.of(SpiffeName.cluster(cluster(authority)));
                    case CQL -> Optional.empty();
                };
        String commonName =
                switch (profile.kind()) {
                    case SERVER -> "server " + datacenter;
                    case DOOR -> "executor " + allocation(profile);
                    case INTERNODE, CQL -> "node " + cluster(authority) + " " + datacenter;
                };
        return new LeafTemplate(commonName, SubjectNames.of(spiffe, profile.hosts()), profile.kind() != LeafKind.CQL);
    }

    private static String cluster(AuthorityName authority) {
        ClusterName cluster = authority.cluster();
        return Objects.requireNonNull(cluster, "authorities of nodes have a cluster")
                .value();
    }

    private static String allocation(LeafProfile profile) {
        return Objects.requireNonNull(profile.allocation(), "doors have an allocation")
                .value();
    }
}
