package io.ringmaster.transfer;

import io.ringmaster.json.Json;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.node.TaskStatus;
import io.ringmaster.model.node.TaskStatus.State;
import java.io.PrintStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes a status a second, and one at the end. */
final class ReportLines {
    private static final long PERIOD_MS = 1000;

    private final NodeTask task;
    private final TransferProgress progress;
    private final PrintStream output;
    private final Instant startedAt = Instant.now();
    private boolean ended;

    ReportLines(NodeTask task, TransferProgress progress, PrintStream output) {
        this.task = task;
        this.progress = progress;
        this.output = output;
    }

    void start() {
        var thread = new Thread(this::repeat, "reports");
        thread.setDaemon(true);
        thread.start();
    }

    private void repeat() {
        try {
            while (write(State.RUNNING, progress.message(), null)) {
                Thread.sleep(PERIOD_MS);
            }
        } catch (InterruptedException e) {
            // the program ends
        }
    }

    void end(boolean done, String message) {
        write(done ? State.DONE : State.FAILED, message, Instant.now());
    }

    /** @return false after the last status */
    private synchronized boolean write(State state, String message, @Nullable Instant endedAt) {
        if (ended) {
            return false;
        }
        ended = state.isOver();
        var status = new TaskStatus(
                task.id(), task.kind(), state, progress.done(), progress.total(), "bytes", message, startedAt, endedAt);
        output.println(Json.text(status));
        output.flush();
        return true;
    }
}
