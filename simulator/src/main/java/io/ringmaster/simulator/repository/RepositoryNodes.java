package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.simulator.history.SeededRandom;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The nodes of the cluster, each with its present volume. The name of one starts with that of another. */
final class RepositoryNodes {
    private static final List<Integer> INDEXES = List.of(1, 10, 11);
    /** Those that a cluster may have. */
    static final List<String> NAMES =
            INDEXES.stream().map(index -> "dc1.node-" + index).toList();

    private final Path directory;
    private final List<SimVolume> volumes = new ArrayList<>();
    private int numbered;

    /** Often one alone: what must happen between two requests of each node is then not as rare. */
    RepositoryNodes(SeededRandom random, Path directory) {
        this.directory = directory;
        for (int index : INDEXES.subList(0, random.pick(List.of(1, 1, 2, 3)))) {
            volumes.add(volume(NodeId.of("rides/dc1/node-" + index)));
        }
    }

    /** A new empty volume. */
    SimVolume volume(NodeId node) {
        return new SimVolume(node, directory, numbered++);
    }

    String names() {
        return volumes.stream().map(volume -> volume.name().toString()).collect(Collectors.joining(","));
    }

    List<SimVolume> volumes() {
        return List.copyOf(volumes);
    }

    /** Replaces the nodes whose machines do not answer: each gets another host and volume, and the same rows. */
    void replace(Predicate<SimVolume> isLost) {
        volumes.replaceAll(volume -> {
            if (!isLost.test(volume)) {
                return volume;
            }
            SimVolume replacement = volume(volume.node);
            replacement.streamFrom(volume);
            return replacement;
        });
    }

    void change(SeededRandom random) {
        volumes.forEach(volume -> volume.change(random));
    }

    void takeSnapshots(BackupId backup, Instant now, BackupContents contents) {
        List<Map<String, Object>> ring = volumes.stream().map(SimVolume::member).toList();
        for (SimVolume volume : volumes) {
            contents.add(backup, volume.name(), volume.takeSnapshot(backup, now, ring));
        }
    }
}
