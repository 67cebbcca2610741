package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.name.ClusterName;
import io.ringmaster.model.node.NodeTask;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/** The nodes of a backup take their snapshots within seconds of each other, or none does. */
public final class SnapshotCheck {
    private SnapshotCheck() {}

    /** Why the nodes cannot take their snapshots together now. */
    public static Optional<String> blocked(View view, ClusterName cluster) {
        return view.nodesOf(cluster).stream()
                .filter(NodeRecord::launched)
                .filter(n -> n.task() == null || n.task().kind() != NodeTask.Kind.BACKUP_SNAPSHOT)
                .flatMap(n -> AvailabilityCheck.unsettled(view, n).or(() -> busy(n)).stream())
                .findFirst()
                .or(() -> AvailabilityCheck.notNormalElsewhere(view, cluster));
    }

    /** Whether a snapshot may take the place of this task: a repair continues after it where it was. */
    public static boolean mayInterrupt(NodeTask task) {
        return task.kind() == NodeTask.Kind.REPAIR;
    }

    private static Optional<String> busy(NodeRecord node) {
        return Optional.ofNullable(node.task())
                .filter(t -> !mayInterrupt(t))
                .map(t -> node.id().shortName() + " runs a task: " + t.kind().label());
    }
}
