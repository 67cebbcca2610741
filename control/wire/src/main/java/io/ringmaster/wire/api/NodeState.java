package io.ringmaster.wire.api;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.model.node.Stage;
import io.ringmaster.model.node.TaskStatus;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of one node for people. For a node in a datacenter that does not answer, only the fields of its last report
 * are known; the others are null.
 *
 * @param hostId by which the ring knows it, whatever its address; null before it was NORMAL
 * @param storageEndpoint {@code address:storage_port}; null while its address is not known
 * @param cqlEndpoint {@code address:native_transport_port}
 * @param seed whether the spec designates it as a seed
 * @param joined whether it was NORMAL once
 * @param activity what it does or waits for
 * @param since when mode or activity last changed
 * @param stagesMs the duration of each start-up stage in milliseconds; stages not reached are absent
 * @param stagesAt the end of each start-up stage
 * @param specVersion the spec version that it should run with
 * @param appliedSpecVersion the spec version of the running daemon
 * @param exits the number of unexpected exits of the daemon
 * @param effectiveOwnership the share of all rows that the node holds, 0 to 1, by user keyspace
 * @param seesNormal the number of nodes of the cluster, itself included, that it sees NORMAL
 * @param keyspaces the user keyspaces that the node reports
 * @param silence why its executor does not answer, or null
 * @param warning a limit that is not in force, or null
 * @param transfer the bytes of a backup that move between it and a store, or null
 * @param setLive the parameters of cassandra.yaml that were changed in the running daemon, with the reported values
 * @param volume the room on its volume, or null while it is not known
 */
@RecordBuilder
public record NodeState(
        NodeId node,
        @Nullable RackName rack,
        @Nullable MachineName machine,
        @Nullable String hostId,
        @Nullable String storageEndpoint,
        @Nullable String cqlEndpoint,
        boolean seed,
        boolean joined,
        OperatingMode mode,
        String activity,
        @Nullable Instant since,
        Map<Stage, Long> stagesMs,
        Map<Stage, Instant> stagesAt,
        @Nullable Long specVersion,
        @Nullable Long appliedSpecVersion,
        @Nullable Integer exits,
        @Nullable String releaseVersion,
        @Nullable String schemaVersion,
        @Nullable Long loadBytes,
        Map<String, Double> effectiveOwnership,
        @Nullable Long pendingHintsBytes,
        @Nullable Integer seesNormal,
        List<KeyspaceSeen> keyspaces,
        @Nullable String silence,
        @Nullable Problem problem,
        @Nullable String warning,
        @Nullable TaskStatus transfer,
        Map<String, String> setLive,
        @Nullable NodeVolume volume) {
    public NodeState {
        stagesMs = Ordered.copy(stagesMs);
        // servers of older versions do not send them
        stagesAt = stagesAt == null ? Map.of() : Ordered.copy(stagesAt);
        effectiveOwnership = effectiveOwnership == null ? Map.of() : Ordered.copy(effectiveOwnership);
        keyspaces = keyspaces == null ? List.of() : List.copyOf(keyspaces);
        setLive = setLive == null ? Map.of() : Ordered.copy(setLive);
    }
}
