package io.ringmaster.pool.local;

import io.ringmaster.model.fleet.Allocation;
import io.ringmaster.model.fleet.Machine;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Whether a machine can hold one more allocation: the last word, should two decisions have crossed. */
final class MachineCapacity {
    private MachineCapacity() {}

    /** Why not, or empty. */
    static Optional<String> whyNot(Machine machine, List<Allocation> others, Allocation wanted) {
        if (!wanted.address().equals(machine.address())) {
            return Optional.of(machine.name() + " has the address " + machine.address() + ", not " + wanted.address());
        }
        for (int port : wanted.ports().all()) {
            if (!machine.ports().contains(port)) {
                return Optional.of(machine.name() + " offers no port " + port);
            }
            Optional<Allocation> holder =
                    others.stream().filter(o -> o.ports().all().contains(port)).findFirst();
            if (holder.isPresent()) {
                return Optional.of("port " + port + " of " + machine.name() + " is taken by "
                        + holder.get().node());
            }
        }
        return lacking("CPU (millis)", machine.cpuMillis(), others, wanted, a -> a.resources()
                        .cpuMillis())
                .or(() -> lacking("memory (bytes)", machine.memoryBytes(), others, wanted, a -> a.resources()
                        .memoryBytes()))
                .or(() -> lacking("disk (bytes)", machine.diskBytes(), others, wanted, a -> a.resources()
                        .diskBytes()))
                .map(lack -> machine.name() + " has not enough " + lack);
    }

    private static Optional<String> lacking(
            String what, long has, List<Allocation> others, Allocation wanted, ToLongFunction<Allocation> part) {
        long free = has - others.stream().mapToLong(part).sum();
        long needed = part.applyAsLong(wanted);
        return needed <= free ? Optional.empty() : Optional.of(what + ": " + needed + " wanted, " + free + " free");
    }
}
