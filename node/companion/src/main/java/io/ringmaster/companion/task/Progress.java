package io.ringmaster.companion.task;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The progress of a task; written by its thread, read by others. */
final class Progress {
    private volatile long total;
    private volatile String unit = "";
    private volatile Supplier<String> message = () -> "starts";
    private volatile boolean stopped;
    private volatile LongSupplier done = () -> 0;

    /** @param amount the total of the task; 0 when it is unknown */
    void expect(long amount, String inUnit) {
        total = amount;
        unit = inUnit;
    }

    /** @param completed the amount done so far, evaluated at each read of the status */
    void at(String activity, LongSupplier completed) {
        at(() -> activity, completed);
    }

    /** @param activity evaluated at each read of the status, as {@code completed} is */
    void at(Supplier<String> activity, LongSupplier completed) {
        message = activity;
        done = completed;
    }

    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    long done() {
        return Math.min(done.getAsLong(), total == 0 ? Long.MAX_VALUE : total);
    }

    long total() {
        return total;
    }

    String unit() {
        return unit;
    }

    String message() {
        return message.get();
    }
}
