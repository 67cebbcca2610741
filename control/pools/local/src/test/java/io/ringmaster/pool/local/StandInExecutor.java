package io.ringmaster.pool.local;

import java.util.List;

/** A process that stands in for an executor and has a child that stands in for the daemon; both only wait. */
final class StandInExecutor {
    /** The child outlives its parent, as the daemon outlives the executor. */
    static final ExecutorProgram WITH_DAEMON = (directory, target, progress) -> {
        progress.accept("brings nothing");
        return List.of("sh", "-c", "setsid sleep 600 & echo stand-in is up; exec sleep 601");
    };

    private StandInExecutor() {}
}
