package io.ringmaster.model.fleet;

import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A host in a pool and its total capacity, which is 0 for a host that the pool does not offer any more. Its free
 * capacity follows from the allocations on it.
 *
 * @param address the IP address that all nodes on it share; null where each allocation gets one of its own
 * @param ports the ports that nodes may get; null for no limit
 * @param cordoned whether new nodes are kept off it, by an operator or by the pool
 */
@RecordBuilder
public record Machine(
        MachineName name,
        RackName rack,
        @Nullable String address,
        int cpuMillis,
        long memoryBytes,
        long diskBytes,
        @Nullable PortRange ports,
        boolean cordoned,
        State state) {

    public Machine {
        // servers of older versions do not send it
        state = state == null ? State.READY : state;
    }

    /** A machine that the pool can reach. */
    public Machine(
            MachineName name,
            RackName rack,
            @Nullable String address,
            int cpuMillis,
            long memoryBytes,
            long diskBytes,
            @Nullable PortRange ports,
            boolean cordoned) {
        this(name, rack, address, cpuMillis, memoryBytes, diskBytes, ports, cordoned, State.READY);
    }

    /** A machine that the pool does not offer any more; only the records of nodes name it. */
    public static Machine missing(MachineName name, RackName rack) {
        return new Machine(name, rack, null, 0, 0, 0, null, false, State.UNREACHABLE);
    }

    /** Whether the pool offers it, reachable or not. */
    public boolean offered() {
        return cpuMillis > 0;
    }

    public Machine cordon() {
        return MachineBuilder.builder(this).cordoned(true).build();
    }

    public boolean reachable() {
        return state == State.READY;
    }

    public enum State {
        READY,
        /** The pool has lost contact with it; its processes may still run. */
        UNREACHABLE
    }
}
