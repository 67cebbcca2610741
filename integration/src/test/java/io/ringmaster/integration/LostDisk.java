package io.ringmaster.integration;

import io.ringmaster.model.name.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** A machine that is away for a moment and comes back without what was on its disk, of other nodes, too. */
final class LostDisk {
    private LostDisk() {}

    /** @param machine in the form that {@code playground kill} takes */
    static void of(Playground playground, NodeId node, String machine) {
        of(playground, Map.of(node, machine));
    }

    /**
     * Loses the disks of all these machines at the same time.
     *
     * @param machines of nodes, in the form that {@code playground kill} takes
     */
    static void of(Playground playground, Map<NodeId, String> machines) {
        machines.values().forEach(machine -> playground.run("playground", "kill", machine));
        machines.forEach((node, machine) -> empty(Trial.killed(node, machine).getParent()));
        machines.values().forEach(machine -> playground.run("playground", "revive", machine));
    }

    private static void empty(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(f -> !f.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
