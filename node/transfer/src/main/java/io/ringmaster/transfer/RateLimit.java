package io.ringmaster.transfer;

import java.util.concurrent.TimeUnit;

/** Spreads bytes over time, for all streams together. A pause gives no right to a burst of more than a second. */
final class RateLimit {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long bytesPerSecond;
    private long freeAt = System.nanoTime();

    /** @param bytesPerSecond 0 for no limit */
    RateLimit(long bytesPerSecond) {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("a bandwidth of " + bytesPerSecond + " bytes a second is negative");
        }
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Waits until the bytes may be moved. */
    void take(long bytes) throws InterruptedException {
        if (bytesPerSecond > 0) {
            TimeUnit.NANOSECONDS.sleep(reserve(bytes));
        }
    }

    private synchronized long reserve(long bytes) {
        long now = System.nanoTime();
        freeAt = Math.max(freeAt, now - SECOND);
        long wait = freeAt - now;
        freeAt += (long) ((double) bytes / bytesPerSecond * SECOND);
        return wait;
    }
}
