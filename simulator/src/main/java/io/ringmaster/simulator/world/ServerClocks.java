package io.ringmaster.simulator.world;

import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.simulator.history.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** The clock of each datacenter's servers. A step changes what they read; no timer waits longer or shorter. */
public final class ServerClocks {
    private final VirtualClock clock;
    private final Map<DatacenterName, Duration> ahead = new TreeMap<>();

    ServerClocks(VirtualClock clock) {
        this.clock = clock;
    }

    /** The time that a server of the datacenter reads. */
    public Instant now(DatacenterName datacenter) {
        return clock.now().plus(ahead.getOrDefault(datacenter, Duration.ZERO));
    }

    /** @param difference to the right time, from now on */
    public void step(DatacenterName datacenter, Duration difference) {
        ahead.put(datacenter, difference);
    }
}
