package io.ringmaster.model.node;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of an executor about its node.
 *
 * @param generation the generation of the last target that the executor took
 * @param appliedSpecVersion the version of the configuration that the running daemon has; 0 before any
 * @param appliedRestarts the restart counter that the running daemon satisfies
 * @param activity what the node does now, for people: "reading system tables"
 * @param since when mode or activity last changed
 * @param stages when each start-up stage was reached
 * @param exits how often the daemon exited unexpectedly since the target last changed, and since it was last NORMAL for
 *     ten minutes
 * @param problem the current problem, or null
 * @param ring the node's own view of the ring, or null before the daemon answers
 * @param task the progress of the task that the daemon still runs although the target in force does not name it, else
 *     of the task of that target; null before it started, or without a task
 * @param transfer the same of the transfer of the target; older executors do not report it
 * @param setLive the parameters that were changed in the running daemon since it started, as the daemon reports
 *     them
 * @param seedProviderUrls the servers that the node asks for its seeds; null from older executors and before the first
 *     target
 * @param tls null from an executor that does not know TLS between nodes
 * @param volume null before the first measurement, after one that failed, and from older executors
 */
@RecordBuilder
public record NodeStatus(
        NodeId node,
        long generation,
        long appliedSpecVersion,
        long appliedRestarts,
        OperatingMode mode,
        String activity,
        Instant since,
        Map<Stage, Instant> stages,
        long executorPid,
        @Nullable Long daemonPid,
        int exits,
        @Nullable Problem problem,
        @Nullable RingView ring,
        @Nullable TaskStatus task,
        @Nullable TaskStatus transfer,
        Map<String, String> setLive,
        @Nullable List<String> seedProviderUrls,
        @Nullable TlsStatus tls,
        @Nullable VolumeUse volume) {

    public NodeStatus {
        stages = Ordered.copy(stages);
        setLive = setLive == null ? Map.of() : Ordered.copy(setLive); // older executors do not report it
        seedProviderUrls = seedProviderUrls == null ? null : List.copyOf(seedProviderUrls);
    }

    /** A status without a transfer, TLS, the bytes of the volume and the servers that the node asks for its seeds. */
    public NodeStatus(
            NodeId node,
            long generation,
            long appliedSpecVersion,
            long appliedRestarts,
            OperatingMode mode,
            String activity,
            Instant since,
            Map<Stage, Instant> stages,
            long executorPid,
            @Nullable Long daemonPid,
            int exits,
            @Nullable Problem problem,
            @Nullable RingView ring,
            @Nullable TaskStatus task,
            Map<String, String> setLive) {
        this(
                node,
                generation,
                appliedSpecVersion,
                appliedRestarts,
                mode,
                activity,
                since,
                stages,
                executorPid,
                daemonPid,
                exits,
                problem,
                ring,
                task,
                null,
                setLive,
                null,
                null,
                null);
    }
}
