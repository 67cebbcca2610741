package io.ringmaster.backup.slice;

import io.ringmaster.backup.repository.RepositoryFile;
import io.ringmaster.backup.repository.Sha256;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** Reads a file slice by slice and hashes each while it is read. */
public final class Slicer implements Closeable {
    private static final int SLICE_BYTES = RepositoryFile.SLICE_BYTES;

    private final SliceBuffer buffer;
    private final AlignedReader reader;
    private String hash = "";

    public Slicer(Path file, SliceBuffer buffer) throws IOException {
        this.buffer = buffer;
        this.reader = new AlignedReader(file, buffer);
    }

    /** The number of slices of a file. */
    public static int count(long size) {
        return Math.toIntExact((size + SLICE_BYTES - 1) / SLICE_BYTES);
    }

    /**
     * Reads the next slice into the buffer.
     *
     * @return its bytes; 0 at the end of the file
     */
    public int next() throws IOException {
        buffer.digest().reset();
        int length = 0;
        while (length < SLICE_BYTES) {
            int read = reader.read(buffer.bytes(), length, Math.min(SliceBuffer.STEP, SLICE_BYTES - length));
            if (read < 0) {
                break;
            }
            buffer.digest().update(buffer.bytes(), length, read);
            length += read;
        }
        hash = Sha256.text(buffer.digest().digest());
        return length;
    }

    /** The SHA-256 of the slice that was read last. */
    public String sha256() {
        return hash;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
