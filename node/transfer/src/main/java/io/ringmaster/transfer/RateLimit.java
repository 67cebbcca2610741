package io.ringmaster.transfer;

import java.util.concurrent.TimeUnit;

/** Spreads bytes over time, for all streams together. A pause gives no right to a burst of more than a second. */
final class RateLimit {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Yielding yielding;
    private long freeAt = System.nanoTime();

    private RateLimit(Yielding yielding) {
        this.yielding = yielding;
    }

    /** @param bytesPerSecond 0 for no limit */
    static RateLimit constant(long bytesPerSecond) {
        return new RateLimit(new Yielding(bytesPerSecond, () -> 0, System.nanoTime()));
    }

    /**
     * A limit that also yields to the clients of the node.
     *
     * @param mostBytesPerSecond 0 for no limit
     */
    static RateLimit yielding(long mostBytesPerSecond) {
        return new RateLimit(new Yielding(mostBytesPerSecond, Throttling.ofThisProcess()::periods, System.nanoTime()));
    }

    /** Waits until the bytes may be moved. */
    void take(long bytes) throws InterruptedException {
        long wait = reserve(bytes);
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    private synchronized long reserve(long bytes) {
        long now = System.nanoTime();
        long bytesPerSecond = yielding.rate(now, bytes);
        if (bytesPerSecond == 0) {
            freeAt = now;
            return 0;
        }
        freeAt = Math.max(freeAt, now - SECOND);
        long wait = freeAt - now;
        freeAt += (long) ((double) bytes / bytesPerSecond * SECOND);
        return wait;
    }
}
