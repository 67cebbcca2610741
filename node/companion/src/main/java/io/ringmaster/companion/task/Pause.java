package io.ringmaster.companion.task;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Waits within a task. It measures with the monotonic clock: a step of the node's clock changes no pause. */
final class Pause {
    private static final long STEP_MS = 100;
    private static final long NANOS_PER_MS = 1_000_000;

    private Pause() {}

    /** Returns after this time, or soon after the task is stopped. */
    static void of(Duration time, Progress progress) throws InterruptedException {
        of(time, progress, System::nanoTime);
    }

    /** @param nanos as {@code System.nanoTime} */
    static void of(Duration time, Progress progress, LongSupplier nanos) throws InterruptedException {
        long start = nanos.getAsLong();
        for (long left = time.toNanos(); left > 0; left = time.toNanos() - (nanos.getAsLong() - start)) {
            if (progress.isStopped()) {
                return;
            }
            Thread.sleep(Math.min(STEP_MS, Math.max(1, left / NANOS_PER_MS)));
        }
    }
}
