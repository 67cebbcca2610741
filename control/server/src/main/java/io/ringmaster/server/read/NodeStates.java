package io.ringmaster.server.read;

import io.ringmaster.core.status.LocalClusterStatus.NodeLine;
import io.ringmaster.core.view.Observation;
import io.ringmaster.core.view.View;
import io.ringmaster.model.fleet.AllocationState;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.RingView;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.node.VolumeUse;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.wire.api.NodeState;
import io.ringmaster.wire.api.NodeVolume;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Builds a {@link NodeState} from the core's status line, the record, the executor's report and the pool. */
final class NodeStates {
    private NodeStates() {}

    static NodeState of(View view, NodeLine line) {
        NodeRecord record = view.nodes().get(line.node());
        Observation<NodeStatus> observation = view.statuses().get(line.node());
        NodeStatus status = view.status(line.node()).orElse(null);
        RingView ring = status == null ? null : status.ring();
        return new NodeState(
                line.node(),
                line.rack(),
                line.machine(),
                line.hostId(),
                line.storageEndpoint(),
                line.contactPoint(),
                line.seed(),
                record != null && record.joined(),
                line.mode(),
                line.activity(),
                line.since(),
                stagesMs(record == null ? null : record.reservedAt(), line.stages()),
                line.stages(),
                record == null ? null : record.specVersion(),
                status == null ? null : status.appliedSpecVersion(),
                status == null ? null : status.exits(),
                line.releaseVersion(),
                line.schemaVersion(),
                line.loadBytes(),
                line.ownership(),
                ring == null ? null : ring.pendingHintsBytes(),
                ring == null
                        ? null
                        : (int) ring.members().stream()
                                .filter(RingView.PeerSeen::isNormal)
                                .count(),
                ring == null ? List.of() : ring.keyspaces(),
                observation == null ? null : observation.silence(),
                line.problem(),
                record == null ? null : warning(view, record),
                status == null ? null : status.transfer(),
                status == null ? Map.of() : status.setLive(),
                record == null || status == null ? null : volume(record, status.volume()));
    }

    private static @Nullable NodeVolume volume(NodeRecord record, @Nullable VolumeUse use) {
        return use == null
                ? null
                : new NodeVolume(
                        use.usedBytes(),
                        use.snapshotBytes(),
                        record.allocation().resources().diskBytes(),
                        use.totalBytes(),
                        use.usableBytes());
    }

    private static @Nullable String warning(View view, NodeRecord record) {
        AllocationState allocation = view.allocations().get(record.allocation().id());
        return allocation == null ? null : allocation.warning();
    }

    /**
     * The durations of the stages from the instants at which they were reached. The first starts with the decision to
     * reserve.
     */
    static Map<Stage, Long> stagesMs(@Nullable Instant reserved, Map<Stage, Instant> reached) {
        var took = new TreeMap<Stage, Long>();
        Instant before = reached.containsKey(Stage.OFFER) ? reserved : null;
        for (Stage stage : Stage.values()) {
            Instant at = reached.get(stage);
            if (at != null && before != null && !at.isBefore(before)) {
                took.put(stage, Duration.between(before, at).toMillis());
            }
            if (at != null) {
                before = at;
            }
        }
        return took;
    }
}
