package io.ringmaster.companion.task;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.cassandra.io.util.File;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.service.snapshot.TableSnapshot;
import org.apache.cassandra.utils.FBUtilities;

/**
 * Deletes snapshots, also those that Cassandra takes of a table before it truncates or drops it. The ephemeral ones of
 * repairs stay, and those of backups: a backup that runs may send it, and removes it.
 */
final class ClearSnapshotsTask implements TaskBody {
    @Override
    public String run(Progress progress) throws Exception {
        Collection<TableSnapshot> all = StorageService.instance.snapshotManager.loadSnapshots();
        List<TableSnapshot> chosen = all.stream()
                // the manifest comes last: without one a snapshot is being taken, perhaps by a repair
                .filter(s -> s.getManifestFile().isPresent())
                .filter(s -> !s.isEphemeral() && !SnapshotTask.isOfBackup(s.getTag()))
                .sorted(Comparator.comparing(TableSnapshot::getTag))
                .toList();
        progress.expect(chosen.size(), "snapshots of tables");
        Set<String> cleared = new TreeSet<>();
        long freed = 0;
        for (int i = 0; i < chosen.size() && !progress.isStopped(); i++) {
            TableSnapshot snapshot = chosen.get(i);
            long done = i;
            progress.at("clears " + snapshot.getTag(), () -> done);
            for (File directory : snapshot.getDirectories()) {
                freed += heldOnlyBy(directory.toPath());
            }
            StorageService.instance.snapshotManager.clearSnapshot(snapshot);
            cleared.add(snapshot.getTag());
        }
        Set<String> ofBackups = all.stream()
                .map(TableSnapshot::getTag)
                .filter(SnapshotTask::isOfBackup)
                .collect(Collectors.toSet());
        return outcome(cleared.size(), freed, ofBackups.size());
    }

    @Override
    public void stop() {}

    static String outcome(int cleared, long freed, int ofBackups) {
        String done = cleared == 0
                ? "no snapshot to clear"
                : cleared + (cleared == 1 ? " snapshot" : " snapshots") + " cleared, "
                        + FBUtilities.prettyPrintMemory(freed) + " freed";
        return ofBackups == 0 ? done : done + "; kept: " + ofBackups + " of backups";
    }

    /** The bytes of the files in a directory that have no other hard link, so that deleting it frees them. */
    static long heldOnlyBy(Path directory) throws IOException {
        long[] bytes = {0};
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Object links = Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
                bytes[0] += Integer.valueOf(1).equals(links) ? attributes.size() : 0;
                return FileVisitResult.CONTINUE;
            }

            /** Cassandra deletes a snapshot whose time is over. */
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        return bytes[0];
    }
}
