package io.ringmaster.pool.local;

import io.ringmaster.model.fleet.Machine;
import java.nio.file.Path;
import java.util.List;

/** @param stateDirectory holds the allocations; readable by this user only */
public record LocalPoolSettings(Path stateDirectory, List<Machine> machines, ExecutorProgram program) {
    public LocalPoolSettings {
        machines = List.copyOf(machines);
    }
}
