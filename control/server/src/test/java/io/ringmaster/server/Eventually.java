package io.ringmaster.server;

import io.ringmaster.wire.client.RefusedException;
import io.ringmaster.wire.client.UnreachableException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a condition; a server that does not answer counts as not fulfilled yet. */
public final class Eventually {
    private Eventually() {}

    public static void is(BooleanSupplier condition) {
        var unused = becomes(() -> condition.getAsBoolean(), value -> value);
    }

    /** @return the first value that fulfils the condition */
    public static <T> T becomes(Supplier<T> supplier, Predicate<T> holds) {
        long end = System.nanoTime() + TestDatacenter.PATIENCE.toNanos();
        Object last = null;
        while (System.nanoTime() < end) {
            try {
                T value = supplier.get();
                if (holds.test(value)) {
                    return value;
                }
                last = value;
            } catch (RefusedException | UnreachableException e) {
                last = e;
            }
            pause();
        }
        throw new AssertionError("not within " + TestDatacenter.PATIENCE + "; last was " + text(last));
    }

    private static String text(@Nullable Object last) {
        return String.valueOf(last);
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(50);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
