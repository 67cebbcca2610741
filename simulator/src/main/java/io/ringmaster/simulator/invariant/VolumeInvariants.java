package io.ringmaster.simulator.invariant;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.world.SimNode;
import io.ringmaster.simulator.world.World;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What is left on the machines when users had volumes destroyed. Every machine is there. */
public final class VolumeInvariants {
    private final World world;

    public VolumeInvariants(World world) {
        this.world = world;
    }

    /** The first of these clusters that is declared anywhere. */
    public Optional<String> declared(List<ClusterName> clusters) {
        return clusters.stream()
                .filter(world.declarations()::isDeclared)
                .findFirst()
                .map(c -> c + " is not deleted");
    }

    /**
     * @param deleted clusters that were deleted with their data, and not declared again
     * @throws Violation if a volume of theirs is left on which a node had joined, whatever the records say
     */
    public void checkDeleted(Set<ClusterName> deleted) {
        for (DatacenterName datacenter : World.DATACENTERS) {
            volumes(datacenter)
                    .filter(n -> deleted.contains(n.cluster()) && n.joined())
                    .filter(world.declarations()::isOfExisting)
                    .findFirst()
                    .ifPresent(n -> {
                        throw new Violation(
                                "destroyed-with-cluster",
                                "volume " + n.name() + " is left of " + n.cluster()
                                        + ", which was deleted with its data");
                    });
        }
    }

    /** Any volume; the destruction of each was ordered, if it is listed anywhere. */
    public Optional<String> left() {
        return World.DATACENTERS.stream()
                .flatMap(this::volumes)
                .findFirst()
                .map(n -> "volume " + n.name() + " is left, and "
                        + (world.declarations().isDiscarded(n) ? "was discarded" : "is not listed"));
    }

    private Stream<SimNode> volumes(DatacenterName datacenter) {
        return world.nodes(datacenter).values().stream();
    }
}
