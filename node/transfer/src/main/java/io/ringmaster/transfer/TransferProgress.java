package io.ringmaster.transfer;

import java.util.concurrent.atomic.AtomicLong;

/** How far the work is, in bytes. */
final class TransferProgress {
    private final AtomicLong done = new AtomicLong();
    private volatile long total;
    private volatile String message = "starts";

    /** @param text it changes seldom and counts nothing: the plan of the task is stored at each change */
    void stage(String text) {
        message = text;
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
        return message;
    }
}
