package io.ringmaster.simulator.user;

import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;

/** A user who declares other roles for the clusters that have some, and changes nothing else. */
public final class RoleUser extends Participant {
    private final UserRequests requests;

    public RoleUser(VirtualClock clock, UserRequests requests, SeededRandom random) {
        super(clock, random, 5000, 40_000);
        this.requests = requests;
    }

    @Override
    protected void act() {
        requests.change(random.pick(Workload.CLUSTERS), this::changed);
    }

    private ClusterSpec changed(ClusterSpec spec) {
        return spec.requiresLogin() ? RandomRoles.withRoles(spec, random) : spec;
    }
}
