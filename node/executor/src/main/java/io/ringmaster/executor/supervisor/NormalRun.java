package io.ringmaster.executor.supervisor;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How long the present daemon has been NORMAL, whatever the clock of the machine does. */
final class NormalRun {
    /** A daemon that was NORMAL for this long has proven its configuration: its earlier exits say nothing any more. */
    static final Duration PROVES = Duration.ofMinutes(10);

    private final LongSupplier nanoTime;
    private @Nullable Long since;

    NormalRun() {
        this(System::nanoTime);
    }

    NormalRun(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The daemon is NORMAL. */
    void observed() {
        since = since == null ? Long.valueOf(nanoTime.getAsLong()) : since;
    }

    /** Another daemon starts, or none. */
    void ended() {
        since = null;
    }

    Duration length() {
        Long from = since;
        return from == null ? Duration.ZERO : Duration.ofNanos(nanoTime.getAsLong() - from);
    }

    boolean provesConfiguration() {
        return length().compareTo(PROVES) >= 0;
    }
}
