package io.ringmaster.core.placement;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.fleet.PortRange;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodePorts;
import io.ringmaster.model.spec.NodeResources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One machine and the allocations on it; placement adds to it while it decides. */
final class Occupancy {
    /** Cassandra's default ports first, so that a lone node has the ports that people expect. */
    private static final NodePorts PREFERRED = new NodePorts(7000, 7001, 9042, 9500);

    /** The ports of a machine that limits none: those that need no privilege. */
    private static final PortRange ANY = new PortRange(1024, 65_535);

    final Machine machine;
    private final List<Allocation> allocations = new ArrayList<>();
    private final Set<Integer> usedPorts = new HashSet<>();
    private long freeCpuMillis;
    private long freeMemoryBytes;
    private long freeDiskBytes;
    private final long keptDiskBytes;
    /** The last result; recomputed after an allocation took ports. */
    private Optional<NodePorts> freePorts = Optional.empty();

    private boolean portsChanged = true;

    /**
     * @param here the allocations on the machine
     * @param kept the released allocations on it, whose volumes take disk space and nothing else
     * @param usedPorts the ports that are taken at its address
     */
    Occupancy(Machine machine, Collection<Allocation> here, Collection<Allocation> kept, Set<Integer> usedPorts) {
        this.machine = machine;
        freeCpuMillis = machine.cpuMillis();
        freeMemoryBytes = machine.memoryBytes();
        keptDiskBytes = kept.stream().mapToLong(a -> a.resources().diskBytes()).sum();
        freeDiskBytes = machine.diskBytes() - keptDiskBytes;
        here.forEach(this::occupy);
        this.usedPorts.addAll(usedPorts);
    }

    /** @param on the machine of the allocation, which may share its address with this one */
    void add(Allocation allocation, Machine on) {
        if (on.name().equals(machine.name())) {
            occupy(allocation);
        }
        if (on.address() != null && on.address().equals(machine.address())) {
            usedPorts.addAll(allocation.ports().all());
            portsChanged = true;
        }
    }

    private void occupy(Allocation allocation) {
        allocations.add(allocation);
        freeCpuMillis -= allocation.resources().cpuMillis();
        freeMemoryBytes -= allocation.resources().memoryBytes();
        freeDiskBytes -= allocation.resources().diskBytes();
    }

    int allocations() {
        return allocations.size();
    }

    int nodesOf(ClusterName cluster) {
        return (int) allocations.stream()
                .filter(a -> a.node().cluster().equals(cluster))
                .count();
    }

    long freeCpuMillis() {
        return freeCpuMillis;
    }

    long freeMemoryBytes() {
        return freeMemoryBytes;
    }

    long freeDiskBytes() {
        return freeDiskBytes;
    }

    long keptDiskBytes() {
        return keptDiskBytes;
    }

    /**
     * How well a node fits, from -1 to 1, higher is better: the mean share of CPU, memory and disk in use with the
     * node, minus the difference between the largest and the smallest of the three. The mean packs machines full; the
     * difference puts a node that needs CPU beside one that needs disk.
     */
    double fit(NodeResources needs) {
        double cpu = used(machine.cpuMillis(), freeCpuMillis() - needs.cpuMillis());
        double memory = used(machine.memoryBytes(), freeMemoryBytes() - needs.memoryBytes());
        double disk = used(machine.diskBytes(), freeDiskBytes() - needs.diskBytes());
        double mean = (cpu + memory + disk) / 3;
        double spread = Math.max(cpu, Math.max(memory, disk)) - Math.min(cpu, Math.min(memory, disk));
        return mean - spread;
    }

    /**
     * Free ports for one more node: the preferred ones or the next free ones after them, wrapping around in the
     * machine's range.
     */
    Optional<NodePorts> freePorts() {
        if (portsChanged) {
            freePorts = findPorts();
            portsChanged = false;
        }
        return freePorts;
    }

    PortRange range() {
        return machine.ports() == null ? ANY : machine.ports();
    }

    private Optional<NodePorts> findPorts() {
        List<Integer> chosen = new ArrayList<>();
        for (int preferred : PREFERRED.all()) {
            Optional<Integer> port = nextFree(preferred, chosen);
            if (port.isEmpty()) {
                return Optional.empty();
            }
            chosen.add(port.get());
        }
        return Optional.of(new NodePorts(chosen.get(0), chosen.get(1), chosen.get(2), chosen.get(3)));
    }

    /** Free ports with exactly this storage port. */
    Optional<NodePorts> freePorts(int storage) {
        return freePorts()
                .filter(p -> range().contains(storage) && areFree(List.of(storage)))
                .filter(p -> p.storage() == storage || !p.all().contains(storage))
                .map(p -> new NodePorts(storage, p.sslStorage(), p.nativeTransport(), p.executor()));
    }

    boolean areFree(Collection<Integer> ports) {
        return ports.stream().noneMatch(usedPorts::contains);
    }

    private Optional<Integer> nextFree(int preferred, Collection<Integer> alsoTaken) {
        PortRange range = range();
        int start = range.contains(preferred) ? preferred : range.first();
        int size = range.last() - range.first() + 1;
        for (int i = 0; i < size; i++) {
            int port = range.first() + (start - range.first() + i) % size;
            boolean reserved = port != preferred && PREFERRED.all().contains(port);
            if (!reserved && !usedPorts.contains(port) && !alsoTaken.contains(port)) {
                return Optional.of(port);
            }
        }
        return Optional.empty();
    }

    private static double used(long total, long free) {
        return total == 0 ? 1 : (double) (total - free) / total;
    }
}
