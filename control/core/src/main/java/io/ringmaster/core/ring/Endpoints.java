package io.ringmaster.core.ring;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView.PeerSeen;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The endpoints of this datacenter's nodes, as {@code address:storage_port}. */
public final class Endpoints {
    private Endpoints() {}

    /** The endpoint of a node: as the pool reports it, else as it was last seen in the ring. */
    public static Optional<String> of(View view, NodeRecord node) {
        return address(view, node.allocation())
                .map(address -> endpoint(address, node.allocation().ports().storage()))
                .or(() -> Optional.ofNullable(node.lastEndpoint()));
    }

    /** The IP address of an allocation, or of its machine where all nodes of a machine share one. */
    public static Optional<String> address(View view, Allocation allocation) {
        return Optional.ofNullable(view.allocations().get(allocation.id()))
                .map(AllocationState::address)
                .or(() -> Optional.ofNullable(view.machines().get(allocation.machine()))
                        .map(Machine::address));
    }

    /**
     * The endpoint at which other nodes may look for the node. It is empty before a node with a changing address has
     * joined: the node may start again elsewhere, while nodes that look at its former address form a ring without it.
     */
    public static Optional<String> forOthers(View view, NodeRecord node) {
        return view.capabilities().fixedAddress() || node.joined() ? of(view, node) : Optional.empty();
    }

    /**
     * The endpoint at which the ring knows a dead node, which Cassandra's {@code replace_address} must name: what other
     * nodes see, else where the node was last seen, unless another node is there by now.
     */
    public static Optional<String> inRing(View view, NodeRecord node) {
        RingMember member = RingMember.of(view, node);
        return traces(view, node, member).map(PeerSeen::endpoint).findFirst().or(() -> Optional.ofNullable(
                        node.lastEndpoint())
                .or(() -> of(view, node))
                .filter(endpoint ->
                        peers(view, node).noneMatch(p -> p.endpoint().equals(endpoint))));
    }

    /**
     * Why it cannot be said at which endpoint the ring knows a dead node. One that died soon after it had moved is in
     * gossip at its former endpoint, too, and one at whose former endpoint another node is may be in gossip nowhere.
     */
    public static Optional<String> whyUnsureInRing(View view, NodeRecord node) {
        List<String> seen = traces(view, node, RingMember.of(view, node))
                .map(PeerSeen::endpoint)
                .distinct()
                .toList();
        if (seen.size() > 1) {
            return Optional.of("the ring knows " + node.id().shortName() + " at " + String.join(" and ", seen)
                    + ", until its former endpoint is forgotten");
        }
        return !node.joined() || inRing(view, node).isPresent()
                ? Optional.empty()
                : Optional.of("no node knows at which endpoint " + node.id().shortName() + " was in the ring");
    }

    /** Where the ring knows the dead node that this one replaces, if it is dead and in one place. */
    public static Optional<String> ofReplaced(View view, NodeRecord replacement) {
        if (replacement.replacesHost() == null) {
            return Optional.empty();
        }
        List<PeerSeen> traces = RingMember.replacedBy(replacement).stream()
                .flatMap(dead -> traces(view, replacement, dead))
                .toList();
        boolean inOnePlace = traces.stream().map(PeerSeen::endpoint).distinct().count() == 1;
        return inOnePlace && traces.stream().noneMatch(PeerSeen::alive)
                ? Optional.of(traces.get(0).endpoint())
                : Optional.empty();
    }

    /** What other nodes know of a member that has not left. */
    private static Stream<PeerSeen> traces(View view, NodeRecord node, RingMember member) {
        return peers(view, node).filter(p -> member.is(p) && !p.isGone());
    }

    private static Stream<PeerSeen> peers(View view, NodeRecord node) {
        return view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(ring -> ring.peers().stream());
    }

    /** {@code address:port}, with brackets around an IPv6 address. */
    public static String endpoint(String address, int port) {
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
    }
}
