package io.ringmaster.pool.local;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what no fact reports. */
final class Waiting {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private Waiting() {}

    /** @param what completes "not within 60 s: ..." */
    static void until(String what, BooleanSupplier holds) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
            }
            try {
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError("interrupted while waiting: " + what, e);
            }
        }
    }
}
