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

/** The nodes of the cluster, each with its present volume. The name of one starts with that of another. */
final class RepositoryNodes {
    static final List<String> NAMES = List.of("dc1.node-1", "dc1.node-10", "dc1.node-11");

    private final Path directory;
    private final List<SimVolume> volumes = new ArrayList<>();
    private int numbered;

    RepositoryNodes(Path directory) {
        this.directory = directory;
        for (int index : List.of(1, 10, 11)) {
            volumes.add(volume(NodeId.of("rides/dc1/node-" + index)));
        }
    }

    /** A new empty volume. */
    SimVolume volume(NodeId node) {
        return new SimVolume(node, directory, numbered++);
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
