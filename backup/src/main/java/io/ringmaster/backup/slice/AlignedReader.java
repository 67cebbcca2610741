package io.ringmaster.backup.slice;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads a file from start to end past the page cache, so that a backup does not push out the pages that Cassandra
 * reads. File systems without direct reads, such as tmpfs, are read through the cache.
 */
final class AlignedReader implements Closeable {
    private final Path file;
    private final long block;
    private final ByteBuffer buffer;
    private final int capacity;
    private boolean direct;
    private FileChannel channel;
    private long position;

    AlignedReader(Path file, SliceBuffer memory) throws IOException {
        this.file = file;
        block = Files.getFileStore(file).getBlockSize();
        direct = SliceBuffer.canAlign(block);
        buffer = memory.aligned(direct ? (int) block : 1);
        capacity = buffer.limit();
        buffer.limit(0);
        channel = open();
    }

    /** @return the number of bytes; -1 at the end of the file */
    int read(byte[] into, int offset, int length) throws IOException {
        if (!buffer.hasRemaining() && !fill()) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(into, offset, count);
        return count;
    }

    private boolean fill() throws IOException {
        if (direct && position % block != 0) {
            return false; // only the end of a file is not at a block, and a direct read from there fails
        }
        buffer.clear().limit(capacity);
        int read = readChannel();
        buffer.flip();
        position += Math.max(read, 0);
        return read > 0;
    }

    private int readChannel() throws IOException {
        try {
            return channel.read(buffer, position);
        } catch (IOException e) {
            if (!direct) {
                throw e;
            }
            direct = false; // some file systems open a file for direct reads, and then refuse them
            channel.close();
            channel = open();
            return channel.read(buffer, position);
        }
    }

    private FileChannel open() throws IOException {
        if (direct) {
            try {
                return FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
            } catch (IOException | UnsupportedOperationException e) {
                direct = false;
            }
        }
        return FileChannel.open(file, StandardOpenOption.READ);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
