package io.ringmaster.core.safety;

import io.ringmaster.core.view.View;
import io.ringmaster.model.command.Command;
import io.ringmaster.model.error.ErrorCode;
import io.ringmaster.model.error.Problem;
import io.ringmaster.model.node.NodeStatus;
import io.ringmaster.model.node.TlsStatus;
import io.ringmaster.model.record.NodeRecord;
import io.ringmaster.model.spec.TlsMode;
import io.ringmaster.model.spec.TlsSpec;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether an executor may receive a target with TLS. An executor of an earlier release skips the fields that it does
 * not know and would start its node in clear text.
 */
public final class ClearTextCheck {
    private ClearTextCheck() {}

    /**
     * Whether the command is a target to run with TLS, and the executor does not report that it knows TLS. {@code
     * Recovery} sends the target again once it does.
     */
    public static boolean forbids(View view, Command command) {
        return command instanceof Command.Apply apply
                && apply.target().run()
                && unknown(apply.target().tls(), view.status(apply.target().node()))
                        .isPresent();
    }

    /** The kind of TLS that the target asks for, and that the executor does not know. */
    private static Optional<String> unknown(@Nullable TlsSpec wanted, Optional<NodeStatus> status) {
        if (wanted == null) {
            return Optional.empty();
        }
        Optional<TlsStatus> known = status.map(NodeStatus::tls);
        if (wanted.internode() == TlsMode.REQUIRED && known.isEmpty()) {
            return Optional.of("TLS between nodes");
        }
        return wanted.encryptsCql() && known.filter(TlsStatus::knowsCql).isEmpty()
                ? Optional.of("TLS for CQL clients")
                : Optional.empty();
    }

    /** Why the executor, which answers, does not receive the newest target of its node, and the next step. */
    public static Optional<String> whyNotSent(View view, NodeRecord node) {
        TlsSpec wanted = view.spec(node.cluster(), node.specVersion())
                .map(s -> s.spec().tls())
                .orElse(null);
        Optional<NodeStatus> status = view.status(node.id()).filter(s -> s.generation() < node.generation());
        return status.flatMap(s -> unknown(wanted, status).map(kind -> Problem.of(
                        ErrorCode.EXECUTOR_FAILED,
                        node.id().shortName() + ": its executor (pid " + s.executorPid()
                                + ") is of an earlier release, which does not know " + kind
                                + " and would start it in clear text",
                        "update the executor's program on "
                                + node.allocation().machine()
                                + ", or in the pool's image, and end this executor: the next one gets the target")
                .line()));
    }
}
