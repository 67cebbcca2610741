package io.ringmaster.pool.local;

import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
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
    static Optional<Problem> obstacle(
            Machine machine,
            boolean sharedPorts,
            Collection<Allocation> others,
            Collection<Allocation> kept,
            Allocation wanted) {
        for (int port : wanted.ports().all()) {
            if (machine.ports() != null && !machine.ports().contains(port)) {
                return Optional.of(Problem.of(
                        ErrorCode.POOL_UNAVAILABLE,
                        machine.name() + " offers no port " + port,
                        "include it in the ports of " + machine.name() + " in pool.local.machines, then restart the"
                                + " server"));
            }
            Optional<Allocation> holder = others.stream()
                    .filter(o -> !sharedPorts && o.ports().all().contains(port))
                    .findFirst();
            if (holder.isPresent()) {
                return Optional.of(Problem.of(
                        ErrorCode.POOL_UNAVAILABLE,
                        "port " + port + " of " + machine.name() + " is taken by "
                                + holder.get().node(),
                        whatItHolds(machine).suffix("; move or delete one of the two nodes")));
            }
        }
        Stream<Allocation> onDisk = Stream.concat(others.stream(), kept.stream());
        return lacking(machine, "cpus", "CPU (millis)", machine.cpuMillis(), others.stream(), wanted, a -> a.resources()
                        .cpuMillis())
                .or(() -> lacking(
                        machine,
                        "memory",
                        "memory (bytes)",
                        machine.memoryBytes(),
                        others.stream(),
                        wanted,
                        a -> a.resources().memoryBytes()))
                .or(() ->
                        lacking(machine, "disk", "disk (bytes)", machine.diskBytes(), onDisk, wanted, a -> a.resources()
                                .diskBytes()));
    }

    /** @param field of the machine in {@code pool.local.machines} */
    private static Optional<Problem> lacking(
            Machine machine,
            String field,
            String what,
            long has,
            Stream<Allocation> others,
            Allocation wanted,
            ToLongFunction<Allocation> part) {
        long free = has - others.mapToLong(part).sum();
        long needed = part.applyAsLong(wanted);
        return needed <= free
                ? Optional.empty()
                : Optional.of(Problem.of(
                        ErrorCode.POOL_UNAVAILABLE,
                        machine.name() + " has not enough " + what + ": " + needed + " wanted, " + free + " free",
                        whatItHolds(machine)
                                .suffix("; move or delete one of them, or raise the machine's " + field
                                        + " in pool.local.machines and restart the server")));
    }

    private static Advice whatItHolds(Machine machine) {
        return Advice.command("machine list").suffix(" shows the nodes and kept volumes on " + machine.name());
    }
}
