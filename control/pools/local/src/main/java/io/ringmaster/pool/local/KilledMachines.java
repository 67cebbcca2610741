package io.ringmaster.pool.local;

import io.ringmaster.model.fleet.Machine;
import io.ringmaster.model.name.MachineName;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Machines that somebody switched off to see what happens: the folders in {@code <state directory>/killed}, one named after each. Who
 * makes the folder keeps the machine's volumes in it, out of reach, until the machine is revived. See {@code ringmaster playground kill}.
 */
record KilledMachines(Path folder) {
    static KilledMachines of(Path stateDirectory) {
        return new KilledMachines(stateDirectory.resolve("killed"));
    }

    boolean contains(MachineName machine) {
        return Files.isDirectory(folder.resolve(machine.value()), LinkOption.NOFOLLOW_LINKS);
    }

    Set<MachineName> among(List<Machine> machines) {
        return machines.stream().map(Machine::name).filter(this::contains).collect(Collectors.toUnmodifiableSet());
    }
}
