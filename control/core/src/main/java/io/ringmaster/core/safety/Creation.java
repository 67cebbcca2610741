package io.ringmaster.core.safety;

import io.ringmaster.core.seeds.Seeds;
import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.ClientAccess;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.record.Change;
import io.ringmaster.model.record.ClusterRecord;
import io.ringmaster.model.record.NodeRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Marks clusters as created: from then on every node joins with bootstrap, and accepts clients. */
public final class Creation {
    private static final Set<OperatingMode> NOT_JOINED = Set.of(OperatingMode.STARTING, OperatingMode.JOINING);

    private Creation() {}

    /** A new generation informs the executors. Empty if this datacenter has already marked the cluster. */
    public static List<Change> complete(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.created()) {
            return List.of();
        }
        Stream<NodeRecord> informed =
                view.nodesOf(cluster).stream().filter(NodeRecord::launched).map(NodeRecord::inform);
        return Stream.concat(Stream.of(record.withCreated(true)), informed)
                .<Change>map(Change.Put::new)
                .toList();
    }

    /**
     * Marks a cluster that counts as created whatever the plans here did: a node serves clients or knows a keyspace of
     * theirs, because somebody opened CQL by hand or an older release did so early; or another datacenter completed
     * the ring that the nodes here are members of. A node that was started without bootstrap, and is no member by
     * then, gets a new target and starts again.
     */
    public static List<Change> observed(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.created() || record.deleting()) {
            return List.of();
        }
        List<NodeRecord> nodes = view.nodesOf(cluster);
        if (!Seeds.created(view, cluster)) {
            boolean mayHoldData =
                    nodes.stream().flatMap(n -> view.status(n.id()).stream()).anyMatch(Creation::mayHoldData);
            return mayHoldData ? complete(view, cluster) : List.of();
        }
        List<NodeRecord> waiting = nodes.stream().filter(n -> awaits(view, n)).toList();
        if (waiting.stream().anyMatch(NodeRecord::joined)) {
            return complete(view, cluster);
        }
        return waiting.stream()
                .filter(n -> isJoiningByItsTarget(view, n))
                .<Change>map(n -> new Change.Put(n.inform()))
                .toList();
    }

    /** Whether the daemon was started for a cluster that was not created, and has not been opened to clients since. */
    public static boolean awaits(View view, NodeRecord node) {
        return view.status(node.id())
                .flatMap(Creation::access)
                .filter(ClientAccess.AWAITS_CREATION::equals)
                .isPresent();
    }

    private static boolean isJoiningByItsTarget(View view, NodeRecord node) {
        return view.status(node.id())
                .filter(s -> s.generation() == node.generation() && NOT_JOINED.contains(s.mode()))
                .isPresent();
    }

    /** An older executor, which does not report the access, opened its node as soon as it was NORMAL. */
    private static boolean mayHoldData(NodeStatus status) {
        RingView ring = status.ring();
        return ring != null
                && (!ring.keyspaces().isEmpty()
                        || (ring.clientAccess() == null
                                ? status.mode() == OperatingMode.NORMAL
                                : ring.clientAccess() == ClientAccess.OPEN));
    }

    private static Optional<ClientAccess> access(NodeStatus status) {
        RingView ring = status.ring();
        return Optional.ofNullable(ring == null ? null : ring.clientAccess());
    }
}
