package io.ringmaster.simulator;

import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.name.DatacenterName;
import io.ringmaster.model.node.RingView.ClientSeen;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Services that are connected to the nodes of a cluster in a datacenter. */
final class SimClients {
    private final VirtualClock timeline;
    private final Map<String, Long> sinceMillis = new TreeMap<>();

    SimClients(VirtualClock timeline) {
        this.timeline = timeline;
    }

    void connect(ClusterName cluster, DatacenterName datacenter) {
        sinceMillis.putIfAbsent(key(cluster, datacenter), timeline.nowMillis());
    }

    void disconnect(ClusterName cluster, DatacenterName datacenter) {
        sinceMillis.remove(key(cluster, datacenter));
    }

    boolean areThereFor(long millis, ClusterName cluster, DatacenterName datacenter) {
        Long since = sinceMillis.get(key(cluster, datacenter));
        return since != null && timeline.nowMillis() - since > millis;
    }

    List<ClientSeen> seenBy(SimNode node) {
        boolean there = areThereFor(
                -1, node.allocation.node().cluster(), node.allocation.node().datacenter());
        return there ? List.of(new ClientSeen("10.1.0.4", "anna", "a driver 4.1", 2)) : List.of();
    }

    private static String key(ClusterName cluster, DatacenterName datacenter) {
        return cluster + "/" + datacenter;
    }
}
