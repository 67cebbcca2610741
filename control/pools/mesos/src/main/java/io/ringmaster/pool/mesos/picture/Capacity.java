package io.ringmaster.pool.mesos.picture;

import io.ringmaster.model.fleet.PortRange;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the pool can have of an agent: what is free for everybody or claimed by an allocation, less what other roles use
 * of the former. What an operator has reserved for a role, also for ours, cannot be claimed.
 *
 * @param ours plain resources, and claimed ones
 * @param others plain resources that other roles use now
 */
record Capacity(List<MesosResource> ours, List<MesosResource> others) {
    static Capacity of(List<MesosResource> total, List<MesosResource> allocated, String role) {
        return new Capacity(
                total.stream().filter(r -> r.isPlain() || isClaimed(r, role)).toList(),
                allocated.stream()
                        .filter(r -> r.isPlain() && !r.allocatedTo().equals(Optional.of(role)))
                        .toList());
    }

    private static boolean isClaimed(MesosResource resource, String role) {
        return resource.reservedFor().equals(Optional.of(role))
                && resource.label(Claim.ALLOCATION_LABEL).isPresent();
    }

    double amount(String name) {
        return Math.max(0, sum(ours, name) - sum(others, name));
    }

    private static double sum(List<MesosResource> resources, String name) {
        return resources.stream()
                .filter(r -> r.name().equals(name))
                .mapToDouble(MesosResource::amount)
                .sum();
    }

    /** The longest range, joined over what is claimed and what is free; null if there is none. */
    @Nullable
    PortRange ports() {
        BitSet ports = ports(ours);
        ports.andNot(ports(others));
        PortRange longest = null;
        for (int first = ports.nextSetBit(0); first >= 0; ) {
            int end = ports.nextClearBit(first);
            if (longest == null || end - first > longest.last() + 1 - longest.first()) {
                longest = new PortRange(first, end - 1);
            }
            first = ports.nextSetBit(end);
        }
        return longest;
    }

    private static BitSet ports(List<MesosResource> resources) {
        BitSet ports = new BitSet();
        resources.stream()
                .filter(r -> r.name().equals(MesosResource.PORTS))
                .flatMap(r -> r.ranges().stream())
                .forEach(range -> ports.set(range.first(), range.last() + 1));
        return ports;
    }
}
