package io.ringmaster.model.fleet;

import org.jspecify.annotations.Nullable;

/**
 * The capacity of a kind of machine.
 *
 * @param ports the ports that nodes may get
 */
public record MachineShape(int cpuMillis, long memoryBytes, long diskBytes, @Nullable PortRange ports) {
    public static MachineShape of(Machine machine) {
        return new MachineShape(machine.cpuMillis(), machine.memoryBytes(), machine.diskBytes(), machine.ports());
    }
}
