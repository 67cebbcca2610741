package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.Configuration;
import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.Asked;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.daemon.LiveSettings;
import io.ringmaster.executor.settings.LiveChange;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.LiveParameters;
import java.util.Optional;

/** The difference between a target at an address, and what the running daemon was started for. */
record Drift(NodeTarget target, NodeAddress address, DaemonState state, NodeFiles files, Installation installation) {

    /**
     * Why the daemon must stop; empty if it may keep running.
     *
     * @param takesLive whether the daemon can change its live parameters
     */
    Optional<String> stopReason(boolean takesLive) {
        if (!target.run()) {
            return Optional.of("stopping as asked");
        }
        if (target.restarts() > state.restarts()) {
            return Optional.of("restarting as asked");
        }
        return isNone() || (takesLive && isLiveOnly())
                ? Optional.empty()
                : Optional.of("restarting with its new configuration");
    }

    /** The part of the difference that can be set live; empty if there is none. */
    Optional<LiveChange> live() {
        LiveSettings live = state.live();
        return live == null
                ? Optional.empty()
                : LiveChange.between(live, target.cassandraYaml()).filter(c -> !c.changesNothing());
    }

    /**
     * Whether an executor of another release generated the files with which the daemon runs. That is no reason to
     * restart it: the next restart writes those of this release.
     */
    boolean isOfAnotherRelease() {
        Asked asked = state.asked();
        return asked != null && !fingerprint(asked.target(), asked.address()).equals(state.fingerprint());
    }

    private boolean isNone() {
        LiveSettings live = state.live();
        return isAsked(target) && (live == null || live.unsure().isEmpty());
    }

    private boolean isLiveOnly() {
        LiveSettings live = state.live();
        if (live == null) {
            return false;
        }
        NodeTarget withoutLive =
                target.withCassandraYaml(LiveParameters.with(target.cassandraYaml(), live.configured()));
        return isAsked(withoutLive)
                && LiveChange.between(live, target.cassandraYaml()).isPresent();
    }

    /** Whether the daemon was started for this: this release would generate the same files for both. */
    private boolean isAsked(NodeTarget wanted) {
        Asked asked = state.asked();
        if (asked == null) {
            // an executor of an earlier release kept the fingerprint of its files alone, and the version of the spec
            Configuration now = Configurations.of(wanted, address, files, installation, state.joined());
            return now.fingerprint().equals(state.fingerprint())
                    || (wanted.specVersion() == state.specVersion() && ConfigurationFiles.agree(now, files));
        }
        return new Asked(wanted, address).equals(asked)
                || fingerprint(wanted, address).equals(fingerprint(asked.target(), asked.address()));
    }

    private String fingerprint(NodeTarget of, NodeAddress at) {
        return Configurations.of(of, at, files, installation, state.joined()).fingerprint();
    }
}
