package io.ringmaster.executor.daemon;

import io.ringmaster.executor.configuration.Configurations;
import io.ringmaster.executor.configuration.NodeAddress;
import io.ringmaster.model.node.NodeTarget;

/**
 * What a daemon was started for: an order of the servers. Only another order restarts a daemon, whatever files an
 * executor of another release would make of the same one.
 *
 * @param target the part of the target that a daemon keeps until its end, apart from live parameters
 * @param address where the daemon listens
 */
public record Asked(NodeTarget target, NodeAddress address) {
    public Asked {
        target = Configurations.lasting(target);
    }
}
