package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.ClusterManifest.Member;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.json.Json;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeTask.Kind;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.invariant.Violation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Nodes of other clusters that fetch the files of one node of a backup each. */
final class Restores {
    private record Restore(BackupId backup, NodeName source, Path volume, Actor actor) {}

    private final SeededRandom random;
    private final SimObjects objects;
    private final BackupContents contents;
    private final Judge judge;
    private final Transfers transfers;
    private final Path directory;
    private final List<Restore> restores = new ArrayList<>();
    private int done;

    Restores(
            SeededRandom random,
            SimObjects objects,
            BackupContents contents,
            Judge judge,
            Transfers transfers,
            Path directory) {
        this.random = random;
        this.objects = objects;
        this.contents = contents;
        this.judge = judge;
        this.transfers = transfers;
        this.directory = directory;
    }

    /** Starts one, if there is a complete backup. */
    void start() {
        random.any(List.copyOf(judge.complete().keySet())).ifPresent(this::start);
    }

    private void start(BackupId backup) {
        byte[] json = objects.get(Judge.KEYS.manifest(backup)).orElseThrow();
        Member source = random.pick(Json.parse(json, ClusterManifest.class).nodes());
        NodeId node = NodeId.of("rides2/dc1/node-" + restores.size());
        Path volume = directory.resolve("restored-" + restores.size());
        Actor actor = transfers.start(
                Kind.RESTORE_FETCH,
                node,
                volume,
                backup,
                Map.of("source", source.node().toString(), "manifest", source.manifest()));
        judge.restores(actor, backup, Judge.KEYS.reader(backup, node));
        restores.add(new Restore(backup, source.node(), volume, actor));
    }

    boolean areOver() {
        return restores.stream().allMatch(restore -> restore.actor.isOver());
    }

    /** How many ended well. */
    int done() {
        return done;
    }

    /** When all are over. */
    void judge() {
        for (Restore restore : restores) {
            if (restore.actor.hasSucceeded()) {
                requireBytes(restore);
                done++;
            } else if (judge.complete().containsKey(restore.backup)) {
                throw new Violation(
                        "restore-ends-well", restore.actor + " failed, and " + restore.backup + " is there");
            }
        }
    }

    private void requireBytes(Restore restore) {
        contents.files(restore.backup, restore.source).forEach((path, expected) -> {
            Path file = restore.volume
                    .resolve("restore")
                    .resolve(restore.backup.value())
                    .resolve(path);
            try {
                if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), expected)) {
                    throw new Violation("restored-bytes", restore.actor + " ended well with other bytes of " + path);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
