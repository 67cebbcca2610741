package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.daemon.Preflight;
import io.ringmaster.model.error.Problem;
import java.io.IOException;
import java.util.Optional;

/**
 * The failures of the executor's own work. Each is in the log once. It is a problem of the node at once if its volume
 * is full or cannot be written, else when it lasts.
 */
final class OwnFailures {
    private final NodeFiles files;
    private final StatusReporter reporter;
    private final FailureStreak turns = new FailureStreak("cannot advance");
    private final FailureStreak saves = new FailureStreak("cannot store the state of the daemon");
    private final FailureStreak tasks = new FailureStreak("cannot store the end of the task");
    private final FailureStreak transfers = new FailureStreak("cannot advance the transfer");

    OwnFailures(NodeFiles files, StatusReporter reporter) {
        this.files = files;
        this.reporter = reporter;
    }

    void turnFailed(Exception e) {
        problem(turns, e).ifPresent(reporter::setProblem);
    }

    void turnPassed() {
        passed(turns);
    }

    void taskFailed(IOException e) {
        problem(tasks, e).ifPresent(reporter::setProblem);
    }

    void taskPassed() {
        passed(tasks);
    }

    /** For the log: a transfer that stops is no problem of the node. */
    void transferFailed(Exception e) {
        transfers.failed(e);
    }

    void transferPassed() {
        transfers.passed();
    }

    /** Stores what was observed. A failed write is a problem, and the next observation tries again. */
    Optional<Problem> save(DaemonStateFile state) {
        try {
            state.save();
            passed(saves);
            return Optional.empty();
        } catch (IOException e) {
            return problem(saves, e);
        }
    }

    private Optional<Problem> problem(FailureStreak what, Exception e) {
        Optional<Problem> lasting = what.failed(e);
        return Preflight.ofVolume(files, e).or(() -> lasting);
    }

    private void passed(FailureStreak what) {
        if (what.passed()) {
            reporter.executorRecovered();
        }
    }
}
