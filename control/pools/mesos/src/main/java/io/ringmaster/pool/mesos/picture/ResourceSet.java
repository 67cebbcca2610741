package io.ringmaster.pool.mesos.picture;

import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.AllocationId;
import io.ringmaster.model.spec.NodeResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Resources of one agent: all, or those of an offer. */
public record ResourceSet(List<MesosResource> all) {
    private static final Set<String> ROOM = Set.of(MesosResource.CPUS, MesosResource.MEMORY, MesosResource.PORTS);
    private static final double ROUNDING = 0.0005;

    public ResourceSet {
        all = List.copyOf(all);
    }

    private List<MesosResource> of(AllocationId id) {
        return all.stream()
                .filter(r -> r.label(Claim.ALLOCATION_LABEL).equals(Optional.of(id.value())))
                .toList();
    }

    /** The reserved CPU, memory and ports of an allocation. */
    public List<MesosResource> room(AllocationId id) {
        return of(id).stream().filter(r -> ROOM.contains(r.name())).toList();
    }

    public Optional<MesosResource> volume(AllocationId id) {
        return of(id).stream()
                .filter(r -> r.volume().filter(v -> Claim.isVolume(v, id)).isPresent())
                .findFirst();
    }

    /** All that is reserved for an allocation but its volume: its room, and disk on which no volume is. */
    public List<MesosResource> besidesVolume(AllocationId id) {
        return of(id).stream().filter(r -> r.volume().isEmpty()).toList();
    }

    /** What lacks for these resources and ports, for people; empty if all is there, in what is free or given back. */
    public List<String> lacks(Claim claim, List<MesosResource> givenBack, boolean disk) {
        NodeResources wanted = claim.allocation().resources();
        List<String> lacks = new ArrayList<>();
        lack(lacks, MesosResource.CPUS, ClaimResources.cpus(wanted), givenBack);
        lack(lacks, MesosResource.MEMORY, ClaimResources.mebibytes(wanted.memoryBytes()), givenBack);
        if (disk) {
            lack(lacks, MesosResource.DISK, ClaimResources.mebibytes(wanted.diskBytes()), givenBack);
        }
        List<PortRange> ports = usable(MesosResource.PORTS, givenBack).stream()
                .flatMap(r -> r.ranges().stream())
                .toList();
        claim.allocation().ports().all().stream()
                .filter(port -> ports.stream().noneMatch(range -> range.contains(port)))
                .findFirst()
                .ifPresent(port -> lacks.add("the port " + port));
        return lacks;
    }

    private void lack(List<String> lacks, String name, double wanted, List<MesosResource> givenBack) {
        double there = usable(name, givenBack).stream()
                .mapToDouble(MesosResource::amount)
                .sum();
        if (there + ROUNDING < wanted) {
            lacks.add(text(wanted) + " " + name + ", " + text(there) + " are free");
        }
    }

    private static String text(double amount) {
        return amount == Math.rint(amount) ? Long.toString((long) amount) : Double.toString(amount);
    }

    private List<MesosResource> usable(String name, List<MesosResource> givenBack) {
        List<MesosResource> usable = new ArrayList<>(givenBack);
        all.stream().filter(MesosResource::isPlain).forEach(usable::add);
        return usable.stream().filter(r -> r.name().equals(name)).toList();
    }
}
