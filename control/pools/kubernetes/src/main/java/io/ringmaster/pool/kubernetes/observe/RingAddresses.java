package io.ringmaster.pool.kubernetes.observe;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.pool.kubernetes.objects.ClaimNotes;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/**
 * The addresses by which the nodes of a ring know each other: those at which they were ready last. Cassandra does not
 * start at the address of another node, and if two pods have swapped theirs, as after a boot of their machine, both
 * wait for each other forever. A pod that is ready has its address for itself, whatever was noted while no server ran.
 */
public final class RingAddresses {
    private RingAddresses() {}

    /**
     * The other node of the cluster by whose address the pod is to start; empty if there is none. One that is ready at
     * another address by now has left it, whatever its claim says.
     */
    public static Optional<AllocationId> owner(
            ClaimNotes notes,
            Pod pod,
            Collection<PersistentVolumeClaim> claims,
            Function<AllocationId, Optional<Pod>> pods) {
        String address = PodStates.address(pod);
        if (address == null || address.equals(notes.address()) || PodStates.isReady(pod)) {
            return Optional.empty();
        }
        return claims.stream()
                .flatMap(claim -> ClaimNotes.of(claim).stream())
                .filter(other -> address.equals(other.address()) && isOfRing(notes, other))
                .map(other -> other.allocation().id())
                .filter(other -> pods.apply(other)
                        .filter(p -> PodStates.isReady(p) && !address.equals(PodStates.address(p)))
                        .isEmpty())
                .findFirst();
    }

    private static boolean isOfRing(ClaimNotes notes, ClaimNotes other) {
        return !other.released()
                && !other.allocation().id().equals(notes.allocation().id())
                && other.allocation()
                        .node()
                        .cluster()
                        .equals(notes.allocation().node().cluster());
    }
}
