package io.ringmaster.simulator.user;

import io.ringmaster.simulator.history.Participant;
import io.ringmaster.simulator.history.SeededRandom;
import io.ringmaster.simulator.history.VirtualClock;
import java.util.Map;

/** A user who compacts whole clusters all the time, so that many requests are carried out in all datacenters. */
public final class BusyUser implements Participant {
    private final VirtualClock clock;
    private final UserRequests requests;
    /** Not that of the run, so that the other users and the faults are the same without this user. */
    private final SeededRandom random;

    private boolean stopped;

    public BusyUser(VirtualClock clock, UserRequests requests, SeededRandom random) {
        this.clock = clock;
        this.requests = requests;
        this.random = random;
    }

    @Override
    public void start() {
        clock.after(random.between(5000, 20_000), () -> {
            if (!stopped) {
                var cluster = random.pick(Workload.CLUSTERS);
                requests.ask(
                        "compact " + cluster, c -> c.requests().ask("compact", cluster, Map.of(), "busy", "", false));
                start();
            }
        });
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
