package io.ringmaster.core.safety;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Marks clusters as created: from then on every node joins with bootstrap, and accepts clients. */
public final class Creation {
    private Creation() {}

    /** A new generation informs the executors. Empty if this datacenter has already marked the cluster. */
    public static List<Change> complete(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.created()) {
            return List.of();
        }
        Stream<NodeRecord> informed =
                view.nodesOf(cluster).stream().filter(NodeRecord::launched).map(n -> n.decide(n.specVersion()));
        return Stream.concat(Stream.of(record.withCreated(true)), informed)
                .<Change>map(Change.Put::new)
                .toList();
    }

    /**
     * A cluster may hold data as soon as a node of it serves clients or knows a keyspace of theirs, whatever its
     * records say: somebody opened CQL by hand, or an older release did so before the ring was complete.
     */
    public static List<Change> ofServing(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        boolean serves = record != null
                && !record.deleting()
                && !Seeds.created(view, cluster)
                && view.nodesOf(cluster).stream()
                        .flatMap(n -> view.status(n.id()).stream())
                        .map(NodeStatus::ring)
                        .filter(Objects::nonNull)
                        .anyMatch(Creation::mayHoldData);
        return serves ? complete(view, cluster) : List.of();
    }

    private static boolean mayHoldData(RingView ring) {
        return Boolean.TRUE.equals(ring.openToClients()) || !ring.keyspaces().isEmpty();
    }
}
