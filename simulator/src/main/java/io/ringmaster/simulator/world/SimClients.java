package io.ringmaster.simulator.world;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.RingView.ClientSeen;
import io.ringmaster.simulator.history.VirtualClock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Clients that are connected to the nodes of a cluster in a datacenter. */
public final class SimClients {
    private final VirtualClock clock;
    private final Map<String, Long> connectedSinceMillis = new TreeMap<>();

    SimClients(VirtualClock clock) {
        this.clock = clock;
    }

    public void connect(ClusterName cluster, DatacenterName datacenter) {
        connectedSinceMillis.putIfAbsent(key(cluster, datacenter), clock.nowMillis());
    }

    public void disconnect(ClusterName cluster, DatacenterName datacenter) {
        connectedSinceMillis.remove(key(cluster, datacenter));
    }

    /** Whether clients have been connected there for longer than this. */
    public boolean areConnectedFor(long millis, ClusterName cluster, DatacenterName datacenter) {
        Long since = connectedSinceMillis.get(key(cluster, datacenter));
        return since != null && clock.nowMillis() - since > millis;
    }

    List<ClientSeen> seenBy(SimNode node) {
        boolean connected = connectedSinceMillis.containsKey(key(node.cluster(), node.datacenter()));
        return connected ? List.of(new ClientSeen("10.1.0.4", "anna", "a driver 4.1", 2)) : List.of();
    }

    private static String key(ClusterName cluster, DatacenterName datacenter) {
        return cluster + "/" + datacenter;
    }
}
