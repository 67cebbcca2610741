package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The datacenters with replicas of what a repair repairs: only their nodes must be up.
 *
 * @param datacenters empty for all of the cluster
 */
public record RepairScope(Optional<Set<String>> datacenters) {
    /** A repair for safety, of ranges that moved or of a node that was away, needs every replica. */
    public static final RepairScope ALL = new RepairScope(Optional.empty());

    private static final String NO_DATACENTER = "*";

    public static RepairScope only(DatacenterName datacenter) {
        return new RepairScope(Optional.of(Set.of(datacenter.value())));
    }

    /**
     * The scope of these keyspaces as all NORMAL nodes here together report them: after a change of replication some
     * know less than others. It is all datacenters if one of the keyspaces is not known.
     *
     * @param names empty for all keyspaces of users
     */
    public static RepairScope of(View view, ClusterName cluster, List<String> names) {
        List<RingView.KeyspaceSeen> chosen = normal(view, cluster)
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(ring -> ring.keyspaces().stream())
                .filter(k -> names.isEmpty() || names.contains(k.name()))
                .toList();
        Set<String> known = chosen.stream().map(RingView.KeyspaceSeen::name).collect(Collectors.toSet());
        if (known.isEmpty() || !known.containsAll(names)) {
            return ALL;
        }
        Set<String> datacenters = new TreeSet<>();
        chosen.forEach(k -> k.replicas().forEach((datacenter, count) -> {
            if (count > 0) {
                datacenters.add(datacenter);
            }
        }));
        return datacenters.isEmpty() || datacenters.contains(NO_DATACENTER)
                ? ALL
                : new RepairScope(Optional.of(datacenters));
    }

    private static Stream<NodeRecord> normal(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream().filter(n -> view.status(n.id())
                .filter(s -> s.mode() == OperatingMode.NORMAL)
                .isPresent());
    }

    /**
     * Why it is not sure yet that a datacenter has no replicas of it: a node may not know the newest replication. Nodes
     * that are not NORMAL are not asked, so that a dead one is not waited for.
     */
    public static Optional<String> unsure(View view, ClusterName cluster) {
        return AvailabilityCheck.schemas(view, normal(view, cluster).toList());
    }

    public boolean has(DatacenterName datacenter) {
        return has(datacenter.value());
    }

    boolean has(String datacenter) {
        return datacenters.isEmpty() || datacenters.get().contains(datacenter);
    }
}
