package io.ringmaster.pool.local.binaries;

import io.ringmaster.host.HeldLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Mutual exclusion among the threads of this process and the processes of this computer. */
final class CacheLock {
    private static final ReentrantLock THREADS = new ReentrantLock();
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final long POLL_MS = 100;

    private CacheLock() {}

    /** The work under the lock. */
    interface Work {
        void run() throws IOException, InterruptedException, BinariesUnavailableException;
    }

    static void holding(Path file, Work work) throws IOException, InterruptedException, BinariesUnavailableException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        THREADS.lockInterruptibly();
        try {
            HeldLock held = take(file);
            try (held) {
                work.run();
            }
        } finally {
            THREADS.unlock();
        }
    }

    private static HeldLock take(Path file) throws IOException, InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        Optional<HeldLock> taken = HeldLock.tryTake(file);
        while (taken.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new IOException("another server has held " + file + " for " + LIMIT.toMinutes() + " minutes");
            }
            Thread.sleep(POLL_MS);
            taken = HeldLock.tryTake(file);
        }
        return taken.get();
    }
}
