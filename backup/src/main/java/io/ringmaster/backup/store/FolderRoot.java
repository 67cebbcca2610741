package io.ringmaster.backup.store;

import io.ringmaster.backup.store.StoreException.Reason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a store, which may be a mount. A file in it distinguishes the mounted folder from the empty directory
 * below the mount, where objects would be out of sight of all others, and lost with the machine.
 */
class FolderRoot {
    /** A key has no plus sign. */
    static final String MARKER = "ringmaster+location";

    private static final String TEXT = "A location of backups. Without this file the folder counts as not mounted.\n";

    private final Path folder;
    /** A folder that goes after it was there is an outage, which may pass; one that never was there is a mistake. */
    private volatile boolean seen;

    FolderRoot(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    /** Creates the marker if it is missing. */
    static void mark(Path folder) throws IOException {
        try {
            Files.write(
                    folder.resolve(MARKER), TEXT.getBytes(StandardCharsets.US_ASCII), StandardOpenOption.CREATE_NEW);
        } catch (FileAlreadyExistsException e) {
            // it is a location already, of this server or of another
        }
    }

    /**
     * @return device and inode of the folder, as an object that is equal to those of the same folder
     * @throws StoreException if it is not there, or not mounted
     */
    Object require() throws IOException {
        Object key = key();
        if (key == null) {
            throw absent("the folder " + folder + " does not exist");
        }
        if (FolderStore.attributes(folder.resolve(MARKER)).isEmpty()) {
            throw absent("the folder " + folder + " has no file " + MARKER
                    + ", so it is an empty mount point or no location of backups"
                    + " -> mount it, or if it is mounted: touch " + folder.resolve(MARKER));
        }
        seen = true;
        return key;
    }

    /** @throws StoreException if another folder is mounted there since */
    void requireSame(Object before) throws IOException {
        if (!Objects.equals(before, require())) {
            throw changed();
        }
    }

    StoreException changed() {
        return new StoreException(
                Reason.UNREACHABLE,
                "the folder " + folder + " was unmounted or mounted in the middle of a request",
                null);
    }

    private @Nullable Object key() throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(folder, BasicFileAttributes.class);
            return attributes.isDirectory() ? attributes.fileKey() : null;
        } catch (NoSuchFileException | NotDirectoryException e) {
            return null;
        }
    }

    private StoreException absent(String message) {
        return new StoreException(seen ? Reason.UNREACHABLE : Reason.NO_BUCKET, message, null);
    }
}
