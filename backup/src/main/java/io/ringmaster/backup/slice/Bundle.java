package io.ringmaster.backup.slice;

import io.ringmaster.backup.repository.RepositoryFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/** Small files one after another in one blob: an sstable has some eight of them, and each request costs. */
public final class Bundle {
    private final SliceBuffer buffer;
    private int length;

    public Bundle(SliceBuffer buffer) {
        this.buffer = buffer;
    }

    public boolean fits(long size) {
        return size <= RepositoryFile.SLICE_BYTES - length;
    }

    /**
     * Appends a file.
     *
     * @return where it starts in the bundle; empty, and the bundle is as before, if the file has another size
     */
    public OptionalInt add(Path file, long size) throws IOException {
        int start = length;
        try (var reader = new AlignedReader(file, buffer)) {
            while (length < RepositoryFile.SLICE_BYTES) {
                int read = reader.read(buffer.bytes(), length, RepositoryFile.SLICE_BYTES - length);
                if (read < 0) {
                    break;
                }
                length += read;
            }
        }
        if (length - start != size) {
            length = start;
            return OptionalInt.empty();
        }
        return OptionalInt.of(start);
    }

    /** Takes out what was added last. */
    public void cut(int start) {
        length = start;
    }

    /** In bytes. */
    public int length() {
        return length;
    }

    public String sha256() {
        return buffer.sha256(length);
    }

    public void clear() {
        length = 0;
    }
}
