package io.ringmaster.executor.task;

import io.ringmaster.executor.log.Log;
import io.ringmaster.host.FileTree;
import io.ringmaster.model.node.NodeTask;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The snapshots that backups take: hard links in {@code data/<keyspace>/<table>/snapshots} of a volume. */
final class SnapshotLinks {
    private static final Pattern OF_A_BACKUP = Pattern.compile("ringmaster-\\d{8}T\\d{6}Z-[0-9a-f]{4}");

    private final Path volume;

    SnapshotLinks(Path volume) {
        this.volume = volume;
    }

    /**
     * Deletes the snapshot that an upload sends; nothing if the task is none. A failure is logged: the next backup
     * deletes what is left.
     */
    void deleteThatOf(NodeTask task) {
        String backup = task.args().get("backup");
        if (task.kind() != NodeTask.Kind.BACKUP_UPLOAD || backup == null) {
            return;
        }
        delete(name -> name.equals("ringmaster-" + backup));
    }

    /** Deletes the snapshots of all backups. */
    void deleteAll() {
        delete(OF_A_BACKUP.asMatchPredicate());
    }

    private void delete(Predicate<String> isDeleted) {
        try {
            for (Path keyspace : directories(volume.resolve("data"))) {
                for (Path table : directories(keyspace)) {
                    for (Path snapshot : directories(table.resolve("snapshots"))) {
                        if (isDeleted.test(snapshot.getFileName().toString())) {
                            FileTree.delete(snapshot);
                        }
                    }
                }
            }
        } catch (IOException e) {
            Log.info("a snapshot of a backup stays until the next one: " + e);
        }
    }

    private static List<Path> directories(Path parent) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(parent, Files::isDirectory)) {
            directories.forEach(found::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of(); // a dropped table
        }
        return found;
    }
}
