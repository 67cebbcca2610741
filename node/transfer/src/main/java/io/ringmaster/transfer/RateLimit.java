package io.ringmaster.transfer;

import java.util.concurrent.TimeUnit;

/** Spreads bytes over time, for all streams together. A pause gives the right to a burst of a tenth of a second. */
final class RateLimit {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final long BURST = SECOND / 10; // so that sleeps that end late cost no bandwidth

    private final long bytesPerSecond;
    private final Yielding yielding;
    private long freeAt = System.nanoTime();

    /**
     * @param bytesPerSecond 0 for no limit
     * @param yielding the pauses for the clients of the node
     */
    RateLimit(long bytesPerSecond, Yielding yielding) {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("a bandwidth of " + bytesPerSecond + " bytes a second is negative");
        }
        this.bytesPerSecond = bytesPerSecond;
        this.yielding = yielding;
    }

    /** Waits until the bytes have had their time, so that the order in which streams ask makes no difference. */
    void take(long bytes) throws InterruptedException {
        long wait = reserve(bytes);
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    private synchronized long reserve(long bytes) {
        long now = System.nanoTime();
        long pause = yielding.pause(now);
        if (bytesPerSecond == 0) {
            return pause;
        }
        freeAt = Math.max(freeAt, now - BURST) + (long) ((double) bytes / bytesPerSecond * SECOND);
        return Math.max(pause, freeAt - now);
    }
}
