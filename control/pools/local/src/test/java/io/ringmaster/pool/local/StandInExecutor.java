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

    /** The stand-in runs before it has started its daemon. */
    static void awaitDaemon(AllocationFolder folder) {
        AllocationProcesses processes = new AllocationProcesses(folder);
        Waiting.until(
                "the stand-in executor in " + folder.path() + " starts its daemon",
                () -> processes.all().size() >= 2);
    }
}
