package io.ringmaster.model.plan;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step and how far it is.
 *
 * @param name unique in its plan: {@code dc1 node-0}
 * @param type its name in the catalogue of steps, with {@code args} enough to make the step again after a restart
 * @param memory what the step asked to remember between two looks; survives restarts
 * @param reason what it does or waits for, shown unchanged in CLI, API and web
 * @param since when that reason began
 */
public record StepState(
        String name,
        String type,
        Map<String, String> args,
        Map<String, String> memory,
        Status status,
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String reason,
        @Nullable Instant since,
        @Nullable Problem problem) {
    /** The type of the step that brings one node to a version of the spec: it starts, restarts or changes the node. */
    public static final String DEPLOY_NODE = "deploy-node";

    private static final String NODE = "node";


    public StepState {
        args = Ordered.copy(args);
        memory = Ordered.copy(memory);
    }

    /** The node that the step concerns; empty for a step that concerns a cluster, a datacenter or a volume. */
    public Optional<NodeId> node() {
        return Optional.ofNullable(args.get(NODE)).map(NodeId::of);
    }

    public enum Status {
        PENDING,
        RUNNING,
        WAITING,
        DONE,
        FAILED,
        /** Declared done by the user. */
        FORCED;

        public boolean isOver() {
            return this == DONE || this == FORCED;
        }
    }
}
