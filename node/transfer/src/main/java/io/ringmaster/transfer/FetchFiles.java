package io.ringmaster.transfer;

import io.ringmaster.backup.repository.BackupId;
import io.ringmaster.backup.repository.FileEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The files of a fetch, {@code restore/<id>} of the volume. Names of its own have a dot, which no keyspace has.
 */
record FetchFiles(Path volume, BackupId backup) {
    Path directory() {
        return volume.resolve("restore").resolve(backup.value());
    }

    Path lock() {
        return directory().resolve("fetch.lock");
    }

    /** The list of all files. */
    Path list() {
        return directory().resolve("list.json.gz");
    }

    /** The statements that make the schema. */
    Path schema() {
        return directory().resolve("schema.json");
    }

    /** The manifest of the node that the files are of. */
    Path node() {
        return directory().resolve("node.json");
    }

    /** There once all files are; with the message for people. */
    Path fetched() {
        return directory().resolve("fetched.txt");
    }

    Path file(FileEntry file) {
        return directory().resolve(file.path());
    }

    /** The file while it is not whole. */
    Path part(FileEntry file) {
        return directory().resolve(file.path() + ".part");
    }

    boolean isThere(FileEntry file) throws IOException {
        return Files.exists(file(file)) && Files.size(file(file)) == file.size();
    }

    /** Of the file, or of the part of it that is on disk. */
    long bytesThere(FileEntry file) throws IOException {
        if (isThere(file)) {
            return file.size();
        }
        return Files.exists(part(file)) ? Math.min(file.size(), Files.size(part(file))) : 0;
    }
}
