package io.ringmaster.simulator.repository;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.BlobName;
import io.ringmaster.backup.repository.ClusterManifest;
import io.ringmaster.backup.repository.FileEntry;
import io.ringmaster.backup.repository.FileList;
import io.ringmaster.backup.repository.NodeManifest;
import io.ringmaster.backup.repository.NodeName;
import io.ringmaster.backup.repository.Sha256;
import io.ringmaster.json.Json;
import io.ringmaster.simulator.invariant.Violation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the backups in the store have, against the files that their snapshots had. */
final class BackupContents {
    private final SimObjects objects;
    private final Map<BackupId, Map<NodeName, Map<String, byte[]>>> snapshots = new HashMap<>();

    BackupContents(SimObjects objects) {
        this.objects = objects;
    }

    /** @param files by their paths in file lists */
    void add(BackupId backup, NodeName node, Map<String, byte[]> files) {
        snapshots.computeIfAbsent(backup, b -> new TreeMap<>()).put(node, files);
    }

    Map<String, byte[]> files(BackupId backup, NodeName node) {
        return snapshots.getOrDefault(backup, Map.of()).getOrDefault(node, Map.of());
    }

    /** Whether the backup counts: manifest and mark are there, agree, and it is not in the trash. */
    boolean isComplete(BackupId backup) {
        byte[] manifest = objects.get(Judge.KEYS.manifest(backup)).orElse(null);
        byte[] mark = objects.get(Judge.KEYS.ok(backup)).orElse(null);
        return manifest != null
                && mark != null
                && !objects.contains(Judge.KEYS.trash(backup))
                && Sha256.of(manifest).equals(new String(mark, StandardCharsets.US_ASCII));
    }

    /**
     * The keys of all that the backup needs.
     *
     * @throws Violation if one is missing, or the files are not those of the snapshots
     */
    Set<String> named(BackupId backup) {
        Set<String> named = new TreeSet<>(Set.of(Judge.KEYS.manifest(backup), Judge.KEYS.ok(backup)));
        ClusterManifest manifest = Json.parse(bytes(backup, Judge.KEYS.manifest(backup)), ClusterManifest.class);
        blob(backup, manifest.schema().blob(), named);
        for (ClusterManifest.Member member : manifest.nodes()) {
            String key = Judge.KEYS.nodeManifest(backup, member.node());
            byte[] json = bytes(backup, key);
            if (!Sha256.of(json).equals(member.manifest())) {
                throw new Violation("complete-backups-restore", backup + " needs another " + key);
            }
            named.add(key);
            NodeManifest node = Json.parse(json, NodeManifest.class);
            blob(backup, node.schema().blob(), named);
            files(backup, node, named);
        }
        return named;
    }

    private void files(BackupId backup, NodeManifest node, Set<String> named) {
        Map<String, byte[]> expected = new HashMap<>(files(backup, node.node()));
        try {
            FileList.read(
                    new ByteArrayInputStream(blob(backup, node.list().blob(), named)),
                    file -> requireBytes(backup, file, expected.remove(file.path()), named));
        } catch (IOException | InterruptedException e) {
            throw new Violation("complete-backups-restore", backup + ": " + e);
        }
        if (!expected.isEmpty()) {
            throw new Violation("complete-backups-restore", backup + " lacks " + expected.keySet());
        }
    }

    /** The files of a run are small: each lies in a bundle. */
    private void requireBytes(BackupId backup, FileEntry file, byte @Nullable [] expected, Set<String> named) {
        FileEntry.Part part = file.bundle();
        if (expected == null || part == null) {
            throw new Violation("complete-backups-restore", backup + " has " + file);
        }
        byte[] bundle = blob(backup, part.blob(), named);
        int from = (int) part.offset();
        if (!Arrays.equals(expected, Arrays.copyOfRange(bundle, from, from + (int) file.size()))) {
            throw new Violation("complete-backups-restore", backup + " has other bytes of " + file);
        }
    }

    private byte[] blob(BackupId backup, BlobName blob, Set<String> named) {
        String key = Judge.KEYS.blob(blob);
        named.add(key);
        return bytes(backup, key);
    }

    private byte[] bytes(BackupId backup, String key) {
        return objects.get(key).orElseThrow(() -> new Violation("complete-backups-restore", backup + " needs " + key));
    }
}
