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
import io.ringmaster.executor.log.Log;
import io.ringmaster.executor.settings.LiveChange;
import io.ringmaster.executor.settings.LiveSetter;
import io.ringmaster.executor.settings.LiveSetter.Outcome;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.LiveParameters;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Changes the live parameters of a running daemon and keeps the files and the state on disk equal to them. */
final class LiveUpdater {
    private final NodeAddress address;
    private final NodeFiles files;
    private final Installation installation;
    private final DaemonStateFile state;
    private final LiveSetter setter;
    private @Nullable Problem refusal;
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

    /** Whether the running daemon has no way to change its parameters and must be restarted instead. */
    boolean isUnable() {
        return unable;
    }

    /** A refusal of an older target says nothing about a new one. */
    void targetChanged() {
        refusal = null;
    }

    void daemonStarted() {
        unable = false;
        refusal = null;
    }

    /**
     * Applies the change. The state on disk names the parameters first, so that the next executor sets them again if
     * this one dies in between.
     *
     * @return whether there is a next action right away: the change is complete, or needs a restart
     */
    boolean apply(LiveChange change, NodeTarget target, Daemon running) throws IOException {
        DaemonState before = state.current();
        state.write(before.changing(change.names()));
        Outcome outcome = setter.set(change, running.pid());
        Log.info("live change of the daemon " + running.pid() + ", " + change + ": " + outcome);
        if (outcome instanceof Outcome.Changed changed) {
            Configuration configuration = Configurations.of(target, address, files, installation, before.joined());
            ConfigurationFiles.write(configuration, files);
            boolean another = new Drift(target, address, before, files, installation).isOfAnotherRelease();
            state.write(state.current()
                    .changed(
                            another ? before.fingerprint() : configuration.fingerprint(),
                            LiveParameters.of(target.cassandraYaml()),
                            changed.inForce())
                    .askedFor(new Asked(target, address)));
            return true;
        }
        if (outcome instanceof Outcome.Refused refused) {
            state.write(before);
            refusal = refused.problem();
        } else if (outcome instanceof Outcome.Unable) {
            state.write(before);
            unable = true;
            return true;
        }
        return false;
    }
}
