package io.ringmaster.simulator;

import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import java.util.ArrayList;
import java.util.List;

/** Members of rings whose volumes are gone or given back: the others count on them until somebody takes their place. */
final class RemovedNodes {
    private final List<SimNode> members = new ArrayList<>();
    private final List<SimNode> gone = new ArrayList<>();

    /** Does nothing for one that owns no ranges. */
    void add(SimNode node) {
        if (node.isMember() && node.claim != AllocationState.Status.RELEASED && !members.contains(node)) {
            members.add(node);
        }
    }

    /** Gossip tells of it for days that it is gone. */
    void takenOut(SimNode node) {
        node.left = true;
        members.remove(node);
        gone.add(node);
    }

    /** Those that were taken out of the cluster. */
    List<SimNode> goneFrom(ClusterName cluster) {
        return gone.stream()
                .filter(n -> n.allocation.node().cluster().equals(cluster))
                .toList();
    }

    List<SimNode> of(ClusterName cluster) {
        return members.stream()
                .filter(n -> n.allocation.node().cluster().equals(cluster))
                .toList();
    }

    /** Somebody took its place. */
    void replaced(NodeId node) {
        members.removeIf(n -> n.allocation.node().equals(node));
        gone.removeIf(n -> n.allocation.node().equals(node));
    }

    /** Another cluster begins under the name. */
    void forget(ClusterName cluster) {
        members.removeIf(n -> n.allocation.node().cluster().equals(cluster));
        gone.removeIf(n -> n.allocation.node().cluster().equals(cluster));
    }
}
