package io.ringmaster.companion.task;

import java.util.function.LongSupplier;

/** How far a piece of work is; written by its thread, read by others. */
final class Progress {
    private volatile long total;
    private volatile String unit = "";
    private volatile String message = "begins";
    private volatile boolean stopped;
    private volatile LongSupplier done = () -> 0;

    /** @param ofTotal 0 when it is not known */
    void expect(long ofTotal, String inUnit) {
        total = ofTotal;
        unit = inUnit;
    }

    /** @param soFar asked whenever somebody looks */
    void at(String doing, LongSupplier soFar) {
        message = doing;
        done = soFar;
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
        return message;
    }
}
