package io.ringmaster.model.fleet;

import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.RackName;

/**
 * A host in a pool and its total capacity; free capacity follows from the allocations on it.
 *
 * @param address the IP address that nodes on it listen on
 * @param ports the ports that nodes may get
 * @param cordoned whether new nodes are kept off it
 */
public record Machine(
        MachineName name,
        RackName rack,
        String address,
        int cpuMillis,
        long memoryBytes,
        long diskBytes,
        PortRange ports,
        boolean cordoned) {}
