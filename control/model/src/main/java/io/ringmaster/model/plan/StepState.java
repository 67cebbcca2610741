package io.ringmaster.model.plan;

import io.ringmaster.model.Ordered;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stored step and its progress.
 *
 * @param name unique in its plan: {@code dc1 node-0}
 * @param type its name in the catalogue of steps
 * @param args what the catalogue needs to make the step again after a restart
 * @param memory what the step asked to remember between two evaluations; survives restarts
 * @param reason what the step does or waits for, shown unchanged in CLI and API
 * @param since when that reason started
 * @param change how the step changes its node: as planned, and as decided once the step has started; null for a
 *     step that applies no spec version to a node, and in plans that were stored before this field existed
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
        @Nullable Problem problem,
        @Nullable NodeChangeKind change) {
    /** The type of the step that starts a node, or applies a version of the spec to it. */
    public static final String DEPLOY_NODE = "deploy-node";

    /** The type of the step that replaces a dead node. */
    public static final String REPLACE_NODE = "replace-node";

    /** The type of the step that moves a node away from a machine. */
    public static final String EVACUATE_NODE = "evacuate-node";

    /** How the keys start of what a step has decided for good, in its memory: a retry goes on with it. */
    public static final String KEPT = "kept.";

    private static final String NODE = "node";

    public StepState {
        args = Ordered.copy(args);
        memory = Ordered.copy(memory);
    }

    /** The part of the memory with which a retry starts. */
    public Map<String, String> kept() {
        Map<String, String> kept = new TreeMap<>(memory);
        kept.keySet().removeIf(key -> !key.startsWith(KEPT));
        return kept;
    }

    /** A step that applies no spec version to a node. */
    public StepState(
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
        this(name, type, args, memory, status, startedAt, endedAt, reason, since, problem, null);
    }

    /** The node that the step concerns; empty for a step that concerns a cluster, a datacenter or a volume. */
    public Optional<NodeId> node() {
        return Optional.ofNullable(args.get(NODE)).map(NodeId::of);
    }

    /** This state with another decision about how the step changes its node. */
    public StepState changing(NodeChangeKind kind) {
        return new StepState(name, type, args, memory, status, startedAt, endedAt, reason, since, problem, kind);
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
