package io.ringmaster.engine.real;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What a random table of the soak test is for. Each avoids the cases in which two stock clusters may differ, because
 * they got the same statement at different times.
 */
enum SoakKind {
    /**
     * Timestamps are often equal, and nothing is purged. No TTL, because the expiry times, which differ, would decide
     * between equal timestamps.
     */
    TIED,
    /** Deletions are purged soon. Timestamps rise, because a purged deletion does not shadow what is written later. */
    PURGED,
    /**
     * Rows expire and are purged. Nothing that is written depends on what is read (lightweight transactions, indexes of
     * lists), because a row may have expired on one cluster only.
     */
    EXPIRING;

    static final String LIST = "list<text>";

    /** In seconds. */
    private static final int TTL = 3;

    List<String> valueTypes() {
        return Schema.VALUES.keySet().stream()
                .filter(type -> this != EXPIRING || !type.equals(LIST))
                .sorted()
                .toList();
    }

    Statements statements(Schema schema, Random random) {
        LongSupplier timestamps = this == TIED ? Statements.fewTimestamps(random) : clock();
        return new Statements(schema, random, timestamps, this == EXPIRING ? TTL : 0, this != EXPIRING);
    }

    /** The time in microseconds; greater than each one before. */
    private static LongSupplier clock() {
        AtomicLong last = new AtomicLong();
        return () -> last.updateAndGet(before -> Math.max(before + 1, System.currentTimeMillis() * 1000));
    }
}
