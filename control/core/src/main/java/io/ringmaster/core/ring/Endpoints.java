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

/** Where nodes of this datacenter listen, as {@code address:storage_port}. */
public final class Endpoints {
    private Endpoints() {}

    /** Where the node listens as far as is known here: by the pool, else by the last sight of it in the ring. */
    public static Optional<String> of(View view, NodeRecord node) {
        return address(view, node.allocation())
                .map(address -> endpoint(address, node.allocation().ports().storage()))
                .or(() -> Optional.ofNullable(node.lastEndpoint()));
    }

    /** The endpoint for people; says so where none is known. */
    public static String text(View view, NodeRecord node) {
        return of(view, node).orElse("(no address yet)");
    }

    /** The IP address of an allocation, or of its machine where all nodes of a machine share one. */
    public static Optional<String> address(View view, Allocation allocation) {
        return Optional.ofNullable(view.allocations().get(allocation.id()))
                .map(AllocationState::address)
                .or(() -> Optional.ofNullable(view.machines().get(allocation.machine()))
                        .map(Machine::address));
    }

    /**
     * Where other nodes may look for the node. Before a node with a changing address has joined, nobody must: it may
     * start again elsewhere, while those that asked at its former address form a ring without it.
     */
    public static Optional<String> forOthers(View view, NodeRecord node) {
        return view.capabilities().fixedAddress() || node.joined() ? of(view, node) : Optional.empty();
    }

    /**
     * The endpoint at which the ring knows a dead node, which Cassandra's {@code replace_address} must name: what other
     * nodes see, else where the node was last seen.
     */
    public static Optional<String> inRing(View view, NodeRecord node) {
        return seen(view, node)
                .findFirst()
                .or(() -> Optional.ofNullable(node.lastEndpoint()))
                .or(() -> of(view, node));
    }

    /**
     * Why it cannot be said at which endpoint the ring knows a dead node: one that died soon after it had moved is in
     * gossip at its former endpoint, too.
     */
    public static Optional<String> whyUnsureInRing(View view, NodeRecord node) {
        List<String> seen = seen(view, node).toList();
        return seen.size() <= 1
                ? Optional.empty()
                : Optional.of("the ring knows " + node.id().shortName() + " at " + String.join(" and ", seen)
                        + ", until its former endpoint is forgotten");
    }

    /** The endpoints at which other nodes see it. */
    private static Stream<String> seen(View view, NodeRecord node) {
        RingMember member = RingMember.of(view, node);
        return view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .flatMap(n -> view.status(n.id()).map(NodeStatus::ring).stream())
                .flatMap(ring -> member.tracesIn(ring).stream())
                .filter(p -> !p.isGone())
                .map(PeerSeen::endpoint)
                .distinct();
    }

    /** {@code address:port}, with brackets around an IPv6 address. */
    public static String endpoint(String address, int port) {
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
    }
}
