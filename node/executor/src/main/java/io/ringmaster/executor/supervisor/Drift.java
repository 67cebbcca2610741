package io.ringmaster.executor.supervisor;

import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.Installation;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.executor.configuration.NodeFiles;
import io.ringmaster.executor.daemon.DaemonState;
import io.ringmaster.executor.daemon.LiveSettings;
import io.ringmaster.executor.settings.LiveChange;
import io.ringmaster.model.node.NodeTarget;
import io.ringmaster.model.spec.LiveParameters;
import java.util.Optional;

/** The difference between a target at an address and the running daemon. */
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

    private boolean isNone() {
        LiveSettings live = state.live();
        return fingerprint(target).equals(state.fingerprint())
                && (live == null || live.unsure().isEmpty());
    }

    private boolean isLiveOnly() {
        LiveSettings live = state.live();
        if (live == null) {
            return false;
        }
        NodeTarget withoutLive =
                target.withCassandraYaml(LiveParameters.with(target.cassandraYaml(), live.configured()));
        return fingerprint(withoutLive).equals(state.fingerprint())
                && LiveChange.between(live, target.cassandraYaml()).isPresent();
    }

    private String fingerprint(NodeTarget of) {
        return Configurations.of(of, address, files, installation, state.joined())
                .fingerprint();
    }
}
