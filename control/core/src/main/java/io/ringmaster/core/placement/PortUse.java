package io.ringmaster.core.placement;

import io.ringmaster.core.ring.Endpoints;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.record.NodeRecord;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The ports that are taken at the address of a machine. They count by address, because a machine may have been renamed.
 * Where each allocation has an address of its own, no port is taken.
 */
final class PortUse {
    private final Function<Allocation, Optional<String>> addresses;

    private PortUse(Function<Allocation, Optional<String>> addresses) {
        this.addresses = addresses;
    }

    /** By what the pool reports; for a machine that is gone, by where its nodes were last in the ring. */
    static PortUse of(View view) {
        Map<AllocationId, String> lastEndpoints = lastEndpoints(view);
        return new PortUse(a -> Endpoints.address(view, a).or(() -> Optional.ofNullable(lastEndpoints.get(a.id()))
                .map(endpoint -> endpoint.substring(0, endpoint.lastIndexOf(':')))));
    }

    private static Map<AllocationId, String> lastEndpoints(View view) {
        Map<AllocationId, String> last = new TreeMap<>();
        for (NodeRecord node : view.nodes().values()) {
            if (node.lastEndpoint() != null) {
                last.put(node.allocation().id(), node.lastEndpoint());
            }
            if (node.replaces() != null && !node.previousAllocations().isEmpty()) {
                last.put(node.previousAllocations().get(0).id(), node.replaces());
            }
        }
        return last;
    }

    /** By the machines alone. */
    static PortUse of(Collection<Machine> machines) {
        var byName = machines.stream()
                .filter(m -> m.address() != null)
                .collect(Collectors.toMap(Machine::name, Machine::address));
        return new PortUse(a -> Optional.ofNullable(byName.get(a.machine())));
    }

    /** The ports that these allocations take at the machine's address. */
    Set<Integer> at(Machine machine, Collection<Allocation> allocations) {
        return allocations.stream()
                .filter(a -> isAt(a, machine))
                .flatMap(a -> a.ports().all().stream())
                .collect(Collectors.toSet());
    }

    boolean isAt(Allocation allocation, Machine machine) {
        String shared = machine.address();
        return shared != null
                && addresses.apply(allocation).filter(shared::equals).isPresent();
    }
}
