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
        Stream<NodeRecord> informed = view.nodesOf(cluster).stream()
                .filter(NodeRecord::launched)
                .map(n -> n.joined() ? n.inform() : n.inform().owing(view.now()));
        return Stream.concat(Stream.of(record.complete()), informed)
                .<Change>map(Change.Put::new)
                .toList();
    }

    /** What follows from the first launch of a node here before the cluster is created. */
    public static List<Change> founding(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        return record == null || record.founder() || Seeds.created(view, cluster)
                ? List.of()
                : List.of(new Change.Put(record.founding()));
    }

    /**
     * Marks a cluster as created even if no plan here did. Reasons: another datacenter completed the ring of the nodes
     * here; the plan for a created cluster is complete here, although its step that marks it was declared done before
     * its turn; or a node here serves clients or has a user keyspace, because somebody opened CQL by hand or an older
     * release did so early. A node that is still joining without bootstrap starts again with bootstrap.
     *
     * <p>A restore makes keyspaces before the cluster is created. There only an open CQL counts, and that not before
     * all data is there.
     */
    public static List<Change> observed(View view, ClusterName cluster) {
        ClusterRecord record = view.clusters().get(cluster);
        if (record == null || record.created() || record.deleting() || !isNamed(view, cluster)) {
            return List.of();
        }
        if (Seeds.created(view, cluster)) {
            boolean settled = view.settledSpecVersion(cluster) >= record.targetSpecVersion();
            return record.founder() || settled ? complete(view, cluster) : List.of();
        }
        if (Restoration.incomplete(view, cluster).isPresent()) {
            return List.of();
        }
        boolean restored = Restoration.of(view, cluster).isPresent();
        boolean mayHoldData = view.nodesOf(cluster).stream()
                .flatMap(n -> view.status(n.id()).stream())
                .anyMatch(restored ? Creation::isOpen : Creation::mayHoldData);
        return mayHoldData ? complete(view, cluster) : List.of();
    }

    private static boolean isNamed(View view, ClusterName cluster) {
        return view.targetSpec(cluster)
                .flatMap(s -> s.spec().datacenter(view.datacenter()))
                .isPresent();
    }

    /** Whether the daemon was started for a cluster that was not created, and has not been opened to clients since. */
    public static boolean awaits(View view, NodeRecord node) {
        return view.status(node.id())
                .flatMap(s -> Optional.ofNullable(s.ring()))
                .filter(r -> r.clientAccess() == ClientAccess.AWAITS_CREATION)
                .isPresent();
    }

    private static boolean isOpen(NodeStatus status) {
        return status.ring() != null && status.ring().clientAccess() == ClientAccess.OPEN;
    }

    /** An older executor, which does not report the access, opened its node as soon as it was NORMAL. */
    private static boolean mayHoldData(NodeStatus status) {
        RingView ring = status.ring();
        return isOpen(status)
                || (ring != null
                        && (!ring.keyspaces().isEmpty()
                                || (ring.clientAccess() == null && status.mode() == OperatingMode.NORMAL)));
    }
}
