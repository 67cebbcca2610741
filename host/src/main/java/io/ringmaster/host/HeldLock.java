package io.ringmaster.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * An exclusive lock on a file, among the threads of this process and the processes of this computer. It is held until
 * it is closed or the process ends, also where the caller drops this object: the JDK gives a lock back as soon as a
 * collection finds its channel unreachable, so this class keeps each one.
 *
 * <p>The kernel gives a lock back as well when its process closes any other descriptor of the same file. A file that is
 * locked is therefore for this class alone, and is never opened twice here: nothing is read from it or written to it.
 */
public final class HeldLock implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    /** Also guards the opening of a file, so that none gets a second descriptor. */
    private static final Map<Path, HeldLock> HELD = new HashMap<>();

    private final Path file;
    private final FileChannel channel;
    private final FileLock lock;

    private HeldLock(Path file, FileChannel channel, FileLock lock) {
        this.file = file;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Takes the lock unless somebody holds it, in this process or another.
     *
     * @param file created if it is missing; its directory must be there
     */
    public static Optional<HeldLock> tryTake(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file is in a directory");
        Path real = directory.toRealPath().resolve(file.getFileName());
        synchronized (HELD) {
            if (HELD.containsKey(real)) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(real, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = null;
            try {
                lock = channel.tryLock();
            } finally {
                if (lock == null) {
                    channel.close();
                }
            }
            if (lock == null) {
                return Optional.empty();
            }
            HeldLock held = new HeldLock(real, channel, lock);
            HELD.put(real, held);
            return Optional.of(held);
        }
    }

    /** As {@link #tryTake}, and waits for the holder, as long as it takes. */
    public static HeldLock take(Path file) throws IOException, InterruptedException {
        Optional<HeldLock> taken = tryTake(file);
        while (taken.isEmpty()) {
            Thread.sleep(POLL.toMillis());
            taken = tryTake(file);
        }
        return taken.get();
    }

    /** Gives the lock back; a second call does nothing. */
    @Override
    public void close() throws IOException {
        synchronized (HELD) {
            if (HELD.remove(file, this)) {
                try (channel) {
                    lock.release();
                }
            }
        }
    }
}
