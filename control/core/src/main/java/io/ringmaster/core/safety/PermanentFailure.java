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

/** Whether a node's trouble is one that waiting will not mend. */
public final class PermanentFailure {
    /** A daemon may die once for a reason of the moment; this often with one configuration is the configuration. */
    public static final int EXITS = 3;

    private static final Set<ErrorCode> FINAL = EnumSet.of(
            ErrorCode.CONFIGURATION_REJECTED,
            ErrorCode.BINARIES_UNAVAILABLE,
            ErrorCode.DISK_FULL,
            ErrorCode.EXECUTOR_FAILED);

    private PermanentFailure() {}

    /** Whether a retry alone cannot fix it, whoever reports it: the executor or the pool. */
    public static boolean isPermanent(Problem problem) {
        return FINAL.contains(problem.code());
    }

    /** What is wrong for good with a node under its newest target, as far as its executor answers. */
    public static Optional<Problem> of(View view, NodeId node) {
        NodeRecord record = view.nodes().get(node);
        return view.status(node)
                .filter(s -> record != null && s.generation() >= record.generation())
                .flatMap(PermanentFailure::of);
    }

    /** What a node that serves did not take of its newest target, so that it serves on as before. */
    public static Optional<Problem> refusal(View view, NodeId node) {
        NodeRecord record = view.nodes().get(node);
        return view.status(node)
                .filter(s -> record != null && s.generation() >= record.generation())
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
                        "Cassandra ended " + status.exits() + " times in " + status.activity(),
                        Advice.nodeLogs(status.node()).prefix("see ")));
    }
}
