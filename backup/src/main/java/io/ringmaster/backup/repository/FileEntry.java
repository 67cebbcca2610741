package io.ringmaster.backup.repository;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A file of a table, and the blobs that hold its bytes: slices in order, or a part of a bundle, or nothing if it is
 * empty.
 *
 * @param table the directory of its table: {@code trips/place-5a1c395...}
 * @param name within that directory, with slashes for directories below
 * @param size in bytes
 */
public record FileEntry(String table, String name, long size, List<BlobName> slices, @Nullable Part bundle) {
    private static final Pattern TABLE = Pattern.compile("\\w+/\\w+-[0-9a-f]{32}");
    /** No part of a name leads out of the directory. */
    private static final Pattern NAME =
            Pattern.compile("(?:(?!\\.{1,2}(?:/|$))[^/\\\\\\x00-\\x1f]+/)*" + "(?!\\.{1,2}$)[^/\\\\\\x00-\\x1f]+");

    /** Where a file starts within a bundle. */
    public record Part(BlobName blob, long offset) {}

    /** @throws IllegalArgumentException if the file would not lie in the directory of a table */
    public FileEntry {
        if (!TABLE.matcher(table).matches() || !NAME.matcher(name).matches() || size < 0) {
            throw new IllegalArgumentException("'" + table + "/" + name + "' is no file of a table");
        }
        slices = List.copyOf(slices);
    }

    /** All blobs that hold its bytes. */
    public List<BlobName> blobs() {
        return bundle == null ? slices() : List.of(bundle.blob());
    }

    /** {@code trips/place-5a1c395.../nb-1-big-Data.db} */
    public String path() {
        return table + "/" + name;
    }
}
