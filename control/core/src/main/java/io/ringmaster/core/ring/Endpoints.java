package io.ringmaster.core.ring;

import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/** The endpoints of this datacenter's nodes, as {@code address:storage_port}. */
public final class Endpoints {
    private Endpoints() {}

    /** The endpoint of a node: as the pool reports it, else as it was last seen in the ring. */
    public static Optional<String> of(View view, NodeRecord node) {
        return address(view, node.allocation())
                .map(address -> endpoint(address, node.allocation().ports().storage()))
                .or(() -> Optional.ofNullable(node.lastEndpoint()));
    }

    /** The endpoint for people, or a remark that none is known. */
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
     * The endpoint at which other nodes may look for the node. It is empty before a node with a changing address has
     * joined: the node may start again elsewhere, while nodes that look at its former address form a ring without it.
     */
    public static Optional<String> forOthers(View view, NodeRecord node) {
        return view.capabilities().fixedAddress() || node.joined() ? of(view, node) : Optional.empty();
    }

    /**
     * The endpoint at which the ring knows a dead node, which Cassandra's {@code replace_address} must name: what other
     * nodes see, else where the node was last seen.
     */
    public static Optional<String> inRing(View view, NodeRecord node) {
        return view.nodesOf(node.id().cluster()).stream()
                .filter(n -> !n.id().equals(node.id()))
                .flatMap(n -> view.status(n.id()).map(s -> s.ring()).stream())
                .flatMap(ring -> RingMember.of(view, node).in(ring).stream())
                .map(p -> p.endpoint())
                .findFirst()
                .or(() -> Optional.ofNullable(node.lastEndpoint()))
                .or(() -> of(view, node));
    }

    /** {@code address:port}, with brackets around an IPv6 address. */
    public static String endpoint(String address, int port) {
        return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
    }
}
