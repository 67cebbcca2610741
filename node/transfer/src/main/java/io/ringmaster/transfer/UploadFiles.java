package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of an upload, {@code backup/<id>} of the volume. They are kept until the next upload is done: their journal
 * has the hashes of the files that it read.
 */
record UploadFiles(Path volume, BackupId backup) {
    private Path all() {
        return volume.resolve("backup");
    }

    private Path own(String name) {
        return all().resolve(backup.value()).resolve(name);
    }

    /** Cassandra wrote it. */
    Path snapshot() {
        return own("snapshot.json");
    }

    Path journal() {
        return own(UploadJournal.NAME);
    }

    Path list() {
        return own("list.json.gz");
    }

    /** The list of the base that is read at the moment. */
    Path baseList() {
        return own("base.json.gz");
    }

    /** The hashes that other uploads of this node read. */
    KnownHashes known() throws IOException {
        var known = new KnownHashes();
        for (Path directory : former()) {
            Path journal = directory.resolve(UploadJournal.NAME);
            if (Files.exists(journal)) {
                known.add(journal);
            }
        }
        return known;
    }

    /** Deletes what other backups left. */
    void deleteFormer() throws IOException {
        for (Path directory : former()) {
            FileTree.delete(directory);
        }
    }

    private List<Path> former() throws IOException {
        List<Path> directories = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(all(), Files::isDirectory)) {
            for (Path directory : found) {
                if (!directory.getFileName().toString().equals(backup.value())) {
                    directories.add(directory);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
        directories.sort(null);
        return directories;
    }
}
