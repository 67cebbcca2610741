package io.ringmaster.transfer;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** How far the work is, in bytes. */
public final class TransferProgress {
    private final AtomicLong done = new AtomicLong();
    private volatile long total;
    private volatile String message = "starts";
    private volatile Supplier<Optional<String>> outage = Optional::empty;

    /** @param text it changes seldom and counts nothing: the plan of the task is stored at each change */
    void stage(String text) {
        message = text;
    }

    /** @param text why the store does not answer, while it does not */
    void outage(Supplier<Optional<String>> text) {
        outage = text;
    }

    void total(long bytes) {
        total = bytes;
    }

    void add(long bytes) {
        done.addAndGet(bytes);
    }

    long done() {
        return done.get();
    }

    long total() {
        return total;
    }

    String message() {
        return outage.get().orElse(message);
    }
}
