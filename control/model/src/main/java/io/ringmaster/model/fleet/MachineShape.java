package io.ringmaster.model.fleet;

/**
 * What a machine has, whichever it is.
 *
 * @param ports the ports that may be given to nodes
 */
public record MachineShape(int cpuMillis, long memoryBytes, long diskBytes, PortRange ports) {
    public static MachineShape of(Machine machine) {
        return new MachineShape(machine.cpuMillis(), machine.memoryBytes(), machine.diskBytes(), machine.ports());
    }
}
