package io.ringmaster.core.identity;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The authorities by which the nodes of a cluster trust each other: one in each datacenter. Certificates travel between
 * the datacenters with their reports, and each node trusts all of them.
 */
public final class ClusterAuthorities {
    private ClusterAuthorities() {}

    /** The command that makes this datacenter's authority, while the cluster needs one and none is stored. */
    public static Optional<Command> missing(View view, ClusterName cluster) {
        return wanted(view, cluster).<Command>map(Command.MakeAuthority::new);
    }

    /** Stores the authority that was made, and retires the authority of a deleted cluster. */
    public static List<Change> observed(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record != null && record.deleting() && !view.exists(cluster)) {
            return own(view, cluster).<Change>map(authority -> new Change.Put(authority.retire())).stream()
                    .toList();
        }
        return wanted(view, cluster)
                .flatMap(name -> Optional.ofNullable(view.authoritiesMade().get(name))
                        .<Change>map(made -> new Change.Put(new AuthorityRecord(name, made, false))))
                .stream()
                .toList();
    }

    private static Optional<AuthorityName> wanted(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        boolean needs = record != null
                && !record.deleting()
                && view.targetSpec(cluster)
                        .filter(s -> s.spec().requiresInternodeTls())
                        .filter(s -> s.spec().datacenter(view.datacenter()).isPresent())
                        .isPresent();
        if (!needs || own(view, cluster).isPresent()) {
            return Optional.empty();
        }
        int last =
                ofCluster(view, cluster).mapToInt(a -> a.name().number()).max().orElse(0);
        return Optional.of(AuthorityName.internode(cluster, view.datacenter(), last + 1));
    }

    private static Stream<AuthorityRecord> ofCluster(View view, ClusterName cluster) {
        return view.authorities().values().stream()
                .filter(a -> a.name().use() == AuthorityUse.INTERNODE
                        && cluster.equals(a.name().cluster()));
    }

    /** The authority that signs for the nodes here; empty before it is made. */
    public static Optional<AuthorityRecord> own(View view, ClusterName cluster) {
        return ofCluster(view, cluster).filter(a -> !a.retired()).findFirst();
    }

    /** The certificates of all authorities of the cluster that are known here, also of silent datacenters. */
    static List<CertificatePem> trust(View view, ClusterName cluster) {
        Stream<AuthorityRecord> others = view.peers().keySet().stream()
                .flatMap(peer -> part(view, peer, cluster).stream())
                .flatMap(part -> part.authorities().stream());
        return Stream.concat(own(view, cluster).stream(), others)
                .map(AuthorityRecord::certificate)
                .distinct()
                .toList();
    }

    /** The other datacenters of the spec whose authority is not known here. */
    static List<DatacenterName> unknown(View view, ClusterName cluster) {
        return view.targetSpec(cluster).stream()
                .flatMap(s -> s.spec().datacenterNames().stream())
                .filter(d -> !d.equals(view.datacenter()))
                .filter(d -> part(view, d, cluster)
                        .filter(p -> !p.authorities().isEmpty())
                        .isEmpty())
                .toList();
    }

    /** A namesake is another cluster, whose nodes must stay outside. */
    private static Optional<ClusterPart> part(View view, DatacenterName peer, ClusterName cluster) {
        return view.lastPart(peer, cluster).filter(p -> !p.deleting() && Seeds.isSame(view, p));
    }
}
