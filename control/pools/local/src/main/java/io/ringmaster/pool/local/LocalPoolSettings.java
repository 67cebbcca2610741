package io.ringmaster.pool.local;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.pool.base.Doors;
import java.nio.file.Path;
import java.util.List;

/**
 * @param stateDirectory holds the allocations; readable by this user only
 * @param doors of its executors, for TLS
 * @param acceptDirectory whether another state directory takes the place of the one in which nodes were launched
 */
public record LocalPoolSettings(
        Path stateDirectory,
        List<Machine> machines,
        ExecutorProgram program,
        Addresses addresses,
        Doors doors,
        boolean acceptDirectory) {
    public LocalPoolSettings {
        machines = List.copyOf(machines);
    }
}
