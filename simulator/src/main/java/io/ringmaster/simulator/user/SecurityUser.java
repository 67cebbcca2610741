package io.ringmaster.simulator.user;

import io.ringmaster.model.spec.ClusterSpec;
import io.ringmaster.model.spec.TlsSpec;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;

/** A user who declares other roles for the clusters that have some, and other TLS for any, which may be refused. */
public final class SecurityUser extends Participant {
    private final UserRequests requests;

    public SecurityUser(VirtualClock clock, UserRequests requests, SeededRandom random) {
        super(clock, random, 5000, 40_000);
        this.requests = requests;
    }

    @Override
    protected void act() {
        requests.change(random.pick(Workload.CLUSTERS), this::changed);
    }

    private ClusterSpec changed(ClusterSpec spec) {
        if (random.chance(0.2)) {
            return random.chance(0.7) ? RandomSpecs.withTls(spec, random) : spec.with((TlsSpec) null);
        }
        return spec.requiresLogin() ? RandomRoles.withRoles(spec, random) : spec;
    }
}
