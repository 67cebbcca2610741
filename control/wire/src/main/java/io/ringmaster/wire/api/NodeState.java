package io.ringmaster.wire.api;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.MachineName;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.name.RackName;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.node.RingView.KeyspaceSeen;
import io.ringmaster.model.node.Stage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node as people look at it. Of a node in a datacenter that does not answer only what was last reported is known; the rest is null.
 *
 * @param storageEndpoint {@code address:storage_port}
 * @param cqlEndpoint {@code address:native_transport_port}
 * @param seed designated a seed by the spec
 * @param joined was NORMAL once
 * @param activity what it does or waits for
 * @param since when mode or activity last changed
 * @param stagesMs how long each start-up stage took, in milliseconds; stages not reached are absent
 * @param specVersion the version it should run with
 * @param appliedSpecVersion the version that the running daemon has
 * @param exits how often the daemon ended without being asked
 * @param ownership the fraction of its datacenter's ring that is primarily its own, 0 to 1
 * @param seesNormal how many nodes of the cluster, itself included, it sees NORMAL
 * @param keyspaces of the users, as it tells
 * @param silence why its executor does not answer, or null
 * @param warning a limit that is not in force, or null
 * @param setLive the parameters of cassandra.yaml that were changed in the running daemon, with the values it tells
 */
public record NodeState(
        NodeId node,
        @Nullable RackName rack,
        @Nullable MachineName machine,
        String storageEndpoint,
        @Nullable String cqlEndpoint,
        boolean seed,
        boolean joined,
        OperatingMode mode,
        String activity,
        @Nullable Instant since,
        Map<Stage, Long> stagesMs,
        @Nullable Long specVersion,
        @Nullable Long appliedSpecVersion,
        @Nullable Integer exits,
        @Nullable String releaseVersion,
        @Nullable String schemaVersion,
        @Nullable Long loadBytes,
        @Nullable Double ownership,
        @Nullable Long pendingHintsBytes,
        @Nullable Integer seesNormal,
        List<KeyspaceSeen> keyspaces,
        @Nullable String silence,
        @Nullable Problem problem,
        @Nullable String warning,
        Map<String, String> setLive) {
    public NodeState {
        stagesMs = Ordered.copy(stagesMs);
        // older servers do not tell them
        keyspaces = keyspaces == null ? List.of() : List.copyOf(keyspaces);
        setLive = setLive == null ? Map.of() : Ordered.copy(setLive);
    }
}
