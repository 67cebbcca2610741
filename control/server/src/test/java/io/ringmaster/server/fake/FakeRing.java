package io.ringmaster.server.fake;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.node.RingView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The gossip of fake nodes: every running node is NORMAL and sees all other nodes of its cluster, in all datacenters. A
 * node that goes down remains a member.
 */
public final class FakeRing {
    private record Member(Allocation allocation, String address, NodeTarget target, boolean up) {}

    private final Map<NodeId, Member> members = new ConcurrentHashMap<>();
    private volatile Duration pace = Duration.ZERO;

    Duration pace() {
        return pace;
    }

    /** How long each mode of a start lasts. */
    void pace(Duration each) {
        pace = each;
    }

    void joins(Allocation allocation, String address, NodeTarget target) {
        members.put(allocation.node(), new Member(allocation, address, target, true));
    }

    void goesDown(NodeId node) {
        members.computeIfPresent(node, (id, m) -> new Member(m.allocation, m.address, m.target, false));
    }

    void leaves(NodeId node) {
        members.remove(node);
    }

    RingView seenBy(NodeId node) {
        Member member = members.get(node);
        boolean open = member != null && !member.target.firstCreation();
        return new RingView(
                "host-" + node,
                "5.0.9",
                "schema-1",
                4096,
                0.5,
                0,
                peersOf(node.cluster()),
                Map.of(),
                List.of(),
                open ? ClientAccess.OPEN : ClientAccess.AWAITS_CREATION,
                List.of(),
                List.of());
    }

    private List<RingView.PeerSeen> peersOf(ClusterName cluster) {
        return members.values().stream()
                .filter(m -> m.allocation.node().cluster().equals(cluster))
                .map(m -> new RingView.PeerSeen(
                        m.address + ":" + m.allocation.ports().storage(),
                        "host-" + m.allocation.node(),
                        m.allocation.node().datacenter().value(),
                        m.target.rack().value(),
                        "NORMAL",
                        m.up,
                        "schema-1"))
                .toList();
    }
}
