package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
     * The scope of these keyspaces as a node here reports them; all datacenters if one of them is not known.
     *
     * @param names empty for all keyspaces of users
     */
    public static RepairScope of(View view, ClusterName cluster, List<String> names) {
        Optional<List<RingView.KeyspaceSeen>> seen = view.nodesOf(cluster).stream()
                .flatMap(n -> view
                        .status(n.id())
                        .filter(s -> s.mode() == OperatingMode.NORMAL)
                        .map(NodeStatus::ring)
                        .stream())
                .map(RingView::keyspaces)
                .findFirst();
        List<RingView.KeyspaceSeen> chosen = seen.orElse(List.of()).stream()
                .filter(k -> names.isEmpty() || names.contains(k.name()))
                .toList();
        if (chosen.isEmpty() || chosen.size() < names.size()) {
            return ALL;
        }
        Set<String> datacenters = new TreeSet<>();
        chosen.forEach(k -> k.replicas().forEach((datacenter, count) -> {
            if (count > 0) {
                datacenters.add(datacenter);
            }
        }));
        return datacenters.isEmpty() || datacenters.contains(NO_DATACENTER)
                ? ALL : new RepairScope(Optional.of(datacenters));
    }

    public boolean has(DatacenterName datacenter) {
        return has(datacenter.value());
    }

    boolean has(String datacenter) {
        return datacenters.isEmpty() || datacenters.get().contains(datacenter);
    }
}
