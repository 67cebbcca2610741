package io.ringmaster.pool.local;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import java.util.Collection;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** Whether a machine can hold one more allocation. The pool's own check, in case two placements crossed. */
final class MachineCapacity {
    private MachineCapacity() {}

    /**
     * @param sharedPorts whether others may have the same ports
     * @param others the other allocations that are reserved on the machine
     * @param kept the released allocations on it, whose volumes still take disk space
     * @return the obstacle, or empty
     */
    static Optional<String> obstacle(
            Machine machine,
            boolean sharedPorts,
            Collection<Allocation> others,
            Collection<Allocation> kept,
            Allocation wanted) {
        for (int port : wanted.ports().all()) {
            if (machine.ports() != null && !machine.ports().contains(port)) {
                return Optional.of(machine.name() + " offers no port " + port);
            }
            Optional<Allocation> holder = others.stream()
                    .filter(o -> !sharedPorts && o.ports().all().contains(port))
                    .findFirst();
            if (holder.isPresent()) {
                return Optional.of("port " + port + " of " + machine.name() + " is taken by "
                        + holder.get().node());
            }
        }
        Stream<Allocation> onDisk = Stream.concat(others.stream(), kept.stream());
        return lacking("CPU (millis)", machine.cpuMillis(), others.stream(), wanted, a -> a.resources()
                        .cpuMillis())
                .or(() -> lacking("memory (bytes)", machine.memoryBytes(), others.stream(), wanted, a -> a.resources()
                        .memoryBytes()))
                .or(() -> lacking("disk (bytes)", machine.diskBytes(), onDisk, wanted, a -> a.resources()
                        .diskBytes()))
                .map(lack -> machine.name() + " has not enough " + lack);
    }

    private static Optional<String> lacking(
            String what, long has, Stream<Allocation> others, Allocation wanted, ToLongFunction<Allocation> part) {
        long free = has - others.mapToLong(part).sum();
        long needed = part.applyAsLong(wanted);
        return needed <= free ? Optional.empty() : Optional.of(what + ": " + needed + " wanted, " + free + " free");
    }
}
