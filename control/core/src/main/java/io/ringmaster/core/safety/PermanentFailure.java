package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.error.Advice;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.name.NodeId;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.OperatingMode;
import io.ringmaster.model.record.NodeRecord;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Whether a node has a problem that waiting does not solve. */
public final class PermanentFailure {
    /**
     * A daemon may exit once for a passing reason. After this many exits with one configuration, without a good run in
     * between, the configuration is the reason.
     */
    public static final int EXITS = 3;

    /** An executor reports that it has failed only when the same cause has lasted for a minute. */
    private static final Set<ErrorCode> FINAL = EnumSet.of(
            ErrorCode.CONFIGURATION_REJECTED,
            ErrorCode.BINARIES_UNAVAILABLE,
            ErrorCode.DISK_FULL,
            ErrorCode.VOLUME_OUTDATED,
            ErrorCode.VOLUME_READ_ONLY,
            ErrorCode.EXECUTOR_FAILED);

    private PermanentFailure() {}

    /** Whether a retry alone cannot fix the problem, which the executor or the pool reported. */
    public static boolean isPermanent(Problem problem) {
        return FINAL.contains(problem.code());
    }

    /** The problem of a node under its newest target; empty while its executor does not answer. */
    public static Optional<Problem> of(View view, NodeId node) {
        NodeRecord record = view.nodes().get(node);
        return view.status(node)
                .filter(s -> record != null && s.generation() >= record.generation())
                .flatMap(PermanentFailure::of);
    }

    /** {@link #of}, but for a volume that is full or cannot be written: the step waits until somebody has mended it. */
    public static Optional<Problem> endingStep(View view, NodeId node) {
        return of(view, node).filter(problem -> !isOfVolume(problem));
    }

    /** Whether no other version of the spec helps, and the node goes on once its volume is mended. */
    public static boolean isOfVolume(Problem problem) {
        return problem.code() == ErrorCode.DISK_FULL || problem.code() == ErrorCode.VOLUME_READ_ONLY;
    }

    /** The setting of its newest target that a NORMAL node refused, so that it still runs as before. */
    public static Optional<Problem> refusal(View view, NodeId node) {
        NodeRecord record = view.nodes().get(node);
        if (record == null) {
            return Optional.empty();
        }
        return view.status(node)
                .filter(s -> s.generation() >= record.generation())
                .filter(s -> s.mode() == OperatingMode.NORMAL && s.appliedSpecVersion() != record.specVersion())
                .map(NodeStatus::problem)
                .filter(p -> p.code() == ErrorCode.CONFIGURATION_REJECTED);
    }

    private static Optional<Problem> of(NodeStatus status) {
        Problem problem = status.problem();
        if (status.mode() == OperatingMode.NORMAL) {
            return Optional.empty();
        }
        if (problem != null && (isPermanent(problem) || status.exits() >= EXITS)) {
            return Optional.of(problem);
        }
        return status.exits() < EXITS
                ? Optional.empty()
                : Optional.of(Problem.of(
                        ErrorCode.DAEMON_FAILED,
                        "Cassandra exited " + status.exits() + " times in " + status.activity(),
                        Advice.nodeLogs(status.node()).prefix("see ")));
    }
}
