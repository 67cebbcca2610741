package io.ringmaster.core.identity;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.authority.AuthorityName;
import io.ringmaster.model.authority.AuthorityUse;
import io.ringmaster.model.authority.CertificatePem;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.AuthorityRecord;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.DatacenterReport.ClusterPart;
import io.ringmaster.model.record.DatacenterReport.NodePart;
import io.ringmaster.model.spec.ClusterSpec;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The authorities by which the nodes of a cluster are trusted, by each other and by CQL clients: of each use one in
 * each datacenter. Certificates travel between the datacenters with their reports, and each node and client trusts
 * those of all datacenters.
 */
public final class ClusterAuthorities {
    private ClusterAuthorities() {}

    /** The commands that make this datacenter's authorities that the cluster needs and that are not stored. */
    public static List<Command> missing(View view, ClusterName cluster) {
        boolean isNew = view.peers().keySet().stream()
                .noneMatch(peer ->
                        part(view, peer, cluster).filter(ClusterPart::created).isPresent());
        return wanted(view, cluster)
                .<Command>map(name -> new Command.MakeAuthority(name, isNew))
                .toList();
    }

    /**
     * Stores the authorities that were made. Retires those of a deleted cluster, and those of a datacenter that has
     * left it: no node there needs them any more, and a node of before must stay outside if the datacenter is added
     * again.
     */
    public static List<Change> observed(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record != null && ((record.deleting() && !view.exists(cluster)) || hasLeft(view, cluster))) {
            return own(view, cluster).stream()
                    .<Change>map(authority -> new Change.Put(authority.retire()))
                    .toList();
        }
        return wanted(view, cluster)
                .flatMap(name -> made(view, name).stream())
                .<Change>map(Change.Put::new)
                .toList();
    }

    private static boolean hasLeft(View view, ClusterName cluster) {
        return view.nodesOf(cluster).isEmpty()
                && view.targetSpec(cluster)
                        .filter(s -> s.spec().datacenter(view.datacenter()).isEmpty())
                        .isPresent();
    }

    /** Its number is higher than the wanted one if the server has files of a cluster that the store does not know. */
    private static Optional<AuthorityRecord> made(View view, AuthorityName wanted) {
        return view.authoritiesMade().entrySet().stream()
                .filter(made -> made.getKey().isFrom(wanted))
                .min(Comparator.comparingInt(made -> made.getKey().number()))
                .map(made -> new AuthorityRecord(made.getKey(), made.getValue(), false));
    }

    private static Stream<AuthorityName> wanted(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.deleting()) {
            return Stream.empty();
        }
        return view.targetSpec(cluster).stream()
                .filter(s -> s.spec().datacenter(view.datacenter()).isPresent())
                .flatMap(s -> uses(s.spec()).stream())
                .filter(use -> own(view, cluster, use).isEmpty())
                .map(use -> new AuthorityName(use, cluster, view.datacenter(), last(view, cluster, use) + 1));
    }

    /** The uses of authorities that a cluster with this spec needs. */
    public static Set<AuthorityUse> uses(ClusterSpec spec) {
        Set<AuthorityUse> uses = EnumSet.noneOf(AuthorityUse.class);
        if (spec.requiresInternodeTls()) {
            uses.add(AuthorityUse.INTERNODE);
        }
        if (spec.encryptsCql()) {
            uses.add(AuthorityUse.CLIENTS);
        }
        return uses;
    }

    private static int last(View view, ClusterName cluster, AuthorityUse use) {
        return ofCluster(view, cluster)
                .filter(a -> a.name().use() == use)
                .mapToInt(a -> a.name().number())
                .max()
                .orElse(0);
    }

    private static Stream<AuthorityRecord> ofCluster(View view, ClusterName cluster) {
        return view.authorities().values().stream()
                .filter(a -> cluster.equals(a.name().cluster()));
    }

    /** The authorities that sign for the nodes here; none before they are made. */
    public static List<AuthorityRecord> own(View view, ClusterName cluster) {
        return ofCluster(view, cluster).filter(a -> !a.retired()).toList();
    }

    /** The authority that signs for the nodes here; empty before it is made. */
    public static Optional<AuthorityRecord> own(View view, ClusterName cluster, AuthorityUse use) {
        return own(view, cluster).stream().filter(a -> a.name().use() == use).findFirst();
    }

    /** The certificates of all authorities of the cluster that are known here, also of silent datacenters. */
    public static List<CertificatePem> trust(View view, ClusterName cluster, AuthorityUse use) {
        Stream<AuthorityRecord> others = view.peers().keySet().stream()
                .flatMap(peer -> part(view, peer, cluster).stream())
                .flatMap(part -> part.authorities(use));
        return Stream.concat(own(view, cluster, use).stream(), others)
                .map(AuthorityRecord::certificate)
                .distinct()
                .toList();
    }

    /**
     * The other datacenters of the spec whose authority for this use is not known here. One that is new to a created
     * cluster is left out while no node here sees a node of it: none starts before the nodes here accept it.
     */
    public static List<DatacenterName> unknown(View view, ClusterName cluster, AuthorityUse use) {
        return unreported(view, cluster, use).stream()
                .filter(d -> mayHaveNodes(view, cluster, d))
                .toList();
    }

    private static List<DatacenterName> unreported(View view, ClusterName cluster, AuthorityUse use) {
        return view.targetSpec(cluster).stream()
                .flatMap(s -> s.spec().datacenterNames().stream()
                        .filter(d -> !d.equals(view.datacenter()))
                        .filter(d -> part(view, d, cluster)
                                .filter(p -> p.authorities(use).findAny().isPresent())
                                .isEmpty()))
                .toList();
    }

    private static boolean mayHaveNodes(View view, ClusterName cluster, DatacenterName datacenter) {
        List<RingView> seen = view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .flatMap(s -> Stream.ofNullable(s.ring()))
                .toList();
        return !Seeds.created(view, cluster)
                || seen.isEmpty()
                || seen.stream().flatMap(r -> r.members().stream()).anyMatch(m -> m.datacenter()
                        .equals(datacenter.value()));
    }

    /** The other datacenters with members of the ring, also those that the spec no longer names. */
    public static List<DatacenterName> members(View view, ClusterName cluster) {
        return view.peers().keySet().stream()
                .filter(d -> part(view, d, cluster)
                        .filter(p -> p.nodes().stream().anyMatch(NodePart::joined))
                        .isPresent())
                .toList();
    }

    /** Whether a datacenter reports every authority that the cluster needs there. */
    public static boolean hasAll(ClusterSpec spec, ClusterPart part) {
        return uses(spec).stream()
                .allMatch(use -> part.authorities(use).findAny().isPresent());
    }

    /** A namesake is another cluster, whose nodes must stay outside. */
    private static Optional<ClusterPart> part(View view, DatacenterName peer, ClusterName cluster) {
        return view.lastPart(peer, cluster).filter(p -> !p.deleting() && Seeds.isSame(view, p));
    }
}
