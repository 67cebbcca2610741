package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.record.NodeRecord;
import java.util.Optional;

/**
 * Whether an executor may receive a target with TLS between nodes. An executor of an earlier release skips the field
 * and would start its node in clear text.
 */
public final class ClearTextCheck {
    private ClearTextCheck() {}

    /**
     * Whether the command is a target with TLS, and the executor does not report that it knows TLS. {@code Recovery}
     * sends the target again once it does.
     */
    public static boolean forbids(View view, Command command) {
        return command instanceof Command.Apply apply
                && apply.target().requiresInternodeTls()
                && view.status(apply.target().node()).map(NodeStatus::tls).isEmpty();
    }

    /** Why the executor, which answers, does not receive the newest target of its node, and the next step. */
    public static Optional<String> whyNotSent(View view, NodeRecord node) {
        boolean needsTls = view.spec(node.cluster(), node.specVersion())
                .filter(s -> s.spec().requiresInternodeTls())
                .isPresent();
        return view.status(node.id())
                .filter(s -> needsTls && s.tls() == null && s.generation() < node.generation())
                .map(s -> Problem.of(
                                ErrorCode.EXECUTOR_FAILED,
                                node.id().shortName() + ": its executor (pid " + s.executorPid()
                                        + ") is of an earlier release, which does not know TLS between nodes and would"
                                        + " start it in clear text",
                                "update the executor's program on "
                                        + node.allocation().machine()
                                        + ", or in the pool's image, and end this executor: the next one gets the target")
                        .line());
    }
}
