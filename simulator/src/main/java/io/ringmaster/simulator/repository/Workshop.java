package io.ringmaster.simulator.repository;

import io.ringmaster.backup.slice.SliceBuffer;
import io.ringmaster.host.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What runs share because making it takes time: threads, buffers, and a directory in memory where there is one. */
public final class Workshop implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    /** A restore wants half a GiB of room before it starts. */
    private static final long ROOM_BYTES = 2L << 30;
    /** More than all files of a volume. */
    private static final int BUFFER_BYTES = 1 << 12;

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        var thread = new Thread(task, "actor");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<SliceBuffer> buffers = new ConcurrentLinkedQueue<>();
    private final Path directory;

    public Workshop() throws IOException {
        boolean inMemory =
                Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).getUsableSpace() > ROOM_BYTES;
        directory = inMemory
                ? Files.createTempDirectory(MEMORY, "ringmaster-repository-")
                : Files.createTempDirectory("ringmaster-repository-");
    }

    ExecutorService threads() {
        return threads;
    }

    Path directory() {
        return directory;
    }

    SliceBuffer takeBuffer() {
        SliceBuffer free = buffers.poll();
        return free == null ? new SliceBuffer(BUFFER_BYTES) : free;
    }

    void giveBack(SliceBuffer buffer) {
        buffers.add(buffer);
    }

    @Override
    public void close() throws IOException {
        threads.shutdown();
        FileTree.delete(directory);
    }
}
