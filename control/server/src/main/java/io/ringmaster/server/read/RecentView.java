package io.ringmaster.server.read;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.ThrowableText;
import io.ringmaster.ports.StoreUnavailableException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The view of a store's records, at most a second old. A store that does not answer is asked by one caller at a time,
 * because each load waits for it for seconds; the other callers fail as the last load did.
 */
final class RecentView {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier nanos;
    private final Supplier<View> load;
    private final ReentrantLock loading = new ReentrantLock();
    private volatile @Nullable Outcome last;

    /** @param view returns the view, or throws as the load did */
    private record Outcome(long atNanos, boolean failed, Supplier<View> view) {}

    /**
     * @param nanos the time, such as {@link System#nanoTime}
     * @param load may throw a {@link StoreUnavailableException}
     */
    RecentView(LongSupplier nanos, Supplier<View> load) {
        this.nanos = nanos;
        this.load = load;
    }

    /** @throws StoreUnavailableException the store did not answer */
    View now() {
        Outcome outcome = last;
        if (outcome != null && isRecent(outcome)) {
            return outcome.view.get();
        }
        if (outcome == null || !outcome.failed) {
            loading.lock();
        } else if (!loading.tryLock()) {
            return outcome.view.get();
        }
        try {
            Outcome meanwhile = last;
            Outcome current = meanwhile != null && isRecent(meanwhile) ? meanwhile : loaded();
            last = current;
            return current.view.get();
        } finally {
            loading.unlock();
        }
    }

    private boolean isRecent(Outcome outcome) {
        return nanos.getAsLong() - outcome.atNanos < KEPT_NANOS;
    }

    private Outcome loaded() {
        try {
            View view = load.get();
            return new Outcome(nanos.getAsLong(), false, () -> view);
        } catch (StoreUnavailableException e) {
            return new Outcome(nanos.getAsLong(), true, () -> {
                throw new StoreUnavailableException(ThrowableText.of(e), e);
            });
        }
    }
}
