package io.ringmaster.integration;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for what must come to be. The limit is for what hangs, not for what is slow. */
final class Patience {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private Patience() {}

    /** Looks until the condition holds and returns what was seen then; fails with the last that was seen or thrown. */
    static <T> T until(String what, Duration limit, Supplier<T> look, Predicate<T> holds) {
        long end = System.nanoTime() + limit.toNanos();
        Object last = "nothing";
        while (System.nanoTime() < end) {
            try {
                T seen = look.get();
                if (holds.test(seen)) {
                    return seen;
                }
                last = seen;
            } catch (RuntimeException e) {
                last = e;
            }
            pause(PAUSE);
        }
        var failure = new AssertionError("waited " + limit.toSeconds() + " s for: " + what + "; last seen: " + last);
        if (last instanceof Throwable cause) {
            failure.initCause(cause);
        }
        throw failure;
    }

    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
