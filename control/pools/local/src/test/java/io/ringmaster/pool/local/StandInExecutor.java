package io.ringmaster.pool.local;

import java.util.List;

/** A stand-in for an executor, with a child as stand-in for the daemon; both only sleep. */
final class StandInExecutor {
    /** The child outlives its parent, as the daemon outlives the executor. */
    static final ExecutorProgram WITH_DAEMON = (start, progress) -> {
        progress.accept("fetches nothing");
        return List.of("sh", "-c", "setsid sleep 600 & echo stand-in is up; exec sleep 601");
    };

    private StandInExecutor() {}
}
