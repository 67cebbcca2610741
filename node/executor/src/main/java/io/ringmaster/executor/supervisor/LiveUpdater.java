package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Asked;
import io.ringmaster.executor.daemon.Daemon;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.daemon.DaemonStateFile;
import io.ringmaster.executor.daemon.Preflight;
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.settings.LiveChange;
import io.ringmaster.executor.settings.LiveSetter;
import io.ringmaster.executor.settings.LiveSetter.Outcome;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Changes the live parameters of a running daemon and keeps the files and the state on disk equal to them. */
final class LiveUpdater {
    private final NodeAddress address;
    private final NodeFiles files;
    private final Installation installation;
    private final DaemonStateFile state;
    private final LiveSetter setter;
    private @Nullable Problem refusal;
    private @Nullable LiveChange unrecorded;
    private boolean unable;

    LiveUpdater(
            NodeAddress address, NodeFiles files, Installation installation, DaemonStateFile state, LiveSetter setter) {
        this.address = address;
        this.files = files;
        this.installation = installation;
        this.state = state;
        this.setter = setter;
    }

    /** Why the running daemon refused the target's changes, if it did; it serves with its old configuration. */
    @Nullable
    Problem refusal() {
        return refusal;
    }

    /** Whether a change should be made now; one that could not be recorded waits for a volume that can be written. */
    boolean isDue() {
        return refusal == null
                && (unrecorded == null || Preflight.unwritable(files).isEmpty());
    }

    /** The problem of the volume that a change waits for; empty if none does. */
    Optional<Problem> waiting() {
        LiveChange change = unrecorded;
        return change == null
                ? Optional.empty()
                : Preflight.unwritable(files)
                        .map(volume -> new Problem(
                                volume.code(),
                                volume.field(),
                                volume.message() + "; the change of " + String.join(", ", change.names())
                                        + " waits for that",
                                volume.nextStep()));
    }

    /** Whether the running daemon has no way to change its parameters and must be restarted instead. */
    boolean isUnable() {
        return unable;
    }

    /** A refusal of an older target says nothing about a new one. */
    void targetChanged() {
        refusal = null;
        unrecorded = null;
    }

    void daemonStarted() {
        unable = false;
        refusal = null;
        unrecorded = null;
    }

    /**
     * Applies the change. The state on disk names the parameters first, so that the next executor sets them again if
     * this one dies in between: where it cannot, nothing is set. What was set is in memory before it is on disk, so
     * that a failed write sets nothing again.
     *
     * @return whether there is a next action right away: the change is complete, or needs a restart
     */
    boolean apply(LiveChange change, NodeTarget target, Daemon running) throws IOException {
        DaemonState before = state.current();
        if (!isRecorded(change, before)) {
            return false;
        }
        Outcome outcome = setter.set(change, running.pid());
        Log.info("live change of the daemon " + running.pid() + ", " + change + ": " + outcome);
        if (outcome instanceof Outcome.Changed changed) {
            Configuration configuration = Configurations.of(target, address, files, installation, before.joined());
            boolean another = new Drift(target, address, before, files, installation).isOfAnotherRelease();
            state.change(state.current()
                    .changed(
                            another ? before.fingerprint() : configuration.fingerprint(),
                            LiveParameters.of(target.cassandraYaml()),
                            changed.inForce())
                    .askedFor(new Asked(target, address)));
            store(configuration);
            return true;
        }
        if (outcome instanceof Outcome.Refused refused) {
            refusal = refused.problem();
            state.change(before); // the next observation stores it
        } else if (outcome instanceof Outcome.Unable) {
            unable = true;
            state.change(before);
            return true;
        }
        return false;
    }

    /** Records that the change is about to be made; false if the volume cannot be written, and the change waits. */
    private boolean isRecorded(LiveChange change, DaemonState before) throws IOException {
        try {
            state.write(before.changing(change.names()));
            unrecorded = null;
            return true;
        } catch (IOException e) {
            state.change(before);
            if (Preflight.unwritable(files).isEmpty()) {
                throw e;
            }
            unrecorded = change;
            Log.info("cannot record the live change " + change + ", which waits for that: " + e);
            return false;
        }
    }

    /** What fails here is made up for: observations store the state, and the next start writes the files. */
    private void store(Configuration configuration) {
        try {
            ConfigurationFiles.write(configuration, files);
            state.save();
        } catch (IOException e) {
            Log.info("cannot store a live change that was made: " + e);
        }
    }
}
