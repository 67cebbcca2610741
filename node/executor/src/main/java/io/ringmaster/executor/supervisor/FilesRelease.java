package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.log.Log;
import io.ringmaster.model.node.OperatingMode;
import java.util.function.Supplier;

/** Whether the daemon runs with files that another release of Ringmaster generated: its next restart ends that. */
final class FilesRelease {
    private boolean known;
    private boolean other;

    /** @param adopted whether another executor started the daemon that runs */
    FilesRelease(boolean adopted) {
        this.known = !adopted;
    }

    /** This executor starts a daemon, with its own files. */
    void daemonStarted() {
        known = true;
        other = false;
    }

    /** @param drift asked for once, because it generates all files */
    void look(Supplier<Drift> drift) {
        if (known) {
            return;
        }
        known = true;
        other = drift.get().isOfAnotherRelease();
        if (other) {
            Log.info("the daemon runs with files of another release of Ringmaster: its next restart writes new ones");
        }
    }

    String with(OperatingMode mode, String activity) {
        return mode == OperatingMode.NORMAL && other
                ? activity + "; its files are of another release of Ringmaster until its next restart"
                : activity;
    }
}
