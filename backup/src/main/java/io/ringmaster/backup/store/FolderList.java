package io.ringmaster.backup.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One list of a folder's files in the order of their keys; reads no directory that holds none of the keys. */
final class FolderList {
    private final Path folder;
    private final String prefix;
    private final @Nullable String after;
    private final int limit;
    private final List<ObjectInfo> found = new ArrayList<>();

    FolderList(Path folder, String prefix, @Nullable String after, int limit) {
        this.folder = folder;
        this.prefix = prefix;
        this.after = after;
        this.limit = limit;
    }

    List<ObjectInfo> objects() throws IOException {
        add(prefix.substring(0, prefix.lastIndexOf('/') + 1));
        return found;
    }

    /** @param directory its key, with a slash at the end; empty for the folder */
    private void add(String directory) throws IOException {
        // A slash sorts after a dot and before a digit, so that a directory's place is that of its name and a slash.
        var entries = new TreeMap<String, BasicFileAttributes>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.resolve(directory))) {
            for (Path file : files) {
                String key = directory + file.getFileName();
                if (ObjectKeys.isKey(key) && mayHold(key)) {
                    Optional<BasicFileAttributes> attributes = FolderStore.attributes(file);
                    attributes.filter(BasicFileAttributes::isRegularFile).ifPresent(a -> entries.put(key, a));
                    attributes.filter(BasicFileAttributes::isDirectory).ifPresent(a -> entries.put(key + "/", a));
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return;
        }
        for (var entry : entries.entrySet()) {
            String key = entry.getKey();
            if (found.size() >= limit) {
                return;
            }
            if (entry.getValue().isDirectory()) {
                add(key);
            } else if (key.startsWith(prefix) && (after == null || key.compareTo(after) > 0)) {
                found.add(FolderStore.info(key, entry.getValue()));
            }
        }
    }

    /** Whether an entry of this name is, or as a directory may have, a key that is asked for. */
    private boolean mayHold(String key) {
        String inside = key + "/";
        return (key.startsWith(prefix) || prefix.startsWith(inside))
                && (after == null || after.startsWith(inside) || after.compareTo(inside) < 0);
    }
}
