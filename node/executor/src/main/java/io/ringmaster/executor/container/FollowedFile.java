package io.ringmaster.executor.container;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A log file whose new lines are copied, also after it was rotated. A file that is rotated twice between two copies
 * loses its middle part.
 */
final class FollowedFile implements Closeable {
    /** A longer line is copied in pieces. */
    static final int MAX_LINE_BYTES = 64 * 1024;

    private final Path path;
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_LINE_BYTES);
    private @Nullable FileChannel open;
    private @Nullable Object openKey;

    /** Starts at the present end of the file, or at the start of one that appears later. */
    FollowedFile(Path path) throws IOException {
        this.path = path;
        FileChannel existing = openNewest();
        if (existing != null) {
            existing.position(existing.size());
        }
    }

    /** Copies the whole lines that were added since the last call. */
    void copyTo(OutputStream out) throws IOException {
        FileChannel current = open;
        if (current != null) {
            Object newest = key(); // before the copy: what replaced the file was created after the last line in it
            copy(current, out);
            if (newest == null || newest.equals(openKey)) {
                return;
            }
            endLine(out);
            close();
        }
        FileChannel next = openNewest();
        if (next != null) {
            copy(next, out);
        }
    }

    /** Writes the last line even if it is not complete. */
    void endLine(OutputStream out) throws IOException {
        if (buffer.position() > 0) {
            out.write(buffer.array(), 0, buffer.position());
            out.write('\n');
            buffer.clear();
        }
    }

    private void copy(FileChannel from, OutputStream out) throws IOException {
        long end = from.size(); // a file that grows meanwhile does not keep the caller here
        if (end < from.position()) { // was truncated
            from.position(0);
            buffer.clear();
        }
        while (from.position() < end && from.read(buffer) > 0) {
            int lines = lengthOfLines();
            if (lines > 0) {
                out.write(buffer.array(), 0, lines);
                buffer.flip().position(lines);
                buffer.compact();
            } else if (!buffer.hasRemaining()) {
                endLine(out);
            }
        }
    }

    private int lengthOfLines() {
        int length = buffer.position();
        while (length > 0 && buffer.get(length - 1) != '\n') {
            length--;
        }
        return length;
    }

    /** Opens the file that has the path now; null if there is none. */
    private @Nullable FileChannel openNewest() throws IOException {
        try {
            while (true) {
                Object before = key();
                FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                if (before != null && Objects.equals(before, key())) {
                    open = channel;
                    openKey = before;
                    return channel;
                }
                channel.close(); // was replaced meanwhile
            }
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Identifies the file, whatever its name: device and inode. */
    private @Nullable Object key() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        FileChannel current = open;
        open = null;
        openKey = null;
        if (current != null) {
            current.close();
        }
    }
}
