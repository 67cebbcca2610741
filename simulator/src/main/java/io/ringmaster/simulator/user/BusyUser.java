package io.ringmaster.simulator.user;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import java.util.Map;

/** A user who compacts whole clusters all the time, so that many requests are carried out in all datacenters. */
public final class BusyUser extends Participant {
    private final UserRequests requests;

    public BusyUser(VirtualClock clock, UserRequests requests, SeededRandom random) {
        super(clock, random, 5000, 20_000);
        this.requests = requests;
    }

    @Override
    protected void act() {
        ClusterName cluster = random.pick(Workload.CLUSTERS);
        requests.ask("compact " + cluster, c -> c.requests().ask("compact", cluster, Map.of(), "busy", "", false));
    }
}
