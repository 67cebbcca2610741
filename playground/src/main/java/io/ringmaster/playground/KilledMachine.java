package io.ringmaster.playground;

import io.ringmaster.cli.session.ExitCode;
import io.ringmaster.cli.session.Failure;
import io.ringmaster.host.FileTree;
import io.ringmaster.host.ProcessIdentity;
import io.ringmaster.playground.process.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Kills a machine like a power failure, and restores it with its disks. */
record KilledMachine(MachinePlace place) {
    private static final int ROUNDS = 5;

    /**
     * @param nodes allocations whose volumes are out of reach, or restored
     * @param clusters of these nodes
     * @param processes number of killed processes
     */
    record Done(List<String> nodes, List<String> clusters, int processes) {}

    boolean isKilled() {
        return Files.isDirectory(place.killed());
    }

    /** The pool starts nothing on the machine once its folder exists. */
    Done kill() throws IOException, InterruptedException {
        List<Path> allocations = place.allocations();
        Set<ProcessIdentity> ended = new HashSet<>(running(allocations));
        Files.createDirectories(place.killed());
        for (int round = 0; round < ROUNDS; round++) {
            List<ProcessIdentity> running = running(allocations);
            if (running.isEmpty()) {
                break;
            }
            Processes.kill(running);
            ended.addAll(running);
        }
        for (Path allocation : allocations) {
            if (Files.isDirectory(allocation.resolve("volume"))) {
                Files.move(allocation.resolve("volume"), hidden(allocation), StandardCopyOption.ATOMIC_MOVE);
            }
        }
        return new Done(names(allocations), MachinePlace.clusters(allocations), ended.size());
    }

    private static List<ProcessIdentity> running(List<Path> allocations) {
        return allocations.stream()
                .flatMap(a -> Processes.below(a).stream())
                .map(Processes.Own::mark)
                .toList();
    }

    private Path hidden(Path allocation) {
        return place.killed().resolve(allocation.getFileName());
    }

    /**
     * Deletes volumes whose allocation was released meanwhile, as the release would have done.
     *
     * @throws Failure a node has a new volume meanwhile; nothing is changed
     */
    Done revive() throws IOException {
        List<Path> volumes;
        try (Stream<Path> hidden = Files.list(place.killed())) {
            volumes = hidden.sorted().toList();
        }
        for (Path volume : volumes) {
            if (Files.exists(allocation(volume).resolve("volume"))) {
                throw new Failure(
                        ExitCode.REFUSED,
                        allocation(volume) + " holds a volume already, beside the one of " + place,
                        "keep one of the two volumes and delete the other: " + volume);
            }
        }
        List<Path> back = new ArrayList<>();
        for (Path volume : volumes) {
            if (Files.isDirectory(allocation(volume))) {
                Files.move(volume, allocation(volume).resolve("volume"), StandardCopyOption.ATOMIC_MOVE);
                back.add(allocation(volume));
            } else {
                FileTree.delete(volume);
            }
        }
        Files.delete(place.killed());
        return new Done(names(back), MachinePlace.clusters(back), 0);
    }

    private Path allocation(Path hidden) {
        return place.allocationsFolder().resolve(hidden.getFileName());
    }

    private static List<String> names(List<Path> allocations) {
        return allocations.stream().map(a -> a.getFileName().toString()).toList();
    }
}
