package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import java.util.ArrayList;
import java.util.List;

/** Ring members whose volume is lost or released. They stay members until they are replaced or removed from the ring. */
public final class RemovedNodes {
    private final List<SimNode> members = new ArrayList<>();
    private final List<SimNode> removed = new ArrayList<>();

    /** Ignores a node that owns no ranges. */
    void add(SimNode node) {
        if (node.isMember() && !node.isReleased() && !members.contains(node)) {
            members.add(node);
        }
    }

    /** The member leaves the ring. Gossip keeps its state LEFT for days. */
    void removeFromRing(SimNode node) {
        node.markLeft();
        members.remove(node);
        removed.add(node);
    }

    /** Nodes that were removed from the ring of the cluster. */
    List<SimNode> removedFrom(ClusterName cluster) {
        return removed.stream().filter(n -> n.cluster().equals(cluster)).toList();
    }

    /** Dead members of the ring of the cluster. */
    public List<SimNode> deadMembers(ClusterName cluster) {
        return members.stream().filter(n -> n.cluster().equals(cluster)).toList();
    }

    /** Another allocation serves as this node from now on. */
    void replaced(NodeId node) {
        members.removeIf(n -> n.id().equals(node));
        removed.removeIf(n -> n.id().equals(node));
    }

    /** A new cluster takes the name of a deleted one. */
    void forget(ClusterName cluster) {
        members.removeIf(n -> n.cluster().equals(cluster));
        removed.removeIf(n -> n.cluster().equals(cluster));
    }
}
